/** The request as handlers see it, and the names of the headers that they read. */
import type { Conditions } from '../reply/conditional.js'

/** Headers that identify the sender, describe the body, and name the page before. */
export const SENDER_HEADERS = [
  'authorization',
  'content-type',
  'cookie',
  'origin',
  'referer',
  'sec-fetch-site',
] as const
export type SenderHeader = (typeof SENDER_HEADERS)[number]
/** The languages that the reader understands. */
export const LANGUAGE_HEADER = 'accept-language'
/** Headers that request a part of a file; `range` is empty unless the method is GET. */
export const RANGE_HEADERS = ['range', 'if-range'] as const
export type RangeHeader = (typeof RANGE_HEADERS)[number]

/** Headers of the Model Context Protocol. */
export const MCP_HEADERS = ['accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

export type ReadHeader = SenderHeader | RangeHeader | typeof LANGUAGE_HEADER | (typeof MCP_HEADERS)[number]

/** A handler reads from it before its first await. On a route with a body, all but the range headers stay readable. */
export interface RequestView {
  readonly conditions: Conditions
  /** Raw, without the question mark; empty when absent. */
  readonly query: string
  /** Absolute URL of the API, without `/v1` and without a slash at the end. */
  baseUrl(): string
  /** Empty when absent. */
  header(name: ReadHeader): string
  /** The client's address: the peer, or the address that trusted proxies report. */
  clientAddress(): string
}

/** A request whose body can be read once. */
export interface RequestWithBody extends RequestView {
  /** Whether the headers announce a body. */
  hasBody(): boolean
  /**
   * All bytes, valid until `releaseBody`. Throws rest-body-too-large, or rest-server-busy when the memory for bodies is
   * used up.
   */
  readBody(): Promise<Uint8Array>
  /** Frees the memory of the body. It may be called for a body that was not read. */
  releaseBody(): void
}
