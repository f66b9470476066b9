/** Collects the facts of a request for the access log. */
import type { Clock } from '../../context.js'
import type { NativeRequest, NativeResponse } from '../socket/driver.js'
import { asciiBuffer } from '../socket/nativeText.js'
import type { Origins } from '../socket/origins.js'
import type { Visit } from './accessLine.js'
import type { AccessLog } from './accessLog.js'

const REFERER = asciiBuffer('referer')
const USER_AGENT = asciiBuffer('user-agent')

/** Facts from the request. */
export type Visitor = Pick<Visit, 'client' | 'url' | 'referer' | 'userAgent'>
/** Facts from the answer. */
export type Outcome = Pick<Visit, 'requestId' | 'method' | 'status' | 'bytes' | 'ms'>

export class RequestLog {
  readonly #log: AccessLog
  readonly #clock: Clock

  constructor(log: AccessLog, clock: Clock) {
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
    this.#log.add({ timeMs, requestId, client, method, url, status, bytes, ms, referer, userAgent })
  }
}
