/** Composition root: opens what a server needs, in order, and closes it in reverse. */
import type { DestinationStream, Logger } from 'pino'
import type { Config } from '../config/config.js'
import { hasNamedWikis, wikisOf } from '../config/wikis.js'
import type { AppContext, Clock } from '../context.js'
import { routes } from '../http/endpoints/index.js'
import { loadSdk } from '../http/mcp/mcpServer.js'
import { mcpRoutes } from '../http/mcp/route.js'
import { readerRoutes } from '../http/reader/routes.js'
import type { Route } from '../http/routing/route.js'
import { HttpServer } from '../http/socket/server.js'
import { openServerLog } from './logger.js'
import { type AskAllProcesses, Metrics } from '../metrics/metrics.js'
import { ProcessFigures } from '../metrics/processFigures.js'
import { SharedParts } from './sharedParts.js'
import type { TakeTurn } from '../runtime/turns.js'
import { productVersion } from '../runtime/version.js'
import { type OpenedStore, openStoreOf, WikiParts } from './wikiParts.js'
import { warmSearches } from '../workers/compute/searchWarmUp.js'
import { giveRealTimePriority } from '../workers/hosting/systemThreads.js'

export { ListenError } from '../http/socket/driver.js'

const SYSTEM_CLOCK: Clock = { nowMs: () => Date.now() }

export interface AppOptions {
  /** Destination of log lines; standard error by default. */
  readonly logTo?: DestinationStream
  readonly clock?: Clock
  /**
   * Number of this server process, from 1, when several share the port. Its log lines carry the number. Absent: one
   * process has the port to itself.
   */
  readonly processNumber?: number
  /** Collects the figures of all server processes. */
  readonly askAllProcesses?: AskAllProcesses
  /** Turns of all server processes at the followed wikis. */
  readonly takeTurn?: TakeTurn
}

/** What a server has besides its wikis. */
interface Parts {
  readonly config: Config
  readonly shared: SharedParts
  readonly ownFigures: ProcessFigures
}

/** Stores and pools of all wikis, for a program that may listen or not. */
export class OpenedWikis {
  readonly wikis: readonly WikiParts[]
  readonly parts: Parts

  private constructor(wikis: readonly WikiParts[], parts: Parts) {
    this.wikis = wikis
    this.parts = parts
  }

  /** The contexts of all wikis, in the order of the settings. */
  get contexts(): readonly AppContext[] {
    return this.wikis.map(({ context }) => context)
  }

  /** Throws the errors of `App.open` for settings and stores. Closes everything again before it throws. */
  static async open(
    config: Config,
    options: AppOptions & { readonly onlyReads?: boolean } = {},
  ): Promise<OpenedWikis> {
    const { logTo, clock = SYSTEM_CLOCK, processNumber, takeTurn } = options
    const { log, figures: logFigures } = openServerLog(config, processNumber, logTo)
    const settings = wikisOf(config)
    const stores: OpenedStore[] = []
    const wikis: WikiParts[] = []
    let parts: Parts | undefined
    try {
      for (const wiki of settings) stores.push(await openStoreOf(wiki, log, options))
      const metrics = new Metrics(processNumber, options.askAllProcesses)
      const ownFigures = new ProcessFigures(productVersion())
      metrics.add(() => [...ownFigures.figures(), ...logFigures()])
      const shared = new SharedParts({ config, wikis: settings, clock, log, metrics, takeTurn })
      parts = { config, shared, ownFigures }
      for (const [number, store] of stores.entries()) wikis.push(new WikiParts(store, number, shared))
      return new OpenedWikis(wikis, parts)
    } catch (error) {
      await closeParts(wikis, parts)
      for (const { store } of stores) await store.close()
      throw error
    }
  }

  async close(): Promise<void> {
    await closeParts(this.wikis, this.parts)
    for (const { store } of this.contexts) await store.close()
  }
}

