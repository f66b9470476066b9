/** The server: listens, passes each request to its wiki, and stops. */
import type { AppContext } from '../../context.js'
import { type Figure, ofWiki } from '../../metrics/figures.js'
import { Desk } from '../frontDesk/desk.js'
import { Dispatcher } from '../routing/dispatch.js'
import type { Route } from '../routing/route.js'
import type { Driver, NativeRequest, NativeResponse, Peer } from './driver.js'
import { chooseDriver } from './chooseDriver.js'
import { Origins } from './origins.js'
import { PositionWait } from './positionWait.js'
import { RequestHandler } from './requestHandler.js'
import { SharedHttp } from './sharedHttp.js'
import { WikiChoice } from './wikiChoice.js'
import { openServices, type ServerContext } from '../routing/services.js'
import { makeReadyShell } from '../reader/readyShell.js'

/** When a server stops: the time for answers already written to reach slow clients. */
export const LINGER_MS = 1000

/** A turn of the event loop that takes less is quiet. A stopping server waits for at most MOST_TURNS busy ones. */
const QUIET_MS = 0.1
const MOST_TURNS = 1000

/** The handler of a wiki, and the settings for its addresses. */
interface Served {
  readonly handler: RequestHandler
  readonly config: AppContext['config']
}

/**
 * Serves routes over HTTP/1.1. The library's own limits apply, such as 10 s for an idle connection. docs/operations.md
 * lists them, and how the libraries differ. The server skips bodies that no route reads.
 */
export class HttpServer {
  readonly #context: ServerContext
  readonly #shared: SharedHttp
  readonly #served: readonly Served[]
  /** Undefined if there is only one wiki. */
  readonly #choice: WikiChoice | undefined
  readonly #first: RequestHandler
  #driver: Driver | undefined
  #stopped: Promise<void> | undefined

  /** Serves one wiki, or, if `wikis` is given, several. */
  constructor(context: AppContext, routes: readonly Route[])
  constructor(context: ServerContext, routes: readonly Route[], wikis: readonly AppContext[])
  constructor(context: ServerContext | AppContext, routes: readonly Route[], wikis?: readonly AppContext[]) {
    this.#context = context
    this.#shared = new SharedHttp(context, () => this.#stopped !== undefined)
    const contexts = wikis ?? [context as AppContext]
    const served = contexts.map((wiki) => this.#serve(wiki, routes))
    this.#first = served[0]!.handler
    if (wikis === undefined) {
      this.#served = served
    } else {
      const desk = this.#openDesk(wikis)
      this.#served = [...served, desk]
      this.#choice = new WikiChoice(
        served.map(({ handler }, n) => ({ handler, ...wikis[n]! })),
        {
          desk: desk.handler,
          log: context.log,
          origins: this.#originsOf(context.config, context.config.port),
        },
      )
    }
    const name = (handler: RequestHandler): string | undefined =>
      wikis === undefined ? undefined : handler.name
    context.metrics.add(() => [
      ...this.#shared.figures(),
      ...this.#served.flatMap(({ handler }): readonly Figure[] => ofWiki(name(handler), handler.figures())),
    ])
  }

  #serve(context: AppContext, routes: readonly Route[]): Served {
    const { wikiName, root, config, store, clock } = context
    // Below a path, a wiki has no routes of the server itself.
    const own = root === '' ? routes : routes.filter((route) => route.root !== 'server')
    const services = openServices(context, own, this.#shared)
    const dispatcher = new Dispatcher(services, own, this.#shared.encoder)
    context.renderings?.keepShells((made) => makeReadyShell(made, dispatcher.settings(), services))
    const wiki = {
      name: wikiName,
      keyPrefix: root === '' ? wikiName : '',
      dispatcher,
      store,
      clock,
      compression: config.compression,
      positionWait: config.log === '' ? undefined : new PositionWait(store, config.positionWaitMs),
    }
    return { handler: new RequestHandler(this.#shared, wiki, this.#originsOf(config, config.port)), config }
  }

  /** Answers requests for the server itself. */
  #openDesk(wikis: readonly AppContext[]): Served {
    const { config, clock } = this.#context
    const desk = {
      name: '',
      keyPrefix: '',
      dispatcher: new Desk(this.#context, wikis, this.#shared),
      // It reads the stores of all wikis as it needs them.
      store: { refresh: () => 0 },
      clock,
      compression: config.compression,
    }
    return { handler: new RequestHandler(this.#shared, desk, this.#originsOf(config, config.port)), config }
  }

  #originsOf(config: AppContext['config'], port: number): Origins {
    return new Origins(config, port, this.#shared.peers)
  }

  /**
   * Listens on the configured address and returns the port. `shared` allows other processes on the same port. Throws a
   * ListenError.
   */
  async listen({ shared = false } = {}): Promise<number> {
    const { config, log } = this.#context
    const { makeDriver, why, isUnsound } = await chooseDriver({ http: config.http, isShared: shared })
    this.#driver = makeDriver({
      get: (response, request) => this.#handleGet(response, request),
      other: (response, request) => this.#handle(response, request),
      connections: (change, peer) => this.#countConnection(change, peer),
    })
    const port = await this.#driver.listen({ host: config.host, port: config.port, isShared: shared })
    log[isUnsound ? 'warn' : 'info'](why)
    for (const { handler, config } of this.#served) handler.adopt(this.#originsOf(config, port))
    return port
  }

  #handleGet(response: NativeResponse, native: NativeRequest): void {
    const path = native.getUrl()
    if (this.#choice === undefined) this.#first.handleGet(response, native, path)
    else this.#choice.pass(response, native, path, (handler) => handler.handleGet(response, native, path))
  }

  #handle(response: NativeResponse, native: NativeRequest): void {
    if (this.#choice === undefined) this.#first.handle(response, native)
    else this.#choice.pass(response, native, native.getUrl(), (handler) => handler.handle(response, native))
  }

  /**
   * Stops listening, waits at most `drainTimeoutMs` for open requests, then closes all connections. Safe to call twice.
   */
  close(drainTimeoutMs: number): Promise<void> {
    this.#shared.writer.endsConnections = true
    this.#shared.writer.endStreams()
    this.#stopped ??= this.#drain(drainTimeoutMs)
    return this.#stopped
  }

  async #drain(drainTimeoutMs: number): Promise<void> {
    const { requests, connections, accessLog } = this.#shared
    if (this.#driver !== undefined) {
      await quietTurn()
      this.#driver.stopListening()
    }
    const endMs = performance.now() + drainTimeoutMs
    await requests.idle(drainTimeoutMs)
    await connections.idle(Math.min(LINGER_MS, drainTimeoutMs))
    // Requests that arrived while the connections closed.
    if (!(await requests.idle(Math.max(0, endMs - performance.now())))) {
      this.#context.log.warn({ requests: requests.count }, 'stopped with requests open')
    }
    this.#driver?.close()
    await accessLog?.close()
  }

  #countConnection(change: number, peer: Peer): void {
    const { connections, peers } = this.#shared
    if (change > 0) {
      connections.add()
      peers.connect(peer)
    } else {
      connections.done()
      peers.disconnect()
    }
  }
}

/**
 * Waits for a quiet turn of the event loop, to its end. By then the server has accepted all connections that the system
 * had ready. Closing the port resets the rest, even when other processes listen on it.
 */
async function quietTurn(): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const startMs = performance.now()
    await new Promise((resolve) => setImmediate(resolve))
    if (performance.now() - startMs < QUIET_MS) return
  }
}
