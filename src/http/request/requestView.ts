/** A request as handlers see it, and what reads its headers. */
import type { Conditions } from '../reply/conditional.js'

/** Headers that say who sends a request, and what. */
export const SENDER_HEADERS = ['authorization', 'content-type', 'cookie', 'origin'] as const
export type SenderHeader = (typeof SENDER_HEADERS)[number]
/** Headers that ask for a part of a file; empty where the method is none that parts are for. */
export type RangeHeader = 'range' | 'if-range'

/**
 * The request as a handler sees it. Read from it before the first wait; on a route that takes a body, everything stays
 * readable.
 */
export interface RequestView {
  readonly conditions: Conditions
  /** Raw, without the question mark; empty when there is none. */
  readonly query: string
  /** Absolute URL of the API, without `/v1` and without a slash at the end. */
  baseUrl(): string
  /** Empty when absent. */
  header(name: SenderHeader | RangeHeader): string
  /** Address of who sent the request: the peer, or the one that trusted proxies name. */
  clientAddress(): string
}

/** A request whose body can be read, once. */
export interface RequestWithBody extends RequestView {
  /** Whether its headers say that there is one. */
  hasBody(): boolean
  /**
   * All bytes, good until `releaseBody`. Throws rest-body-too-large, or rest-server-busy when bodies fill the memory
   * that they may take.
   */
  readBody(): Promise<Uint8Array>
  /** Gives the body's memory back, read or not. */
  releaseBody(): void
}
