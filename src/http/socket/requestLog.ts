/** Collects the facts of a request for the access log. */
import type { Clock } from '../../context.js'
import { asciiBuffer, type NativeRequest, type NativeResponse } from './driver.js'
import type { Origins } from './origins.js'
import type { LinePart, Visit } from '../access/accessLine.js'
import type { AccessLog } from '../access/accessLog.js'

const REFERER = asciiBuffer('referer')
const USER_AGENT = asciiBuffer('user-agent')

/** Facts from the request. */
export type Visitor = Pick<Visit, 'client' | 'url' | 'referer' | 'userAgent'>
/** Facts from the answer. */
interface Outcome extends Pick<Visit, 'method' | 'status' | 'bytes' | 'ms'> {
  readonly requestId: string
}
/** A ready answer to a GET. It keeps the part of the line that shows it, from the first line on. */
interface LoggedAnswer {
  readonly body: Uint8Array
  served?: LinePart
}

export class RequestLog {
  readonly #log: AccessLog
  readonly #clock: Clock
  readonly #wiki: string | undefined

  /** `wiki` is the name that lines show; none for the only wiki of a server. */
  constructor(log: AccessLog, clock: Clock, wiki: string | undefined) {
    this.#wiki = wiki
    this.#log = log
    this.#clock = clock
  }

  /** Call it before the answer, since the library frees the request then. `url` is path and query. */
  read(response: NativeResponse, request: NativeRequest, url: string, origins: Origins): Visitor {
    return {
      client: origins.clientAddress(response, request),
      url,
      referer: request.getHeader(REFERER),
      userAgent: request.getHeader(USER_AGENT),
    }
  }

  add({ client, url, referer, userAgent }: Visitor, { requestId, method, status, bytes, ms }: Outcome): void {
    const timeMs = this.#clock.nowMs() - ms
    const served = this.#log.served({ wiki: this.#wiki, method, url, status, bytes })
    this.#log.add({ wiki: this.#wiki, timeMs, requestId, client, ms, referer, userAgent }, served)
  }

  /** Logs that a ready answer was sent whole. */
  addReady(
    { client, url, referer, userAgent }: Visitor,
    answer: LoggedAnswer,
    { timeMs, requestId, ms }: Pick<Visit, 'timeMs' | 'requestId' | 'ms'>,
  ): void {
    const wiki = this.#wiki
    answer.served ??= this.#log.served({
      wiki,
      method: 'GET',
      url,
      status: 200,
      bytes: answer.body.byteLength,
    })
    this.#log.add({ wiki, timeMs, requestId, client, ms, referer, userAgent }, answer.served)
  }
}
