/**
 * Makes the HTML of pages before anybody asks for it. The same render threads as in a server work, and this thread
 * keeps their HTML in batches. A batch holds up the edits of a server only for its own transaction.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { prefixedText } from '../../domain/title.js'
import { toSeconds } from '../../domain/timestamp.js'
import { renderingConfiguration } from '../../render/configuration.js'
import { parsoidVersion } from '../../render/parsoid/loadPackage.js'
import { listPagesToRender } from '../../storage/pagesToRender.js'
import type { Rendering } from '../../storage/html/renderings.js'
import type { Store } from '../../storage/store.js'
import { UserError } from '../../runtime/userError.js'
import { PoolFullError, TaskTimeoutError } from '../hosting/poolErrors.js'
import { LAST_NICENESS } from '../hosting/systemThreads.js'
import { RenderPool, RenderThreadError } from './renderPool.js'
import type { RenderSettings } from './renderTasks.js'

/** HTML in one transaction. */
const BATCH_BYTES = 8 * 2 ** 20
const BATCH_PAGES = 50
/** A kill loses the HTML of this time at most, and of the pages that are being rendered. */
const BATCH_MS = 2000
/** Waits behind busier processes count as little as possible: only processor time fails a page. */
export const MAX_STRETCH = 100
/** A page that changes again and again while it is rendered is left to the server. */
const MAX_ATTEMPTS = 3
const LOAD_PAUSE_MS = 1000

/** HTML cannot be made, or has no room. */
export class RenderAheadError extends UserError {
  override readonly name = 'RenderAheadError'
}

/** A page that has no HTML, and why. */
export interface FailedPage {
  readonly title: string
  readonly reason: string
}

export interface RenderCounts {
  /** Pages to render, when the list was made. */
  total: number
  /** Pages whose HTML this run made. The newest of it is not kept yet. */
  made: number
  /** Pages that need none any more: somebody else made it, or they are gone. */
  skipped: number
  failed: number
  /** Pages that changed while they were rendered, each time. */
  changed: number
  /** Size of the HTML, before the store packs parts of it. */
  bytes: number
}

export interface RenderAheadOptions {
  readonly store: Store
  readonly dataDir: string
  readonly renderSettings: RenderSettings
  readonly threads: number
  /** Processor time for a page. */
  readonly timeoutMs: number
  /** Most bytes of HTML in the store. */
  readonly maxBytes: number
  /** Undefined: all. */
  readonly namespaces?: ReadonlySet<number> | undefined
  /** Most pages to render. */
  readonly limit?: number | undefined
  /** No page begins while the load is above this. */
  readonly maxLoad?: number | undefined
  /** The load of the machine; replaced in tests. */
  readonly load: () => number
  readonly nowMs: () => number
  /** Ends the work between two pages. HTML that is ready is kept. */
  readonly signal: AbortSignal
  /** Called with the counts, which change later, after each page. */
  readonly onProgress?: (counts: Readonly<RenderCounts>) => void
  readonly onFailure?: (page: FailedPage) => void
  readonly onNote?: (note: string) => void
}

/** A pool for commands, whose pages may wait as long as they like. */
export function patientPool({
  dataDir,
  renderSettings,
  threads,
  timeoutMs,
}: Pick<RenderAheadOptions, 'dataDir' | 'renderSettings' | 'threads' | 'timeoutMs'>): RenderPool {
  return new RenderPool({
    name: 'render',
    wikis: [{ dataDir, renderSettings }],
    threads,
    maxWaitMs: timeoutMs * MAX_STRETCH,
    maxStretch: MAX_STRETCH,
    niceness: LAST_NICENESS,
    // A page that breaks its thread is reported as failed.
    onThreadError: () => undefined,
  })
}

/**
 * Makes all missing HTML of latest revisions. Throws a RenderAheadError before HTML in the store would be dropped for
 * its size. HTML that was made until then is kept.
 */
