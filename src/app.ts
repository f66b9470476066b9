/** Composition root: opens what a server needs, in order, and closes it in reverse. */
import type { DestinationStream, Logger } from 'pino'
import { type Config, SettingError, threadCounts } from './config/config.js'
import type { AppContext, Clock } from './context.js'
import { contactLacking, userAgentOf } from './follow/api/contact.js'
import { SYSTEM_CLOCK as FOLLOW_CLOCK } from './follow/clock.js'
import { UpstreamHtml } from './follow/html/upstreamHtml.js'
import { routes } from './http/endpoints/index.js'
import { readerRoutes } from './http/reader/index.js'
import { HttpServer } from './http/socket/server.js'
import { openLog } from './logger.js'
import type { Figure } from './metrics/figures.js'
import { type AskAllProcesses, Metrics } from './metrics/metrics.js'
import { ProcessFigures } from './metrics/processFigures.js'
import { clusterOptions, openContents, requireLog, watchCopies } from './nodeParts.js'
import { parsoidVersion } from './render/parsoid/loadPackage.js'
import { leaseHolder } from './storage/lease.js'
import { Store } from './storage/store.js'
import { mayBeLockedElsewhere, nameHolder, writeLockHolder } from './storage/writeLock.js'
import { type TakeTurn, Turns } from './turns.js'
import { ComputePool } from './workers/compute/pool.js'
import { readThaiDictionary } from './workers/compute/thaiDictionaryFile.js'
import { Renderings } from './workers/html/renderings.js'
import { renderSettings } from './workers/html/renderSettings.js'
import { Thumbnails } from './workers/files/thumbnails.js'
import { PageWalk } from './workers/pages/pageWalk.js'
import { Writer } from './workers/writer/writer.js'
import { productVersion } from './version.js'

export { ListenError } from './http/socket/driver.js'

const SITE_CHECK_MS = 1000
const READER_CHECK_MS = 60_000
/** Of those that the walk over the pages of the store found. */
const FAULTS_LOGGED = 10

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
  /** Turns of all server processes at the followed wiki. */
  readonly takeTurn?: TakeTurn
}

/** What a server has besides its context. */
interface Parts {
  readonly server: HttpServer
  readonly ownFigures: ProcessFigures
  readonly upstreamHtml: UpstreamHtml | undefined
}

/** A running server. */
export class App {
  readonly context: AppContext
  /** The port it listens on. When the settings leave the choice to the system (port 0), this is the port it chose. */
  readonly port: number
  readonly #server: HttpServer
  readonly #ownFigures: ProcessFigures
  readonly #upstreamHtml: UpstreamHtml | undefined
  readonly #housekeeping: readonly (NodeJS.Timeout | undefined)[]
  readonly #startedMs: number
  #pageWalk: PageWalk | undefined
  #closed: Promise<void> | undefined

  private constructor(context: AppContext, parts: Parts, port: number) {
    this.context = context
    this.#ownFigures = parts.ownFigures
    this.port = port
    this.#server = parts.server
    this.#upstreamHtml = parts.upstreamHtml
    this.#startedMs = context.clock.nowMs()
    this.#housekeeping = [...startHousekeeping(context), watchCopies(context)]
  }

  /**
   * Opens the store and the pool, and listens. Throws a StoreError when there is no wiki to serve, a SettingError when
   * settings do not fit it, and a ListenError when the server cannot listen on the port. Closes everything again before
   * it throws.
   */
  static async open(config: Config, options: AppOptions = {}): Promise<App> {
    const { logTo, clock = SYSTEM_CLOCK, processNumber } = options
    const log = openLog(config, processNumber, logTo)
    const store = Store.open(config.dataDir, { create: config.anonymousEdits })
    await requireContact(store, config)
    await requireLog(store, config)
    tellAboutSearch(store, config, log)
    const pool = openPool(config, log)
    const writer = openWriter(store, config, log)
    const thumbnails = openThumbnails(config, clock)
    const contents = openContents({ config, store, writer, clock, log })
    const metrics = new Metrics(processNumber, options.askAllProcesses)
    const ownFigures = new ProcessFigures(productVersion())
    const upstreamHtml = openUpstreamHtml({ config, store, writer, clock, log }, options.takeTurn)
    const renderings = openRenderings({ config, store, writer, clock, log }, upstreamHtml)
    addFigures(metrics, [ownFigures, store, pool, writer, contents, upstreamHtml, renderings])
    const context: AppContext = Object.freeze({
      config,
      store,
      pool,
      writer,
      renderings,
      thumbnails,
      contents,
      clock,
      log,
      metrics,
    })
    try {
      const server = new HttpServer(context, config.reader ? [...routes, ...readerRoutes] : routes)
      const port = await server.listen({ shared: processNumber !== undefined })
      return new App(context, { server, ownFigures, upstreamHtml }, port)
    } catch (error) {
      ownFigures.close()
      await closeWorkers(context, upstreamHtml)
      await store.close()
      throw error
    }
  }

