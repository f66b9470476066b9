/** The parts that a server has for each wiki: its store, its writer, and the work behind its pages. */
import type { Logger } from 'pino'
import { type Config, SettingError } from '../config/config.js'
import { opening, type WikiSettings } from '../config/wikis.js'
import type { AppContext } from '../context.js'
import { contactLacking, userAgentOf } from '../follow/api/etiquette.js'
import { SYSTEM_CLOCK as FOLLOW_CLOCK } from '../follow/api/etiquette.js'
import { UpstreamHtml } from '../follow/html/upstreamHtml.js'
import { type Figure, ofWiki } from '../metrics/figures.js'
import { clusterOptions, openContents, requireLog, watchCopies } from './nodeParts.js'
import { parsoidVersion } from '../render/parsoid/loadPackage.js'
import type { SharedParts } from './sharedParts.js'
import { leaseHolder } from '../storage/lease.js'
import { Store } from '../storage/store.js'
import { mayBeLockedElsewhere, nameHolder, writeLockHolder } from '../storage/writeLock.js'
import { type TakeTurn, Turns } from '../runtime/turns.js'
import { productVersion } from '../runtime/version.js'
import { Renderings } from '../workers/html/renderings.js'
import { renderSettings } from '../workers/html/renderTasks.js'
import { Thumbnails } from '../workers/files/thumbnails.js'
import { PageWalk } from '../workers/pages/pageWalk.js'
import { Writer } from '../workers/writer/writer.js'

const SITE_CHECK_MS = 1000
const READER_CHECK_MS = 60_000
const WAITS_CHECK_MS = 250
/** Of those that the walk over the pages of the store found. */
const FAULTS_LOGGED = 10

/** Settings and store of a wiki, before its other parts are opened. */
export interface OpenedStore {
  readonly settings: WikiSettings
  readonly store: Store
  readonly log: Logger
}

/**
 * Opens the store of a wiki. Throws a StoreError when there is no wiki to serve, and a SettingError when settings do
 * not fit it. The message names the wiki if there are several.
 */
export function openStoreOf(
  settings: WikiSettings,
  serverLog: Logger,
  { onlyReads = false }: { readonly onlyReads?: boolean } = {},
): Promise<OpenedStore> {
  const { name, config } = settings
  const log = name === '' ? serverLog : serverLog.child({ wiki: name })
  return opening(settings, async () => {
    const create = config.anonymousEdits && !onlyReads
    const store = Store.open(config.dataDir, { create, readsApart: true })
    await requireContact(store, config)
    // The server of a node brings the changes; others may read its store beside it.
    if (!onlyReads) await requireLog(store, config)
    tellAboutSearch(store, config, log)
    return { settings, store, log }
  })
}

export class WikiParts {
  readonly context: AppContext
  readonly #upstreamHtml: UpstreamHtml | undefined
  readonly #housekeeping: readonly (NodeJS.Timeout | undefined)[]
  #pageWalk: PageWalk | undefined

