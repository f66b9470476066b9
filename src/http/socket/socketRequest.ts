/** Requests as read from the socket. */
import { type Accepted, withoutCodings } from '../coding/codings.js'
import { type Conditions, NO_CONDITIONS } from '../reply/conditional.js'
import type { IncomingRequest, MatchedRoute } from '../routing/dispatch.js'
import { type BodyBudget, BodyCollector } from '../request/requestBody.js'
import { asciiBuffer, type NativeRequest, type NativeResponse } from './driver.js'
import {
  LANGUAGE_HEADER,
  MCP_HEADERS,
  RANGE_HEADERS,
  type ReadHeader,
  SENDER_HEADERS,
} from '../request/requestView.js'
import type { Origins } from './origins.js'

/** A request read from the socket. The native request is valid only within its callback. */
export class SocketRequest implements IncomingRequest {
  readonly id: string
  readonly accepted: Accepted
  readonly method: string
  readonly path: string
  readonly query: string
  readonly conditions: Conditions
  readonly closing: Closing
  route: MatchedRoute | undefined
  readonly #origins: Origins
  readonly #bodies: BodyBudget
  #response: NativeResponse | undefined
  #native: NativeRequest | undefined
  #baseUrl: string | undefined
  #headers: Map<string, string> | undefined
  #clientAddress: string | undefined
  #body: BodyCollector | undefined

  constructor(
    { id, accepted }: Pick<IncomingRequest, 'id' | 'accepted'>,
    response: NativeResponse,
    native: NativeRequest,
    origins: Origins,
    bodies: BodyBudget,
  ) {
    this.id = id
    this.accepted = accepted
    // First of all: `getMethod` would turn the method into lower case for later calls.
    this.method = native.getCaseSensitiveMethod()
    this.path = native.getUrl()
    this.query = native.getQuery() ?? ''
    this.conditions = readConditions(native)
    this.closing = readClosing(native)
    this.#origins = origins
    this.#bodies = bodies
    this.#response = response
    this.#native = native
  }

  baseUrl(): string {
    return (this.#baseUrl ??= this.#origins.baseUrl(...this.#live()))
  }

  /** The URL if it was asked for, also after the request has gone. */
  get readBaseUrl(): string | undefined {
    return this.#baseUrl
  }

  header(name: ReadHeader): string {
    if (name === 'range' && this.method !== 'GET') return ''
    return this.#headers?.get(name) ?? this.#live()[1].getHeader(name)
  }

  clientAddress(): string {
    return (this.#clientAddress ??= this.#origins.clientAddress(...this.#live()))
  }

  hasBody(): boolean {
    const [, native] = this.#live()
    return Number(native.getHeader('content-length')) > 0 || native.getHeader('transfer-encoding') !== ''
  }

  readBody(): Promise<Uint8Array> {
    const [response, native] = this.#live()
    this.#copy([...SENDER_HEADERS, ...MCP_HEADERS, LANGUAGE_HEADER])
    const body = new BodyCollector(this.#bodies, native.getHeader('content-length'))
    this.#body = body
    // uWebSockets.js 20.57 does not tell the end of an empty body if the head came in two segments.
    if (this.hasBody()) response.onData((chunk, isLast) => body.add(new Uint8Array(chunk), isLast))
    else body.add(new Uint8Array(0), true)
    return body.whole
  }

  detach(): void {
    this.#copy([...SENDER_HEADERS, ...RANGE_HEADERS, LANGUAGE_HEADER])
  }

  #copy(headers: readonly ReadHeader[]): void {
    const [, native] = this.#live()
    this.baseUrl()
    this.clientAddress()
    this.#headers = new Map(headers.map((name) => [name, native.getHeader(name)]))
  }

  releaseBody(): void {
    this.#body?.release()
  }

  /** Reports that the client disconnected. */
  abort(): void {
    this.#body?.abandon()
  }

  release(): void {
    this.#native = undefined
    this.#response = undefined
  }

  #live(): [response: NativeResponse, native: NativeRequest] {
    const [native, response] = [this.#native, this.#response]
    if (native === undefined || response === undefined) {
      throw new Error('a request was read after something was awaited')
    }
    return [response, native]
  }
}

const IF_MATCH = asciiBuffer('if-match')
const IF_UNMODIFIED_SINCE = asciiBuffer('if-unmodified-since')
const IF_NONE_MATCH = asciiBuffer('if-none-match')
const IF_MODIFIED_SINCE = asciiBuffer('if-modified-since')
const CONNECTION = asciiBuffer('connection')
const ACCEPT_ENCODING = asciiBuffer('accept-encoding')

const ACCEPT_LANGUAGE = asciiBuffer(LANGUAGE_HEADER)

export const readAcceptLanguage = (native: NativeRequest): string => native.getHeader(ACCEPT_LANGUAGE)
export const readAcceptEncoding = (native: NativeRequest): string => native.getHeader(ACCEPT_ENCODING)

/** The headers that make a request conditional; the constant NO_CONDITIONS when all are absent. */
export function readConditions(native: NativeRequest): Conditions {
  const ifMatch = native.getHeader(IF_MATCH)
  const ifUnmodifiedSince = native.getHeader(IF_UNMODIFIED_SINCE)
  const ifNoneMatch = native.getHeader(IF_NONE_MATCH)
  const ifModifiedSince = native.getHeader(IF_MODIFIED_SINCE)
  const none = ifMatch === '' && ifUnmodifiedSince === '' && ifNoneMatch === '' && ifModifiedSince === ''
  if (none) return NO_CONDITIONS
  return {
    ifMatch: withoutCodings(ifMatch),
    ifUnmodifiedSince,
    ifNoneMatch: withoutCodings(ifNoneMatch),
    ifModifiedSince,
  }
}

/**
 * Whether the client wants the connection to end with this answer. `library`: uWebSockets.js knows it too, and closes
 * the connection without a header line. `client`: the library does not know.
 */
export type Closing = 'no' | 'library' | 'client'

/** The library only checks the length of the value. */
const LENGTH_OF_CLOSE = 'close'.length
const KEEP_ALIVE = 'keep-alive'
const LISTS_CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i

/** The client's wish from the header Connection, which is mostly absent or `keep-alive`. */
export function readClosing(native: NativeRequest): Closing {
  const value = native.getHeader(CONNECTION)
  if (value === '' || value === KEEP_ALIVE) return 'no'
  if (value.length === LENGTH_OF_CLOSE) return 'library'
  return LISTS_CLOSE.test(value) ? 'client' : 'no'
}
