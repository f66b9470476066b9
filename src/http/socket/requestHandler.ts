/** Answers the requests for one wiki, or for the server itself: from a request of the HTTP library to its answer. */
import type { Clock } from '../../context.js'
import { counter, type Figure } from '../../metrics/figures.js'
import type { ColdReads } from '../../storage/tables/coldReads.js'
import type { Store } from '../../storage/store.js'
import { RequestLog, type Visitor } from './requestLog.js'
import { type HotAnswer, HotAnswers, type KeepAs } from '../cache/hotAnswers.js'
import { type Accepted, ACCEPTS_NONE } from '../coding/codings.js'
import { NO_CONDITIONS } from '../reply/conditional.js'
import { HttpError } from '../reply/errors.js'
import type { ReadyReply } from '../reply/reply.js'
import type { AnswersRequests } from '../routing/dispatch.js'
import type { Asked } from './answerWriter.js'
import type { NativeRequest, NativeResponse } from './driver.js'
import type { Origins } from './origins.js'
import type { PositionWait } from './positionWait.js'
import { RequestMeters } from '../access/requestMeters.js'
import type { SharedHttp } from './sharedHttp.js'
import {
  readAcceptEncoding,
  readAcceptLanguage,
  readClosing,
  readConditions,
  SocketRequest,
} from './socketRequest.js'
import { Turn } from './turn.js'

/** Status in figures and logs when the client disconnected before the answer. */
const CLIENT_GONE = 499
/** Paths without a read limit, for operators and load balancers. */
export const UNLIMITED: readonly string[] = ['/healthz', '/readyz', '/metrics']

/** A GET: the identity of its answer, and what its request says. */
interface Get extends KeepAs {
  /** Path and query as received. */
  readonly url: string
  readonly accepted: Accepted
}

/** The part of a handler that belongs to its wiki. */
interface HandledWiki {
  /** Empty for the only wiki, and for the server itself. */
  readonly name: string
  /** Before the key of each ready answer: empty unless other wikis have the same URLs. */
  readonly keyPrefix: string
  readonly dispatcher: AnswersRequests
  readonly store: Pick<Store, 'refresh'> & Partial<Pick<Store, 'coldReads'>>
  /** Undefined unless the store is a node of a cluster. */
  readonly positionWait?: PositionWait | undefined
  readonly clock: Clock
  readonly compression: boolean
}

export class RequestHandler {
  readonly name: string
  readonly #shared: SharedHttp
  readonly #keyPrefix: string
  readonly #dispatcher: AnswersRequests
  readonly #hotAnswers: HotAnswers
  readonly #coldReads: ColdReads | undefined
  readonly #turn: Turn
  readonly #meters = new RequestMeters()
  readonly #clock: Clock
  readonly #compression: boolean
  /** Undefined when the access log is off. */
  readonly #requestLog: RequestLog | undefined
  readonly #positionWait: PositionWait | undefined
  #origins: Origins

  constructor(shared: SharedHttp, wiki: HandledWiki, origins: Origins) {
    const { dispatcher, store, clock, name } = wiki
    this.name = name
    this.#shared = shared
    this.#keyPrefix = wiki.keyPrefix
    this.#dispatcher = dispatcher
    this.#clock = clock
    this.#compression = wiki.compression
    this.#positionWait = wiki.positionWait
    this.#origins = origins
    this.#coldReads = store.coldReads
    this.#turn = new Turn(store, shared.connections, (ms) => this.#meters.endTurn(ms))
    this.#hotAnswers = new HotAnswers(() => dispatcher.settings(), { ...shared, clock })
    if (shared.accessLog !== undefined)
      this.#requestLog = new RequestLog(shared.accessLog, clock, name || undefined)
  }

  /** Takes over the origins once the server knows its port. */
  adopt(origins: Origins): void {
    this.#origins = origins
  }