  /** `number` is that of the wiki in the lists of the pools. */
  constructor({ settings, store, log }: OpenedStore, number: number, shared: SharedParts) {
    const { name: wikiName, root, config } = settings
    const { clock, metrics } = shared
    const writer = openWriter(store, config, log)
    const facts = { config, store, writer, clock, log }
    this.#upstreamHtml = openUpstreamHtml(facts, shared.takeTurn)
    this.context = Object.freeze({
      ...facts,
      wikiName,
      root,
      pool: shared.pool.of(number),
      renderings: openRenderings(facts, this.#upstreamHtml, shared, number),
      thumbnails: openThumbnails(config, shared),
      fileProcesses: shared.fileProcesses,
      contents: openContents(facts),
      metrics,
    })
    metrics.add(() => ofWiki(wikiName || undefined, this.#figures()))
    this.#housekeeping = [...startHousekeeping(this.context), watchCopies(this.context)]
  }

  /** Starts the writer thread, and renders in the background what edits made stale. */
  warm(): void {
    this.context.writer.start()
    this.context.renderings?.start()
  }

  /** Looks for damaged pages of the store. Resolves at the end of the walk, unless the wiki closes before. */
  walk(): Promise<void> {
    return new Promise((resolve) => (this.#pageWalk ??= openPageWalk(this.context, resolve)))
  }

  /** Closes everything but the store. All wikis can do so at once. */
  async closeWorkers(): Promise<void> {
    const { writer, renderings, contents } = this.context
    for (const timer of this.#housekeeping) clearInterval(timer)
    renderings?.close()
    await this.#pageWalk?.close()
    await contents?.close()
    await this.#upstreamHtml?.close()
    await writer.close()
  }

  #figures(): Figure[] {
    const { store, writer, contents, renderings } = this.context
    const sources = [store, writer, contents, this.#upstreamHtml, renderings]
    return sources.flatMap((source) => source?.figures() ?? [])
  }
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
function openRenderings(
  context: HtmlContext,
  foreign: UpstreamHtml | undefined,
  shared: SharedParts,
  wiki: number,
): Renderings | undefined {
  const { config, log } = context
  if (config.html === 'none') return undefined
  const { renderPools: pools } = shared
  const engineVersion = parsoidVersion()
  if (engineVersion === undefined || pools === undefined) {
    log.warn('the package "parsoid" is not installed: routes that need HTML answer 500')
    return undefined
  }
  return new Renderings({
    ...context,
    ...config,
    pools,
    wiki,
    foreign,
    engineVersion,
    renderSettings: renderSettings(config),
    onTrouble: (error, revisionId) => log.warn({ err: error, revisionId }, 'HTML could not be made or kept'),
  })
}

/** Image processes start at the first request for a thumbnail. */
function openThumbnails(config: Config, { fileProcesses, clock }: SharedParts): Thumbnails {
  const { dataDir, thumbnailCacheBytes } = config
  return new Thumbnails({
    dataDir,
    cacheBytes: thumbnailCacheBytes,
    processes: fileProcesses,
    nowMs: () => clock.nowMs(),
  })
}

/** Looks at all pages of the store's file in the background: a damaged one would end this process when it is read. */
function openPageWalk({ store, config, log }: AppContext, hasEnded: () => void): PageWalk {
  return new PageWalk({
    store,
    onEnd: ({ faults, ranges, rows }) => {
      hasEnded()
      if (faults.length === 0) log.debug({ rows }, 'no page of the store is damaged')
      else
        log.error(
          { faults: faults.slice(0, FAULTS_LOGGED), ranges: ranges.length },
          'pages of the store are damaged, and requests for their rows answer 500: ' +
            `run "palimpsest verify --data-dir ${config.dataDir}", and restore a backup`,
        )
    },
    onThreadError: (error) => {
      hasEnded()
      log.error({ err: error }, 'the walk over the pages of the store failed')
    },
  })
}

/**
 * Takes over site settings that another process wrote, frees reader slots of dead processes in the store, and looks for
 * reads that waited for the disk.
 */
function startHousekeeping({ store, log }: AppContext): NodeJS.Timeout[] {
  const guarded = (task: () => void): (() => void) => {
    let hasFailed = false
    return () => {
      try {
        task()
        hasFailed = false
      } catch (error) {
        if (!hasFailed) log.error({ err: error }, 'housekeeping of the store failed: it is tried again')
        hasFailed = true
      }
    }
  }
  const site = guarded(() => {
    if (store.reloadSite()) log.info('site settings were changed')
  })
  const readers = guarded(() => {
    const freed = store.checkReaders()
    if (freed > 0) log.warn({ freed }, 'freed reader slots of processes that died')
  })
  const waits = (): void => store.coldReads.look(performance.now(), process.resourceUsage().majorPageFault)
  return [
    setInterval(site, SITE_CHECK_MS),
    setInterval(readers, READER_CHECK_MS),
    setInterval(waits, WAITS_CHECK_MS),
  ].map((timer) => timer.unref())
}