export async function renderAhead(options: RenderAheadOptions): Promise<RenderCounts> {
  const engineVersion = parsoidVersion()
  if (engineVersion === undefined) throw new RenderAheadError('the package "parsoid" is not installed')
  const pool = patientPool(options)
  try {
    return await new RenderRun(options, pool, engineVersion).run()
  } finally {
    await pool.close()
  }
}

class RenderRun {
  readonly #options: RenderAheadOptions
  readonly #pool: RenderPool
  readonly #engineVersion: string
  readonly #counts: RenderCounts = { total: 0, made: 0, skipped: 0, failed: 0, changed: 0, bytes: 0 }
  readonly #attempts = new Map<number, number>()
  #configuration: Uint8Array
  /** Pages to render, in order, then those that have changed meanwhile. */
  #pages: Uint32Array | readonly number[] = []
  #again: number[] = []
  #next = 0
  #batch: { readonly pageId: number; readonly rendering: Rendering }[] = []
  #batchBytes = 0
  #batchSinceMs = 0
  /** Ends all loops after the first error. */
  #hasFailed = false

  constructor(options: RenderAheadOptions, pool: RenderPool, engineVersion: string) {
    this.#options = options
    this.#pool = pool
    this.#engineVersion = engineVersion
    this.#configuration = this.#currentConfiguration()
  }

  async run(): Promise<RenderCounts> {
    const { store, namespaces, signal, limit } = this.#options
    store.refresh()
    const query = { configuration: this.#configuration, namespaces, nowSeconds: this.#nowSeconds(), signal }
    const pages = await listPagesToRender(store, query)
    this.#pages = pages.subarray(0, limit)
    this.#counts.total = this.#pages.length
    this.#noteOtherSettings()
    do {
      await this.#renderAll()
      ;[this.#pages, this.#again, this.#next] = [this.#again, [], 0]
    } while (this.#pages.length > 0 && !signal.aborted)
    return this.#counts
  }

  async #renderAll(): Promise<void> {
    const { threads, signal } = this.#options
    const onAbort = (): void => void this.#pool.close()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      await Promise.all(Array.from({ length: threads }, () => this.#renderSome()))
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#keepBatch()
    }
  }

  /** One thread's share of the work. */
  async #renderSome(): Promise<void> {
    try {
      while (!this.#isStopped() && this.#next < this.#pages.length) {
        const pageId = this.#pages[this.#next++]!
        await this.#waitForLoad()
        if (this.#isStopped()) return
        await this.#renderPage(pageId)
        this.#options.onProgress?.(this.#counts)
      }
    } catch (error) {
      this.#hasFailed = true
      throw error
    }
  }

  #isStopped(): boolean {
    return this.#hasFailed || this.#options.signal.aborted
  }

  async #renderPage(pageId: number): Promise<void> {
    const { store, timeoutMs, nowMs } = this.#options
    store.refresh()
    const page = store.getPageById(pageId)
    if (page === undefined || !this.#needsRendering(page.latestId)) {
      this.#counts.skipped++
      return
    }
    const job = { task: 'page', revisionId: page.latestId, nowMs: nowMs() } as const
    try {
      const outcome = await this.#pool.run(job, timeoutMs)
      if (outcome.result === 'rendering') this.#take(pageId, outcome.rendering)
      else if (outcome.result === 'limit' || outcome.result === 'failed') this.#fail(pageId, outcome.reason)
      else this.#counts.skipped++
    } catch (error) {
      if (this.#isStopped()) return
      this.#noteError(pageId, error)
    }
  }

