/** The socket side of the server: from a request of the HTTP library to its answer. */
import type { AppContext } from '../../context.js'
import { counter, type Figure, gauge } from '../../metrics/figures.js'
import { NO_CONDITIONS } from '../reply/conditional.js'
import { Dispatcher } from '../routing/dispatch.js'
import { HttpError } from '../reply/errors.js'
import { type HeaderFrame, type HotAnswer, HotAnswers, type KeepAs } from '../cache/hotAnswers.js'
import { ACCEPTS_NONE, type Accepted, AcceptedCodings } from '../coding/codings.js'
import { Encoder } from '../coding/encoder.js'
import { AnswerWriter, type Asked } from './answerWriter.js'
import type { Driver, NativeRequest, NativeResponse, Peer } from './driver.js'
import { loadDriver } from './drivers.js'
import { InFlight } from './inFlight.js'
import { Origins } from './origins.js'
import { type AccessLog, openAccessLog } from '../access/accessLog.js'
import { BodyBudget } from '../request/requestBody.js'
import { errorReply, headerLines, type ReadyReply } from '../reply/reply.js'
import { ReadLimit } from '../access/readLimit.js'
import { Peers } from './peers.js'
import { PositionWait } from './positionWait.js'
import { quietTurn } from './quietTurn.js'
import { RequestMeters } from './requestMeters.js'
import { RequestIds } from '../request/requestId.js'
import type { Route } from '../routing/route.js'
import { SlowAnswers } from './slowAnswers.js'
import { RequestLog, type Visitor } from '../access/requestLog.js'
import { readAcceptEncoding, readClosing, readConditions, SocketRequest } from './socketRequest.js'
import { Turn } from './turn.js'

/** Status in figures and logs when the client disconnected before the answer. */
const CLIENT_GONE = 499
/** When a server stops: the time for answers already written to reach slow clients. */
export const LINGER_MS = 1000
/** Paths without a read limit, for operators and load balancers. */
const UNLIMITED = ['/healthz', '/readyz', '/metrics']

/** A GET: the identity of its answer, and what its request says. */
interface Get extends KeepAs {
  /** Path and query as received. */
  readonly url: string
  readonly accepted: Accepted
}

/**
 * Serves routes over HTTP/1.1. The library's own limits apply, such as 10 s for an idle connection. docs/operations.md
 * lists them, and how the libraries differ. The server skips bodies that no route reads.
 */
export class HttpServer {
  readonly #context: AppContext
  readonly #dispatcher: Dispatcher
  readonly #requestIds = new RequestIds()
  readonly #frame: HeaderFrame
  readonly #hotAnswers: HotAnswers
  readonly #codings = new AcceptedCodings()
  readonly #encoder: Encoder
  readonly #connections = new InFlight()
  /** Requests that wait for a thread, and answers that wait for a slow client. */
  readonly #requests = new InFlight()
  readonly #slowAnswers: SlowAnswers
  readonly #writer: AnswerWriter
  #driver: Driver | undefined
  #origins: Origins
  readonly #peers = new Peers()
  readonly #turn: Turn
  readonly #bodies: BodyBudget
  readonly #meters = new RequestMeters()
  /** Undefined when the access log is off. */
  readonly #accessLog: AccessLog | undefined
  readonly #requestLog: RequestLog | undefined
  /** Undefined unless the store is a node of a cluster. */
  readonly #positionWait: PositionWait | undefined
  /** Undefined when reads have no limit. */
  readonly #readLimit: ReadLimit | undefined
  #stopped: Promise<void> | undefined

