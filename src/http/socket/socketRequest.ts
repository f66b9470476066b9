/** A request as the socket brought it. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import type { Visit } from '../access/accessLine.js'
import { type Conditions, NO_CONDITIONS } from '../reply/conditional.js'
import type { IncomingRequest } from '../routing/dispatch.js'
import { type BodyBudget, BodyCollector } from '../request/requestBody.js'
import { asciiBuffer } from './nativeText.js'
import { type RangeHeader, SENDER_HEADERS, type SenderHeader } from '../request/requestView.js'
import type { Route } from '../routing/route.js'
import type { BaseUrls, Origin, Sender } from '../request/urls.js'

/** A request as read from the socket; the native one ends with the callback that brought it. */
export class SocketRequest implements IncomingRequest {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly conditions: Conditions
  readonly closing: Closing
  route: Route | undefined
  readonly #baseUrls: BaseUrls
  readonly #bodies: BodyBudget
  #response: HttpResponse | undefined
  #native: HttpRequest | undefined
  #baseUrl: string | undefined
  #headers: Map<string, string> | undefined
  #clientAddress: string | undefined
  #body: BodyCollector | undefined

  constructor(
    id: string,
    response: HttpResponse,
    native: HttpRequest,
    baseUrls: BaseUrls,
    bodies: BodyBudget,
  ) {
    this.id = id
    // Before getMethod, which would make the method lower case for both.
    this.method = native.getCaseSensitiveMethod()
    this.path = native.getUrl()
    // Undefined when there is no question mark, whatever the package's types say.
    this.query = native.getQuery() ?? ''
    this.conditions = readConditions(native)
    this.closing = readClosing(native)
    this.#baseUrls = baseUrls
    this.#bodies = bodies
    this.#response = response
    this.#native = native
  }

  baseUrl(): string {
    return (this.#baseUrl ??= this.#baseUrls.baseUrl(() => {
      const { native, response } = this.#live()
      return new SocketOrigin(response, native)
    }))
  }

  header(name: SenderHeader | RangeHeader): string {
    if (name === 'range' && this.method !== 'GET') return ''
    return this.#headers?.get(name) ?? this.#live().native.getHeader(name)
  }

  clientAddress(): string {
    return (this.#clientAddress ??= this.#baseUrls.clientAddress(() => {
      const { native, response } = this.#live()
      return readSender(response, native)
    }))
  }

  hasBody(): boolean {
    const { native } = this.#live()
    return Number(native.getHeader('content-length')) > 0 || native.getHeader('transfer-encoding') !== ''
  }

  readBody(): Promise<Uint8Array> {
    const { native, response } = this.#live()
    this.baseUrl()
    this.clientAddress()
    this.#headers = new Map(SENDER_HEADERS.map((name) => [name, native.getHeader(name)]))
    const body = new BodyCollector(this.#bodies, native.getHeader('content-length'))
    this.#body = body
    response.onData((chunk, isLast) => body.add(new Uint8Array(chunk), isLast))
    return body.whole
  }

  releaseBody(): void {
    this.#body?.release()
  }

  /** The client has gone. */
  abort(): void {
    this.#body?.abandon()
  }

  release(): void {
    this.#native = undefined
    this.#response = undefined
  }

  #live(): { readonly native: HttpRequest; readonly response: HttpResponse } {
    const [native, response] = [this.#native, this.#response]
    if (native === undefined || response === undefined) {
      throw new Error('a request was read after something was awaited')
    }
    return { native, response }
  }
}

const IF_MATCH = asciiBuffer('if-match')
const IF_UNMODIFIED_SINCE = asciiBuffer('if-unmodified-since')
const IF_NONE_MATCH = asciiBuffer('if-none-match')
const IF_MODIFIED_SINCE = asciiBuffer('if-modified-since')
const HOST = asciiBuffer('host')
const CONNECTION = asciiBuffer('connection')

/** The headers that make a request conditional; NO_CONDITIONS itself when there are none. */
export function readConditions(native: HttpRequest): Conditions {
  const ifMatch = native.getHeader(IF_MATCH)
  const ifUnmodifiedSince = native.getHeader(IF_UNMODIFIED_SINCE)
  const ifNoneMatch = native.getHeader(IF_NONE_MATCH)
  const ifModifiedSince = native.getHeader(IF_MODIFIED_SINCE)
  const none = ifMatch === '' && ifUnmodifiedSince === '' && ifNoneMatch === '' && ifModifiedSince === ''
  return none ? NO_CONDITIONS : { ifMatch, ifUnmodifiedSince, ifNoneMatch, ifModifiedSince }
}

/**
 * Whether a client asks that its connection ends with the answer. `library`: uWebSockets.js has seen it too, and closes the
 * connection after the answer without a word about it in the headers. `client`: it has not.
 */
export type Closing = 'no' | 'library' | 'client'

/** The library looks at the length of the value alone. */
const LENGTH_OF_CLOSE = 'close'.length
const KEEP_ALIVE = 'keep-alive'
const LISTS_CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i

/** What the header Connection asks for: mostly nothing, or `keep-alive`. */
export function readClosing(native: HttpRequest): Closing {
  const value = native.getHeader(CONNECTION)
  if (value === '' || value === KEEP_ALIVE) return 'no'
  if (value.length === LENGTH_OF_CLOSE) return 'library'
  return LISTS_CLOSE.test(value) ? 'client' : 'no'
}

/** Where a request came in; what only proxies are believed about is read when it is asked for: an address takes a microsecond. */
export class SocketOrigin implements Origin {
  readonly #response: HttpResponse
  readonly #native: HttpRequest

  constructor(response: HttpResponse, native: HttpRequest) {
    this.#response = response
    this.#native = native
  }

  get host(): string {
    return this.#native.getHeader(HOST)
  }

  get peerAddress(): string {
    return peerAddress(this.#response)
  }

  get forwardedProto(): string {
    return this.#native.getHeader('x-forwarded-proto')
  }

  get forwardedHost(): string {
    return this.#native.getHeader('x-forwarded-host')
  }
}

/**
 * All lines of a header as one list, in the order they came; `getHeader` gives the first. Proxies may add a line of their own
 * behind the client's.
 */
function allLines(native: HttpRequest, name: string): string {
  const lines: string[] = []
  native.forEach((key, value) => {
    if (key === name) lines.push(value)
  })
  return lines.join(',')
}

export function readSender(response: HttpResponse, native: HttpRequest): Sender {
  return { peerAddress: peerAddress(response), forwardedFor: allLines(native, 'x-forwarded-for') }
}

/** What the access log says of a request besides its answer. */
export type Visitor = Pick<Visit, 'client' | 'url' | 'referer' | 'userAgent'>

export function readVisitor(response: HttpResponse, native: HttpRequest, baseUrls: BaseUrls): Visitor {
  const query = native.getQuery() as string | undefined
  return {
    client: baseUrls.clientAddress(() => readSender(response, native)),
    url: query === undefined ? native.getUrl() : `${native.getUrl()}?${query}`,
    referer: native.getHeader('referer'),
    userAgent: native.getHeader('user-agent'),
  }
}

/** Address of the other end of the connection. */
export function peerAddress(response: HttpResponse): string {
  return Buffer.from(response.getRemoteAddressAsText()).toString('latin1')
}