  /** Handles a GET. A ready answer costs only the URL, the conditional headers and two writes. */
  handleGet(response: NativeResponse, native: NativeRequest, path: string): void {
    const generation = this.#turn.begin()
    if (this.#shared.readLimit !== undefined && this.#isTooMuch(response, native, path)) return
    if (this.#positionWait?.holds(response, native, (held) => this.#answerGet(response, held, path)) === true)
      return
    this.#answerGet(response, native, path, generation)
  }

  #answerGet(
    response: NativeResponse,
    native: NativeRequest,
    path: string,
    generation = this.#turn.begin(),
  ): void {
    const query = native.getQuery()
    const url = query === undefined ? path : `${path}?${query}`
    const accepted = this.#accepted(native)
    const { variants } = this.#dispatcher.settings()
    const language = variants === undefined ? '' : variants.keyOf(path, readAcceptLanguage(native))
    const key = this.#keyPrefix + url + accepted.id + language
    const baseUrl = (): string => this.#origins.baseUrl(response, native)
    // The check of a ready answer may come to a row that is not in memory. Then the dispatcher waits for it.
    const answer =
      this.#coldReads?.isAlert === true
        ? this.#coldReads.tryNow(() => this.#hotAnswers.find(key, generation, baseUrl))
        : this.#hotAnswers.find(key, generation, baseUrl)
    if (answer !== undefined) {
      this.#sendHot(response, native, url, answer)
      return
    }
    const settings = this.#dispatcher.settings()
    this.handle(response, native, { url, key, accepted, generation, settings })
  }

  #accepted(native: NativeRequest): Accepted {
    return this.#compression ? this.#shared.codings.read(readAcceptEncoding(native)) : ACCEPTS_NONE
  }

  #sendHot(response: NativeResponse, native: NativeRequest, url: string, answer: HotAnswer): void {
    const { body, meter } = answer
    const conditions = readConditions(native)
    const closing = readClosing(native)
    const id = this.#origins.givenId(response, native)
    const visitor = this.#requestLog?.read(response, native, url, this.#origins)
    const goesOn = closing === 'no' && !this.#shared.isStopping()
    // The common case: the connection stays open and the request is unconditional, so the answer goes out unchanged.
    if (goesOn && conditions === NO_CONDITIONS) {
      response.writeStatus(this.#hotAnswers.headFor(answer, id))
      this.#shared.slowAnswers.send(response, body, true)
      meter.countReady(body.byteLength)
      if (visitor !== undefined) this.#logReady(visitor, answer, id ?? this.#hotAnswers.stampedId(answer))
    } else {
      const reply = this.#hotAnswers.judge(answer, conditions)
      const name = id ?? this.#shared.requestIds.next()
      this.#shared.writer.send(response, { id: name, method: 'GET', closing }, reply)
      meter.count(reply.status, sizeOf(reply))
      if (visitor !== undefined) this.#logHot(visitor, name, reply.status, sizeOf(reply))
    }
  }

  /** Answers a request. `get` is present for a GET, whose turn has already begun. */
  handle(response: NativeResponse, native: NativeRequest, get?: Get): void {
    if (get === undefined) {
      this.#turn.begin()
      const isRead = this.#shared.readLimit !== undefined && readsOnly(native)
      if (isRead && this.#isTooMuch(response, native, native.getUrl())) return
    }
    const request = this.#read(response, native, get?.accepted ?? this.#accepted(native))
    const visitor = this.#visitor(response, native, get)
    const reply = this.#dispatcher.dispatch(request)
    request.release()
    if (reply instanceof Promise) {
      this.#sendLater(response, request, reply, { get, visitor })
      return
    }
    this.#shared.writer.send(response, request, reply)
    this.#meters.of(request.route).count(reply.status, sizeOf(reply))
    this.#keep(get, request, reply)
    this.#logAccess(visitor, request, reply.status, reply, this.#turn.elapsedMs())
  }

  /** Whether a client exceeds its read limit; if so, answers with 429. */
  #isTooMuch(response: NativeResponse, native: NativeRequest, path: string): boolean {
    if (UNLIMITED.includes(path)) return false
    const address = this.#origins.clientAddress(response, native)
    const seconds = this.#shared.readLimit!.take(address, this.#clock.nowMs())
    if (seconds === 0) return false
    const asked = {
      id: this.#origins.givenId(response, native) ?? this.#shared.requestIds.next(),
      method: native.getCaseSensitiveMethod(),
      closing: readClosing(native),
    }
    const visitor = this.#visitor(response, native)
    const headers = { 'Retry-After': String(seconds) }
    const error = new HttpError('rest-rate-limit-exceeded', [seconds], { headers })
    const reply = this.#dispatcher.refuse({ ...asked, path }, error)
    this.#shared.writer.send(response, asked, reply)
    this.#meters.none.count(reply.status, sizeOf(reply))
    this.#logAccess(visitor, asked, reply.status, reply, this.#turn.elapsedMs())
    return true
  }