/** A running server. */
export class App {
  /** The port it listens on. When the settings leave the choice to the system (port 0), this is the port it chose. */
  readonly port: number
  readonly #opened: OpenedWikis
  readonly #server: HttpServer
  readonly #startedMs: number
  #isClosing = false
  #closed: Promise<void> | undefined

  private constructor(opened: OpenedWikis, server: HttpServer, port: number) {
    this.#opened = opened
    this.port = port
    this.#server = server
    this.#startedMs = opened.parts.shared.clock.nowMs()
  }

  /** The context of the first wiki, which is mostly the only one. */
  get context(): AppContext {
    return this.#opened.wikis[0]!.context
  }

  /** The contexts of all wikis, in the order of the settings. */
  get contexts(): readonly AppContext[] {
    return this.#opened.contexts
  }

  get log(): Logger {
    return this.#opened.parts.shared.log
  }

  /**
   * Opens the stores and the pools, and listens. Throws a StoreError when there is no wiki to serve, a SettingError
   * when settings do not fit it, and a ListenError when the server cannot listen on the port. One such wiki is enough.
   * Closes everything again before it throws.
   */
  static async open(config: Config, options: AppOptions = {}): Promise<App> {
    const opened = await OpenedWikis.open(config, options)
    try {
      const server = openServer(opened, config.mcp ? mcpRoutes(await loadSdk()) : [])
      const port = await server.listen({ shared: options.processNumber !== undefined })
      return new App(opened, server, port)
    } catch (error) {
      await opened.close()
      throw error
    }
  }

  /**
   * Starts the threads, so that no request waits for them. Starts work in the background: warms up searches, renders
   * what edits made stale, and looks for damaged pages of the stores.
   */
  warm(): void {
    if (this.#opened.parts.config.realTime) void this.#runFirst()
    this.#opened.parts.shared.pool.start()
    void this.#warmSearches()
    for (const wiki of this.#opened.wikis) wiki.warm()
    void this.#walk()
  }

  async #runFirst(): Promise<void> {
    try {
      await giveRealTimePriority(process.pid)
    } catch (error) {
      this.log.warn({ err: error }, 'no real-time priority for the event loop: it runs like other threads')
    }
  }

  async #warmSearches(): Promise<void> {
    const pool = this.#opened.parts.shared.pool.of(0)
    try {
      await warmSearches(pool, this.context.store.search, () => this.#isClosing)
    } catch (error) {
      // A server that closes ends the tasks.
      if (!this.#isClosing) this.log.warn({ err: error }, 'the first searches will be slow')
    }
  }

  /** One store after the other, since each walk reads a whole file. */
  async #walk(): Promise<void> {
    for (const wiki of this.#opened.wikis) if (!this.#isClosing) await wiki.walk()
  }

  /**
   * Waits for open requests at most as long as given, then closes connections, workers and stores. Safe to call twice.
   */
  close(drainTimeoutMs = this.#opened.parts.config.drainTimeoutMs): Promise<void> {
    this.#closed ??= this.#close(drainTimeoutMs)
    return this.#closed
  }

  async #close(drainTimeoutMs: number): Promise<void> {
    const { clock, log } = this.#opened.parts.shared
    this.#isClosing = true
    await this.#server.close(drainTimeoutMs)
    await this.#opened.close()
    log.info({ ranMs: clock.nowMs() - this.#startedMs }, 'stopped')
  }
}

function openServer(
  { contexts, parts: { config, shared } }: OpenedWikis,
  further: readonly Route[],
): HttpServer {
  const offered = [...routes, ...(config.reader ? readerRoutes : []), ...further]
  if (!hasNamedWikis(config)) return new HttpServer(contexts[0]!, offered)
  const { pool, clock, log, metrics } = shared
  return new HttpServer({ config, pool, clock, log, metrics }, offered, contexts)
}

/** Closes all workers at once. */
async function closeParts(wikis: readonly WikiParts[], parts: Parts | undefined): Promise<void> {
  parts?.ownFigures.close()
  await Promise.all([parts?.shared.close(), ...wikis.map((wiki) => wiki.closeWorkers())])
}