  /** Starts work in the background: renders what edits made stale, and looks for damaged pages of the store. */
  warm(): void {
    this.context.renderings?.start()
    this.#pageWalk ??= openPageWalk(this.context)
  }

  /**
   * Waits for open requests at most as long as given, then closes connections, workers and store. Safe to call twice.
   */
  close(drainTimeoutMs = this.context.config.drainTimeoutMs): Promise<void> {
    this.#closed ??= this.#close(drainTimeoutMs)
    return this.#closed
  }

  async #close(drainTimeoutMs: number): Promise<void> {
    const { store, clock, log } = this.context
    for (const timer of this.#housekeeping) clearInterval(timer)
    this.#ownFigures.close()
    await this.#server.close(drainTimeoutMs)
    await this.#pageWalk?.close()
    await closeWorkers(this.context, this.#upstreamHtml)
    await store.close()
    log.info({ ranMs: clock.nowMs() - this.#startedMs }, 'stopped')
  }
}

function addFigures(metrics: Metrics, sources: readonly ({ figures(): Figure[] } | undefined)[]): void {
  for (const source of sources) if (source !== undefined) metrics.add(() => source.figures())
}

/** Closes all workers at once: a starting thread can end only after it has loaded its native code. */
async function closeWorkers(
  { pool, writer, renderings, thumbnails, contents }: AppContext,
  upstreamHtml: UpstreamHtml | undefined,
): Promise<void> {
  thumbnails.close()
  await contents?.close()
  await upstreamHtml?.close()
  await Promise.all([renderings?.close(), writer.close(), pool.close()])
}

/** Tells the operator what to do when search misses some pages or does not work. The server serves everything else. */
function tellAboutSearch({ search }: Store, { dataDir }: Config, log: Logger): void {
  const condition = search.condition()
  const command = `palimpsest reindex --data-dir ${dataDir}`
  if (condition !== 'ready') log.warn({ condition }, `the search index cannot be used: run "${command}"`)
  else if (search.countQueued() > 0) log.warn(`some pages are not found yet: run "${command} --missing"`)
  if (search.isRebuilt())
    log.info(`the search index is being rebuilt, or that was interrupted: "${command}" begins again`)
}

function openPool(config: Config, log: Logger): ComputePool {
  const { dataDir, taskTimeoutMs } = config
  const onThreadError = (error: Error): void => log.error({ err: error }, 'a compute thread failed')
  const thai = readThaiDictionary(config.thaiDictionary)
  if (thai.fault !== undefined) log.warn(`${thai.fault}: ICU cuts the words of Thai texts instead`)
  return ComputePool.open({
    dataDir,
    renderSettings: renderSettings(config),
    thaiDictionary: thai.bytes,
    threads: threadCounts(config).compute,
    taskTimeoutMs,
    onThreadError,
  })
}

function openWriter(store: Store, config: Config, log: Logger): Writer {
  const { dataDir, writeTimeoutMs } = config
  const onThreadError = (error: Error): void => log.error({ err: error }, 'the writer thread failed')
  const onDropFailure = (error: Error): void =>
    log.error({ err: error }, 'outdated HTML cannot be dropped from the store: it is tried again')
  const onEraseFailure = (error: Error): void =>
    log.error({ err: error }, 'erased words are still in the log or the file: it is tried again')
  const onStuck = (): void => {
    // News of the cluster tell why.
    if (config.log !== '') return
    const importer = leaseHolder(store)?.pid
    log.error(
      { importer },
      `edits wait for the write lock of the store, which ${nameHolder(writeLockHolder(store.path))} holds`,
    )
  }
  const isLockedElsewhere = (): boolean => mayBeLockedElsewhere(store.path)
  return new Writer({
    dataDir,
    timeoutMs: writeTimeoutMs,
    isLockedElsewhere,
    onStuck,
    onThreadError,
    onDropFailure,
    onEraseFailure,
    ...(config.log !== '' && clusterOptions(config.log, log)),
  })
}

type HtmlContext = Pick<AppContext, 'config' | 'store' | 'writer' | 'clock' | 'log'>

/** Closes the store, and throws a SettingError, if the followed wiki asks for the operator's address. */
async function requireContact(store: Store, { html, upstreamContact }: Config): Promise<void> {
  const url = html === 'upstream' ? store.mirror.place()?.url : undefined
  const lacking = url === undefined ? undefined : contactLacking(url, upstreamContact)
  if (lacking === undefined) return
  await store.close()
  throw new SettingError(`upstreamContact: ${lacking}: give --upstream-contact with a mail address or a URL`)
}

/** Undefined unless the settings ask for the HTML of the followed wiki. */
function openUpstreamHtml(
  { config, store, writer, clock, log }: HtmlContext,
  takeTurn: TakeTurn | undefined,
): UpstreamHtml | undefined {
  if (config.html !== 'upstream') return undefined
  const { upstreamContact, upstreamWaitMs } = config
  const url = store.mirror.place()?.url
  if (url === undefined) log.warn('the store follows no wiki yet: all HTML is made here until it does')
  const lacking = url === undefined ? undefined : contactLacking(url, upstreamContact)
  if (lacking !== undefined)
    throw new SettingError(
      `upstreamContact: ${lacking}: give --upstream-contact with a mail address or a URL`,
    )
  const turns = new Turns()
  return new UpstreamHtml({
    store,
    userAgent: userAgentOf(productVersion(), upstreamContact),
    takeTurn: takeTurn ?? (() => turns.take()),
    keep: (html) => writer.keepImported(html),
    clock: FOLLOW_CLOCK,
    nowMs: () => clock.nowMs(),
    waitMs: upstreamWaitMs,
    onFault: (error, revisionId) =>
      log.warn({ err: error, revisionId }, 'no HTML from the followed wiki: the page is rendered here'),
  })
}

/** Undefined when the settings turn HTML off, or when the package "parsoid" is not installed. */
function openRenderings(context: HtmlContext, foreign: UpstreamHtml | undefined): Renderings | undefined {
  const { config, log } = context
  if (config.html === 'none') return undefined
  const engineVersion = parsoidVersion()
  if (engineVersion === undefined) {
    log.warn('the package "parsoid" is not installed: routes that need HTML answer 500')
    return undefined
  }
  return Renderings.open({
    ...context,
    ...config,
    foreign,
    engineVersion,
    renderThreads: threadCounts(config).render,
    renderSettings: renderSettings(config),
    onTrouble: (error, revisionId) => log.warn({ err: error, revisionId }, 'HTML could not be made or kept'),
    onThreadError: (error) => log.error({ err: error }, 'a render thread failed'),
  })
}

/** Image processes start at the first request for a thumbnail. */
function openThumbnails(config: Config, clock: Clock): Thumbnails {
  const { dataDir, thumbnailCacheBytes, thumbnailProcesses, thumbnailTimeoutMs } = config
  return new Thumbnails({
    dataDir,
    cacheBytes: thumbnailCacheBytes,
    processes: thumbnailProcesses,
    timeoutMs: thumbnailTimeoutMs,
    nowMs: () => clock.nowMs(),
  })
}

/** Looks at all pages of the store's file in the background: a damaged one would end this process when it is read. */
function openPageWalk({ store, config, log }: AppContext): PageWalk {
  return new PageWalk({
    store,
    onEnd: ({ faults, ranges, rows }) => {
      if (faults.length === 0) log.debug({ rows }, 'no page of the store is damaged')
      else
        log.error(
          { faults: faults.slice(0, FAULTS_LOGGED), ranges: ranges.length },
          'pages of the store are damaged, and requests for their rows answer 500: ' +
            `run "palimpsest verify --data-dir ${config.dataDir}", and restore a backup`,
        )
    },
    onThreadError: (error) => log.error({ err: error }, 'the walk over the pages of the store failed'),
  })
}

/** Takes over site settings that another process wrote, and frees reader slots of dead processes in the store. */
function startHousekeeping({ store, log }: AppContext): NodeJS.Timeout[] {
  const guarded = (task: () => void) => () => {
    try {
      task()
    } catch (error) {
      log.error({ err: error }, 'housekeeping of the store failed')
    }
  }
  const site = guarded(() => {
    if (store.reloadSite()) log.info('site settings were changed')
  })
  const readers = guarded(() => {
    const freed = store.checkReaders()
    if (freed > 0) log.warn({ freed }, 'freed reader slots of processes that died')
  })
  return [setInterval(site, SITE_CHECK_MS), setInterval(readers, READER_CHECK_MS)].map((timer) =>
    timer.unref(),
  )
}