  #keep(get: Get | undefined, request: SocketRequest, reply: ReadyReply): void {
    if (get === undefined || reply.reuse === undefined) return
    const meter = this.#meters.of(request.route)
    this.#hotAnswers.keep(get, reply, meter, request.readBaseUrl)
  }

  #read(response: NativeResponse, native: NativeRequest, accepted: Accepted): SocketRequest {
    const id = this.#origins.givenId(response, native) ?? this.#shared.requestIds.next()
    return new SocketRequest({ id, accepted }, response, native, this.#origins, this.#shared.bodies)
  }

  #sendLater(
    response: NativeResponse,
    request: SocketRequest,
    reply: Promise<ReadyReply>,
    { get, visitor }: { readonly get: Get | undefined; readonly visitor: Visitor | undefined },
  ): void {
    let aborted = false
    response.onAborted(() => {
      aborted = true
      request.abort()
    })
    this.#shared.requests.add()
    const startMs = performance.now() - this.#turn.elapsedMs()
    void reply.then((ready) => {
      if (!aborted) response.cork(() => this.#shared.writer.send(response, request, ready))
      else this.#shared.writer.release(ready.body)
      this.#shared.requests.done()
      const ms = performance.now() - startMs
      const status = aborted ? CLIENT_GONE : ready.status
      this.#meters.of(request.route).countLate(status, sizeOf(ready), ms)
      this.#keep(get, request, ready)
      this.#logAccess(visitor, request, status, ready, ms)
    })
  }

  /** The sender of a request for the access log; undefined when the log is off. */
  #visitor(response: NativeResponse, native: NativeRequest, get?: Get): Visitor | undefined {
    return this.#requestLog?.read(response, native, get?.url ?? urlOf(native), this.#origins)
  }

  #logAccess(
    visitor: Visitor | undefined,
    asked: Asked,
    status: number,
    reply: ReadyReply,
    ms: number,
  ): void {
    if (visitor === undefined) return
    const { id: requestId, method } = asked
    const bytes = method === 'HEAD' || status === CLIENT_GONE ? 0 : sizeOf(reply)
    this.#requestLog!.add(visitor, { requestId, method, status, bytes, ms })
  }

  #logReady(visitor: Visitor, answer: HotAnswer, requestId: string | Uint8Array): void {
    const timeMs = this.#turn.timeMs(this.#clock)
    this.#requestLog!.addReady(visitor, answer, { timeMs, requestId, ms: this.#turn.elapsedMs() })
  }

  #logHot(visitor: Visitor, requestId: string, status: number, bytes: number): void {
    this.#requestLog!.add(visitor, { requestId, method: 'GET', status, bytes, ms: this.#turn.elapsedMs() })
  }

  figures(): Figure[] {
    const { hits, rechecks, misses } = this.#hotAnswers
    const results = Object.entries({ hit: hits, recheck: rechecks, miss: misses })
    return [
      ...this.#meters.collect(),
      counter(
        'palimpsest_hot_answers_total',
        'Lookups of ready answers: found, found after a comparison with the store, not found.',
        results.map(([result, value]) => ({ labels: { result }, value })),
      ),
    ]
  }
}

/** Other than a GET. MCP reads by POST. */
const readsOnly = (native: NativeRequest): boolean =>
  native.getCaseSensitiveMethod() === 'HEAD' || native.getUrl().endsWith('/mcp')

const sizeOf = ({ body }: ReadyReply): number => body?.length ?? 0

function urlOf(native: NativeRequest): string {
  const query = native.getQuery()
  return query === undefined ? native.getUrl() : `${native.getUrl()}?${query}`
}