  constructor(context: AppContext, routes: readonly Route[]) {
    const { config } = context
    this.#context = context
    this.#encoder = new Encoder(context.pool, config.compression)
    const state = { isDraining: () => this.#stopped !== undefined }
    this.#dispatcher = new Dispatcher(context, routes, this.#encoder, state)
    this.#origins = new Origins(config, config.port, this.#peers)
    const afterId = config.allowCrossOrigin ? headerLines({ 'Access-Control-Allow-Origin': '*' }) : ''
    this.#frame = { beforeId: '\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: ', afterId }
    this.#slowAnswers = new SlowAnswers(config.slowAnswersBytes, this.#requests)
    this.#writer = new AnswerWriter({
      frame: this.#frame,
      slowAnswers: this.#slowAnswers,
      requests: this.#requests,
      log: context.log,
    })
    this.#hotAnswers = new HotAnswers(this.#dispatcher.wikis, {
      capacityBytes: config.hotAnswersBytes,
      frame: this.#frame,
      requestIds: this.#requestIds,
      clock: context.clock,
    })
    this.#turn = new Turn(context.store, this.#connections, (ms) => this.#meters.endTurn(ms))
    context.metrics.add(() => this.#figures())
    this.#bodies = new BodyBudget(config.maxBodyBytes)
    this.#accessLog = openAccessLog(config, context.log)
    if (this.#accessLog !== undefined) this.#requestLog = new RequestLog(this.#accessLog, context.clock)
    if (config.log !== '') this.#positionWait = new PositionWait(context.store)
    if (config.readsPerSecond > 0) this.#readLimit = new ReadLimit(config.readsPerSecond)
  }

  /**
   * Listens on the configured address and returns the port. `shared` allows other processes on the same port. Throws a
   * ListenError.
   */
  async listen({ shared = false } = {}): Promise<number> {
    const { config, log } = this.#context
    const makeDriver = await loadDriver(config.http, log)
    this.#driver = makeDriver({
      get: (response, request) => this.#handleGet(response, request),
      other: (response, request) => this.#handle(response, request),
      connections: (change, peer) => this.#countConnection(change, peer),
    })
    const port = await this.#driver.listen({ host: config.host, port: config.port, isShared: shared })
    this.#origins = new Origins(config, port, this.#peers)
    return port
  }

  /**
   * Stops listening, waits at most `drainTimeoutMs` for open requests, then closes all connections. Safe to call twice.
   */
  close(drainTimeoutMs: number): Promise<void> {
    this.#writer.endsConnections = true
    this.#stopped ??= this.#drain(drainTimeoutMs)
    return this.#stopped
  }

  async #drain(drainTimeoutMs: number): Promise<void> {
    if (this.#driver !== undefined) {
      await quietTurn()
      this.#driver.stopListening()
    }
    const endMs = performance.now() + drainTimeoutMs
    await this.#requests.idle(drainTimeoutMs)
    await this.#connections.idle(Math.min(LINGER_MS, drainTimeoutMs))
    // Requests that arrived while the connections closed.
    if (!(await this.#requests.idle(Math.max(0, endMs - performance.now())))) {
      this.#context.log.warn({ requests: this.#requests.count }, 'stopped with requests open')
    }
    this.#driver?.close()
    await this.#accessLog?.close()
  }

  #countConnection(change: number, peer: Peer): void {
    if (change > 0) {
      this.#connections.add()
      this.#peers.connect(peer)
    } else {
      this.#connections.done()
      this.#peers.disconnect()
    }
  }

  /** Handles a GET. A ready answer costs only the URL, the conditional headers and two writes. */
  #handleGet(response: NativeResponse, native: NativeRequest): void {
    const generation = this.#turn.begin()
    const path = native.getUrl()
    if (this.#readLimit !== undefined && this.#isTooMuch(response, native, path)) return
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
    const key = url + accepted.id
    const answer = this.#hotAnswers.find(key, generation, () => this.#origins.baseUrl(response, native))
    if (answer !== undefined) {
      this.#sendHot(response, native, url, answer)
      return
    }
    const wiki = this.#dispatcher.wikis.current()
    this.#handle(response, native, { url, key, accepted, generation, wiki })
  }

  #accepted(native: NativeRequest): Accepted {
    return this.#context.config.compression ? this.#codings.read(readAcceptEncoding(native)) : ACCEPTS_NONE
  }

  #sendHot(response: NativeResponse, native: NativeRequest, url: string, answer: HotAnswer): void {
    const { body, meter } = answer
    const conditions = readConditions(native)
    const closing = readClosing(native)
    const id = this.#origins.givenId(response, native)
    const visitor = this.#requestLog?.read(response, native, url, this.#origins)
    const goesOn = closing === 'no' && this.#stopped === undefined
    // The common case: the connection stays open and the request is unconditional, so the answer goes out unchanged.
    if (goesOn && conditions === NO_CONDITIONS) {
      response.writeStatus(this.#hotAnswers.headFor(answer, id))
      this.#slowAnswers.send(response, body)
      meter.countReady(body.byteLength)
      if (visitor !== undefined) this.#logReady(visitor, answer, id ?? this.#hotAnswers.stampedId(answer))
    } else {
      const reply = this.#hotAnswers.judge(answer, conditions)
      const name = id ?? this.#requestIds.next()
      this.#writer.send(response, { id: name, method: 'GET', closing }, reply)
      meter.count(reply.status, sizeOf(reply))
      if (visitor !== undefined) this.#logHot(visitor, name, reply.status, sizeOf(reply))
    }
  }

  /** Answers a request. `get` is present for a GET, whose turn has already begun. */
  #handle(response: NativeResponse, native: NativeRequest, get?: Get): void {
    if (get === undefined) {
      this.#turn.begin()
      const isHead = this.#readLimit !== undefined && native.getCaseSensitiveMethod() === 'HEAD'
      if (isHead && this.#isTooMuch(response, native, native.getUrl())) return
    }
    const request = this.#read(response, native, get?.accepted ?? this.#accepted(native))
    const visitor = this.#visitor(response, native, get)
    const reply = this.#dispatcher.dispatch(request)
    request.release()
    if (reply instanceof Promise) {
      this.#sendLater(response, request, reply, { get, visitor })
      return
    }
    this.#writer.send(response, request, reply)
    this.#meters.of(request.route).count(reply.status, sizeOf(reply))
    this.#keep(get, request, reply)
    this.#logAccess(visitor, request, reply.status, reply, this.#turn.elapsedMs())
  }

  /** Whether a client exceeds its read limit; if so, answers with 429. */
  #isTooMuch(response: NativeResponse, native: NativeRequest, path: string): boolean {
    if (UNLIMITED.includes(path)) return false
    const address = this.#origins.clientAddress(response, native)
    const seconds = this.#readLimit!.take(address, this.#context.clock.nowMs())
    if (seconds === 0) return false
    const asked = {
      id: this.#origins.givenId(response, native) ?? this.#requestIds.next(),
      method: native.getCaseSensitiveMethod(),
      closing: readClosing(native),
    }
    const visitor = this.#visitor(response, native)
    const headers = { 'Retry-After': String(seconds) }
    const reply = errorReply(new HttpError('rest-rate-limit-exceeded', [seconds], { headers }))
    this.#writer.send(response, asked, reply)
    this.#meters.none.count(reply.status, sizeOf(reply))
    this.#logAccess(visitor, asked, reply.status, reply, this.#turn.elapsedMs())
    return true
  }

  #keep(get: Get | undefined, request: SocketRequest, reply: ReadyReply): void {
    if (get === undefined || reply.reuse === undefined) return
    const meter = this.#meters.of(request.route)
    this.#hotAnswers.keep(get, reply, meter, () => request.baseUrl())
  }

  #read(response: NativeResponse, native: NativeRequest, accepted: Accepted): SocketRequest {
    const id = this.#origins.givenId(response, native) ?? this.#requestIds.next()
    return new SocketRequest({ id, accepted }, response, native, this.#origins, this.#bodies)
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
    this.#requests.add()
    const startMs = performance.now() - this.#turn.elapsedMs()
    void reply.then((ready) => {
      if (!aborted) response.cork(() => this.#writer.send(response, request, ready))
      else this.#writer.release(ready.body)
      this.#requests.done()
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
    const timeMs = this.#turn.timeMs(this.#context.clock)
    this.#requestLog!.addReady(visitor, answer, { timeMs, requestId, ms: this.#turn.elapsedMs() })
  }

  #logHot(visitor: Visitor, requestId: string, status: number, bytes: number): void {
    this.#requestLog!.add(visitor, { requestId, method: 'GET', status, bytes, ms: this.#turn.elapsedMs() })
  }

  #figures(): Figure[] {
    const { hits, rechecks, misses } = this.#hotAnswers
    const results = Object.entries({ hit: hits, recheck: rechecks, miss: misses })
    return [
      ...this.#meters.collect(),
      ...(this.#accessLog?.figures() ?? []),
      ...this.#encoder.figures(),
      gauge('palimpsest_http_connections', 'Connections that are open.', this.#connections.count),
      gauge(
        'palimpsest_http_requests_open',
        'Requests that wait for a thread, and answers that wait for a slow client.',
        this.#requests.count,
      ),
      gauge(
        'palimpsest_http_waiting_bytes',
        'Bytes of answers that slow clients have not taken yet.',
        this.#slowAnswers.waitingBytes,
      ),
      counter(
        'palimpsest_hot_answers_total',
        'Lookups of ready answers: found, found after a comparison with the store, not found.',
        results.map(([result, value]) => ({ labels: { result }, value })),
      ),
    ]
  }
}

const sizeOf = ({ body }: ReadyReply): number => body?.length ?? 0

function urlOf(native: NativeRequest): string {
  const query = native.getQuery()
  return query === undefined ? native.getUrl() : `${native.getUrl()}?${query}`
}