  /** Counts an error as one of its page, or throws it. */
  #noteError(pageId: number, error: unknown): void {
    if (error instanceof TaskTimeoutError) {
      if (error.isOverrun) this.#fail(pageId, error.message)
      else this.#tryAgain(pageId)
    } else if (error instanceof RenderThreadError) this.#fail(pageId, error.message)
    else if (error instanceof PoolFullError)
      throw new RenderAheadError('no render thread can be started', { cause: error })
    else throw error
  }

  #take(pageId: number, rendering: Rendering): void {
    if (this.#batch.length === 0) this.#batchSinceMs = performance.now()
    this.#batch.push({ pageId, rendering })
    this.#batchBytes += sizeOf(rendering)
    this.#counts.made++
    this.#counts.bytes += sizeOf(rendering)
    const isOld = performance.now() - this.#batchSinceMs >= BATCH_MS
    if (isOld || this.#batchBytes >= BATCH_BYTES || this.#batch.length >= BATCH_PAGES) this.#keepBatch()
  }

  #keepBatch(): void {
    const batch = this.#batch
    if (batch.length === 0) return
    const { store, maxBytes } = this.#options
    this.#requireRoom()
    const kept = store.html.keepAll(
      batch.map(({ rendering }) => rendering),
      maxBytes,
    )
    for (const [n, { pageId, rendering }] of batch.entries()) {
      if (kept[n]) continue
      this.#counts.made--
      this.#counts.bytes -= sizeOf(rendering)
      this.#tryAgain(pageId)
    }
    this.#batch = []
    this.#batchBytes = 0
    if (store.reloadSite()) this.#configuration = this.#currentConfiguration()
  }

  /** Throws a RenderAheadError if the next batch would drop older HTML. */
  #requireRoom(): void {
    const { store, maxBytes } = this.#options
    const { bytes } = store.html.totals()
    if (bytes + this.#batchBytes <= maxBytes) return
    const { made, total } = this.#counts
    const kept = made - this.#batch.length
    this.#batch = []
    throw new RenderAheadError(
      `the HTML of ${kept} of ${total} pages was made, and more would not fit into --html-cache-bytes ` +
        `(${maxBytes}): all pages need about ${this.#neededBytes(bytes)}, for the server too`,
    )
  }

  /** Room for all HTML, by the sizes so far. */
  #neededBytes(present: number): number {
    const { bytes, made, failed, skipped, total } = this.#counts
    const left = Math.max(0, total - made - failed - skipped)
    return Math.ceil(present + this.#batchBytes + (bytes / made) * left)
  }

  #tryAgain(pageId: number): void {
    const attempts = (this.#attempts.get(pageId) ?? 1) + 1
    this.#attempts.set(pageId, attempts)
    if (attempts <= MAX_ATTEMPTS) this.#again.push(pageId)
    else this.#counts.changed++
  }

  #fail(pageId: number, reason: string): void {
    const { store, onFailure } = this.#options
    const page = store.getPageById(pageId)
    this.#counts.failed++
    const title = page === undefined ? `page ${pageId}` : prefixedText(page, store.namespaces())
    onFailure?.({ title, reason })
  }

  async #waitForLoad(): Promise<void> {
    const { maxLoad, load, signal } = this.#options
    while (maxLoad !== undefined && load() > maxLoad && !this.#isStopped()) {
      // What is ready must not wait for the load to fall.
      this.#keepBatch()
      await sleep(LOAD_PAUSE_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  #needsRendering(revisionId: number): boolean {
    return this.#options.store.html.isMissing(revisionId, this.#configuration, this.#nowSeconds())
  }

  /** HTML that a server made with other settings is of no use to this run, nor its HTML to the server. */
  #noteOtherSettings(): void {
    const { store, onNote } = this.#options
    const newest = store.html.newestConfiguration()
    if (newest === undefined || Buffer.compare(newest, this.#configuration) === 0) return
    onNote?.(
      'the newest HTML in the store was made with other settings: this command needs those of the server',
    )
  }

  #currentConfiguration(): Uint8Array {
    const { store, renderSettings } = this.#options
    return renderingConfiguration(store.site(), this.#engineVersion, renderSettings)
  }

  #nowSeconds(): number {
    return toSeconds(this.#options.nowMs())
  }
}

/** At most the size that the store counts for it. */
const sizeOf = ({ packedHtml, outline, languageMenu, bundle }: Rendering): number =>
  packedHtml.length + outline.length + (languageMenu?.packed.length ?? 0) + bundle.length
