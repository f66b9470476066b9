/** The socket side: the only file that sees uWebSockets.js. */
import {
  App,
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js'
import type { AppContext } from '../../context.js'
import { counter, type Figure, gauge } from '../../metrics/figures.js'
import { AddressList } from '../request/addresses.js'
import { NO_CONDITIONS } from '../reply/conditional.js'
import { Dispatcher } from '../routing/dispatch.js'
import { HttpError, reasonPhrase } from '../reply/errors.js'
import { type FilePart, sendFile } from './fileSender.js'
import { type HeaderFrame, type HotAnswer, HotAnswers, type KeepAs } from '../cache/hotAnswers.js'
import { InFlight } from './inFlight.js'
import { asciiBuffer } from './nativeText.js'
import type { Visit } from '../access/accessLine.js'
import { type AccessLog, openAccessLog } from '../access/accessLog.js'
import { BodyBudget } from '../request/requestBody.js'
import { errorReply, headerLines, type Reply } from '../reply/reply.js'
import { ReadLimit } from '../access/readLimit.js'
import { RequestMeters } from './requestMeters.js'
import { isAcceptableRequestId, RequestIds } from '../request/requestId.js'
import type { Route } from '../routing/route.js'
import {
  type Closing,
  peerAddress,
  readSender,
  readVisitor,
  readClosing,
  readConditions,
  SocketOrigin,
  SocketRequest,
  type Visitor,
} from './socketRequest.js'
import { Turn } from './turn.js'
import { BaseUrls, fallbackHost, hostAndPort } from '../request/urls.js'

/** The port is taken, or the address is none of this machine. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** Only one server of a machine may have the port: a second start fails in place of sharing it silently. */
const EXCLUSIVE_PORT = 1
/** The system spreads new connections over all processes that listen so. */
const SHARED_PORT = 0
/** In the place of a status, for an answer that nobody waited for. */
const CLIENT_GONE = 499
const REQUEST_ID = asciiBuffer('x-request-id')
/** A turn of the event loop that takes less is quiet; after so many that were not, a server stops all the same. */
const QUIET_MS = 0.1
const MOST_TURNS = 1000
/** How long answers that are written already may go on travelling to slow clients when a server stops. */
const LINGER_MS = 1000
/** Not limited: what operators and load balancers ask. */
const UNLIMITED = ['/healthz', '/readyz', '/metrics']
const CLOSE_LINE = headerLines({ Connection: 'close' })

/** What of a request shows in every answer. */
interface Asked {
  readonly id: string
  readonly method: string
  readonly closing: Closing
}

/** The package's types lack this form of `listen`, which it has. */
interface ListeningApp extends TemplatedApp {
  listen: TemplatedApp['listen'] &
    ((
      host: string,
      port: number,
      options: number,
      callback: (socket: us_listen_socket | false) => void,
    ) => TemplatedApp)
}

/**
 * Serves routes over HTTP/1.1. The library's own limits hold: 4 KiB for request line and headers together (431 above),
 * no HTTP/1.0 and no absolute URL in the request line (505), 10 s for an idle connection. A client that sends its next
 * request before an answer that takes a thread or a slow connection is out loses its connection, as does one that sends
 * a body at less than some 16 kB a second. Bodies that no route asks for are skipped.
 */
export class HttpServer {
  readonly #context: AppContext
  readonly #dispatcher: Dispatcher
  readonly #app = App() as ListeningApp
  readonly #requestIds = new RequestIds()
  readonly #proxies: AddressList
  readonly #frame: HeaderFrame
  readonly #hotAnswers: HotAnswers
  readonly #connections = new InFlight()
  /** Requests that wait for a thread, and answers that wait for a slow client. */
  readonly #requests = new InFlight()
  #socket: us_listen_socket | undefined
  #baseUrls: BaseUrls
  readonly #turn: Turn
  readonly #bodies: BodyBudget
  readonly #meters = new RequestMeters()
  /** Undefined: requests are not logged. */
  readonly #accessLog: AccessLog | undefined
  /** Undefined: clients may read as much as they like. */
  readonly #readLimit: ReadLimit | undefined
  /** Bytes of answers that slow clients have not taken yet. */
  #waitingBytes = 0
  #stopped: Promise<void> | undefined

  constructor(context: AppContext, routes: readonly Route[]) {
    const { config } = context
    this.#context = context
    this.#dispatcher = new Dispatcher(context, routes, { isDraining: () => this.#stopped !== undefined })
    this.#proxies = new AddressList(config.trustedProxies)
    this.#baseUrls = new BaseUrls(config, this.#proxies, fallbackHost(config.host, config.port))
    const afterId = config.allowCrossOrigin ? headerLines({ 'Access-Control-Allow-Origin': '*' }) : ''
    this.#frame = { beforeId: '\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: ', afterId }
    this.#hotAnswers = new HotAnswers(this.#dispatcher.wikis, {
      capacityBytes: config.hotAnswersBytes,
      frame: this.#frame,
      requestIds: this.#requestIds,
      clock: context.clock,
    })
    this.#app.filter((_socket, change) => {
      if (change > 0) this.#connections.add()
      else this.#connections.done()
    })
    this.#turn = new Turn(context.store, this.#connections, (ms) => this.#meters.endTurn(ms))
    context.metrics.add(() => this.#figures())
    this.#bodies = new BodyBudget(config.maxBodyBytes)
    this.#accessLog = openAccessLog(config, context.log)
    if (config.readsPerSecond > 0) this.#readLimit = new ReadLimit(config.readsPerSecond)
    this.#app.get('/*', (response, request) => this.#handleGet(response, request))
    this.#app.any('/*', (response, request) => void this.#handle(response, request))
  }

  /**
   * Listens where the settings say and gives back the port; `shared` with other processes, or alone. Throws a
   * ListenError when that is not possible.
   */
  listen({ shared = false } = {}): number {
    const { config } = this.#context
    // The library calls back before it returns.
    this.#app.listen(config.host, config.port, shared ? SHARED_PORT : EXCLUSIVE_PORT, (socket) => {
      this.#socket = socket === false ? undefined : socket
    })
    if (this.#socket === undefined) {
      const where = hostAndPort(config.host, config.port)
      throw new ListenError(
        `cannot listen on ${where}: the port is in use, or the address is not one of this machine`,
      )
    }
    const port = us_socket_local_port(this.#socket)
    this.#baseUrls = new BaseUrls(config, this.#proxies, fallbackHost(config.host, port))
    return port
  }

  /**
   * Stops listening, lets open requests end for at most `drainTimeoutMs`, then closes all connections. Safe to call
   * twice.
   */
  close(drainTimeoutMs: number): Promise<void> {
    this.#stopped ??= this.#drain(drainTimeoutMs)
    return this.#stopped
  }

  async #drain(drainTimeoutMs: number): Promise<void> {
    if (this.#socket !== undefined) {
      await quietTurn()
      us_listen_socket_close(this.#socket)
    }
    const endMs = performance.now() + drainTimeoutMs
    await this.#requests.idle(drainTimeoutMs)
    await this.#connections.idle(Math.min(LINGER_MS, drainTimeoutMs))
    // Those that came while connections were let go.
    if (!(await this.#requests.idle(Math.max(0, endMs - performance.now())))) {
      this.#context.log.warn({ requests: this.#requests.count }, 'stopped with requests open')
    }
    this.#app.close()
    await this.#accessLog?.close()
  }

  /** A GET: where its answer is ready, it costs the URL, the conditional headers and two writes. */
  #handleGet(response: HttpResponse, native: HttpRequest): void {
    const generation = this.#turn.begin()
    if (this.#readLimit !== undefined && this.#isTooMuch(response, native)) return
    const path = native.getUrl()
    // Undefined when there is no question mark, whatever the package's types say.
    const query = native.getQuery() as string | undefined
    const url = query === undefined ? path : `${path}?${query}`
    const answer = this.#hotAnswers.find(url, generation, () =>
      this.#baseUrls.baseUrl(() => new SocketOrigin(response, native)),
    )
    if (answer !== undefined) {
      this.#sendHot(response, native, answer)
      return
    }
    const wiki = this.#dispatcher.wikis.current()
    this.#handle(response, native, { url, generation, wiki })
  }

  #sendHot(response: HttpResponse, native: HttpRequest, answer: HotAnswer): void {
    const { body, meter } = answer
    const conditions = readConditions(native)
    const closing = readClosing(native)
    const givenId = this.#givenId(response, native)
    const visitor = this.#visitor(response, native)
    // The log has to name the request too.
    const id = givenId ?? (visitor === undefined ? undefined : this.#requestIds.next())
    const goesOn = closing === 'no' && this.#stopped === undefined
    // Others follow on the connection, and the client has nothing of it: it goes out as it is.
    if (goesOn && conditions === NO_CONDITIONS) {
      response.writeStatus(this.#hotAnswers.headFor(answer, id))
      this.#sendBody(response, body)
      meter.countReady(body.byteLength)
      if (visitor !== undefined) this.#logHot(visitor, id!, 200, body.byteLength)
    } else {
      const reply = this.#hotAnswers.judge(answer, conditions)
      const name = id ?? this.#requestIds.next()
      this.#send(response, { id: name, method: 'GET', closing }, reply)
      meter.count(reply.status, sizeOf(reply))
      if (visitor !== undefined) this.#logHot(visitor, name, reply.status, sizeOf(reply))
    }
  }

  /** Answers a request; `get` says under what its answer may be kept, and that the turn has begun for it. */
  #handle(response: HttpResponse, native: HttpRequest, get?: KeepAs): void {
    if (get === undefined) {
      this.#turn.begin()
      const isHead = this.#readLimit !== undefined && native.getCaseSensitiveMethod() === 'HEAD'
      if (isHead && this.#isTooMuch(response, native)) return
    }
    const request = this.#read(response, native)
    const visitor = this.#visitor(response, native)
    const reply = this.#dispatcher.dispatch(request)
    request.release()
    if (reply instanceof Promise) {
      this.#sendLater(response, request, reply, { get, visitor })
      return
    }
    this.#send(response, request, reply)
    this.#meters.of(request.route).count(reply.status, sizeOf(reply))
    this.#keep(get, request, reply)
    this.#logAccess(visitor, request, reply.status, reply, this.#turn.elapsedMs())
  }

  /** Whether a client has read too much; it is told so then. */
  #isTooMuch(response: HttpResponse, native: HttpRequest): boolean {
    if (UNLIMITED.includes(native.getUrl())) return false
    const address = this.#baseUrls.clientAddress(() => readSender(response, native))
    const seconds = this.#readLimit!.take(address, this.#context.clock.nowMs())
    if (seconds === 0) return false
    const asked = {
      id: this.#givenId(response, native) ?? this.#requestIds.next(),
      method: native.getCaseSensitiveMethod(),
      closing: readClosing(native),
    }
    const visitor = this.#visitor(response, native)
    const headers = { 'Retry-After': String(seconds) }
    const reply = errorReply(new HttpError('rest-rate-limit-exceeded', [seconds], { headers }))
    this.#send(response, asked, reply)
    this.#meters.none.count(reply.status, sizeOf(reply))
    this.#logAccess(visitor, asked, reply.status, reply, this.#turn.elapsedMs())
    return true
  }

  #keep(get: KeepAs | undefined, request: SocketRequest, reply: Reply): void {
    if (get === undefined || reply.reuse === undefined) return
    const meter = this.#meters.of(request.route)
    this.#hotAnswers.keep(get, reply, meter, () => request.baseUrl())
  }

  #read(response: HttpResponse, native: HttpRequest): SocketRequest {
    const id = this.#givenId(response, native) ?? this.#requestIds.next()
    return new SocketRequest(id, response, native, this.#baseUrls, this.#bodies)
  }

  /** The request id that a trusted proxy has given. */
  #givenId(response: HttpResponse, native: HttpRequest): string | undefined {
    if (!this.#proxies.any) return undefined
    const given = native.getHeader(REQUEST_ID)
    return isAcceptableRequestId(given) && this.#proxies.has(peerAddress(response)) ? given : undefined
  }

  #sendLater(
    response: HttpResponse,
    request: SocketRequest,
    reply: Promise<Reply>,
    { get, visitor }: { readonly get: KeepAs | undefined; readonly visitor: Visitor | undefined },
  ): void {
    let aborted = false
    response.onAborted(() => {
      aborted = true
      request.abort()
    })
    this.#requests.add()
    const startMs = performance.now() - this.#turn.elapsedMs()
    void reply.then((ready) => {
      if (!aborted) response.cork(() => this.#send(response, request, ready))
      else this.#release(ready.body)
      this.#requests.done()
      const ms = performance.now() - startMs
      const status = aborted ? CLIENT_GONE : ready.status
      this.#meters.of(request.route).countLate(status, sizeOf(ready), ms)
      this.#keep(get, request, ready)
      this.#logAccess(visitor, request, status, ready, ms)
    })
  }

  /** Who sends a request, where requests are logged; read before the answer, after which the library has it no more. */
  #visitor(response: HttpResponse, native: HttpRequest): Visitor | undefined {
    if (this.#accessLog === undefined) return undefined
    return readVisitor(response, native, this.#baseUrls)
  }

  #logAccess(visitor: Visitor | undefined, asked: Asked, status: number, reply: Reply, ms: number): void {
    if (visitor === undefined) return
    const { id, method } = asked
    const bytes = method === 'HEAD' || status === CLIENT_GONE ? 0 : sizeOf(reply)
    this.#addToLog(visitor, id, { method, status, bytes, ms })
  }

  #logHot(visitor: Visitor, id: string, status: number, bytes: number): void {
    this.#addToLog(visitor, id, { method: 'GET', status, bytes, ms: this.#turn.elapsedMs() })
  }

  #addToLog(
    { client, url, referer, userAgent }: Visitor,
    requestId: string,
    { method, status, bytes, ms }: Pick<Visit, 'method' | 'status' | 'bytes' | 'ms'>,
  ): void {
    const timeMs = this.#context.clock.nowMs() - ms
    this.#accessLog!.add({ timeMs, requestId, client, method, url, status, bytes, ms, referer, userAgent })
  }

  #figures(): Figure[] {
    const { hits, rechecks, misses } = this.#hotAnswers
    const results = Object.entries({ hit: hits, recheck: rechecks, miss: misses })
    return [
      ...this.#meters.collect(),
      ...(this.#accessLog?.figures() ?? []),
      gauge('palimpsest_http_connections', 'Connections that are open.', this.#connections.count),
      gauge(
        'palimpsest_http_requests_open',
        'Requests that wait for a thread, and answers that wait for a slow client.',
        this.#requests.count,
      ),
      gauge(
        'palimpsest_http_waiting_bytes',
        'Bytes of answers that slow clients have not taken yet.',
        this.#waitingBytes,
      ),
      counter(
        'palimpsest_hot_answers_total',
        'Lookups of ready answers: found, found after a comparison with the store, not found.',
        results.map(([result, value]) => ({ labels: { result }, value })),
      ),
    ]
  }

  /**
   * Writes an answer in a few native calls: all headers follow the status in one of them, since each call costs about
   * as much as the lookup of a page.
   */
  #send(response: HttpResponse, { id, method, closing }: Asked, reply: Reply): void {
    const { status, headers, body } = reply
    const isLast = this.#stopped !== undefined || reply.closesConnection === true || closing === 'client'
    const isBytes = body instanceof Uint8Array && method !== 'HEAD'
    // `end` announces that it closes the connection, but not when the library would have done so anyway.
    const closeLine = closing === 'library' || (isLast && !isBytes) ? CLOSE_LINE : ''
    const { beforeId, afterId } = this.#frame
    response.writeStatus(`${status} ${reasonPhrase(status)}${beforeId}${id}${afterId}${headers}${closeLine}`)
    if (body === undefined || method === 'HEAD') {
      // A length given to endWithoutBody would leave the answer open until so many bytes were sent.
      if (body !== undefined) response.writeHeader('Content-Length', String(body.length))
      // The library fails when it is to close the connection after an answer without a body: the client will.
      response.endWithoutBody()
      this.#release(body)
    } else if (!(body instanceof Uint8Array)) {
      this.#sendFile(response, body)
    } else if (isLast || body.length === 0) {
      response.end(body, isLast)
    } else {
      this.#sendBody(response, body)
    }
  }

  /** Sends a file that is open; it is closed when it is out. */
  #sendFile(response: HttpResponse, body: FilePart): void {
    if (body.length === 0) {
      response.end('')
      this.#release(body)
      return
    }
    this.#requests.add()
    sendFile(response, body)
      .catch((error: unknown) => this.#context.log.error({ err: error }, 'a file could not be sent'))
      .finally(() => this.#requests.done())
  }

  /** Closes the file of an answer that is not sent. */
  #release(body: Reply['body']): void {
    if (body === undefined || body instanceof Uint8Array) return
    body.file
      .close()
      .catch((error: unknown) => this.#context.log.error({ err: error }, 'a file could not be closed'))
  }

  /**
   * Sends what the socket takes, and the rest when it takes more. `end` would keep the rest of every answer in memory,
   * for as many requests as a client sends without reading; this way the library closes the connection of a client
   * that asks on before it has read. When slow clients have too much waiting together, the next one loses its
   * connection.
   */
  #sendBody(response: HttpResponse, body: Uint8Array | ArrayBuffer): void {
    const length = body.byteLength
    const [, isDone] = response.tryEnd(body, length)
    if (isDone) return
    const sent = response.getWriteOffset()
    const restBytes = length - sent
    if (this.#waitingBytes + restBytes > this.#context.config.slowAnswersBytes) {
      response.close()
      return
    }
    this.#waitingBytes += restBytes
    // A copy: the body may be the next answer's memory.
    const rest = new Uint8Array(body instanceof ArrayBuffer ? body.slice(sent) : body.subarray(sent))
    const finish = (): void => {
      this.#waitingBytes -= restBytes
      this.#requests.done()
    }
    this.#requests.add()
    response.onAborted(finish)
    response.onWritable((offset) => {
      const [takesMore, hasEnded] = response.tryEnd(rest.subarray(offset - sent), length)
      if (hasEnded) finish()
      return takesMore
    })
  }
}

/**
 * Waits for a turn of the event loop in which hardly anything was to do, until its end. Then all connections that the system
 * had ready are taken; one that is not when a port is closed is reset, though other processes listen at the port.
 */
async function quietTurn(): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const startMs = performance.now()
    await new Promise((resolve) => setImmediate(resolve))
    if (performance.now() - startMs < QUIET_MS) return
  }
}

const sizeOf = ({ body }: Reply): number => body?.length ?? 0
