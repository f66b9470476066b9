/**
 * HTML of revisions, taken from the store, or made by the render pool and then kept. Simultaneous requests for the same
 * HTML wait for one job. A failed revision is not tried again for a while.
 */
import { renderingConfiguration } from '../../render/configuration.js'
import { numberOfVersion } from '../../domain/html.js'
import type { Site } from '../../domain/site.js'
import { counter, type Figure, gauge, sharedGauge } from '../../metrics/figures.js'
import { ownPart } from '../../storage/html/packedHtml.js'
import type { ReadyMenu, RenderingRow } from '../../storage/html/renderingRow.js'
import type { Rendering } from '../../storage/html/renderings.js'
import type { Store } from '../../storage/store.js'
import { PoolFullError, TaskTimeoutError } from '../hosting/poolErrors.js'
import { HEAP_MB } from '../hosting/heapLimits.js'
import { type JobOwner, RenderThreadError } from './renderPool.js'
import type { RenderPools } from './renderPools.js'
import type { RenderJob, RenderSettings } from './renderTasks.js'
import { Failures, RenderError } from './failures.js'
import { type ShellMaker, Shells } from './shells.js'
import type { Writer } from '../writer/writer.js'

/** HTML of the followed wiki, for pages whose HTML is to be made. */
export interface ForeignHtml {
  /** Waits, for a bounded time, until the store has the wiki's HTML of a revision. */
  prepare(revisionId: number): Promise<void>
  /** The store has HTML of our own, which that of the wiki may replace. Called for each request that finds some. */
  offer(revisionId: number): void
  /** The HTML could not be used. */
  refuse(revisionId: number): void
}

const BACKGROUND_MS = 1000

/** The revision does not exist, or its text is hidden. */
export class RevisionGoneError extends Error {
  override readonly name = 'RevisionGoneError'
}

/** HTML from another server was changed, and cannot be converted back to wikitext. */
export class ImportedHtmlError extends Error {
  override readonly name = 'ImportedHtmlError'
}

export interface MadeHtml {
  /** Parts of `packedHtml.ts`. */
  readonly packedHtml: Uint8Array
  /** As `encodeOutline` makes it. */
  readonly outline: Uint8Array
  readonly languageMenu: ReadyMenu | undefined
  /** 32 hex digits: equal for equal HTML. */
  readonly tag: string
  /** Seconds since 1970 (UTC). */
  readonly madeAt: number
  /** Version of HTML from outside, as `numberOfVersion` gives it. 0 for our own. */
  readonly version: number
}

/** A job for the pool without its time, which `convert` adds. */
export type Conversion = WithoutTime<Exclude<RenderJob, { task: 'page' }>>
type WithoutTime<Job> = Job extends RenderJob ? Omit<Job, 'nowMs'> : never

export interface RenderingsOptions {
  readonly store: Store
  readonly pools: RenderPools
  /** Number of the wiki in the list of the pools; the first by default. */
  readonly wiki?: number
  readonly writer: Pick<Writer, 'keepRendering' | 'keepShell' | 'takeQueuedRenderings' | 'dropImported'>
  /** Absent: all HTML is made here, or imported by commands. */
  readonly foreign?: ForeignHtml | undefined
  readonly clock: { nowMs(): number }
  readonly engineVersion: string
  readonly renderSettings: RenderSettings
  readonly renderTimeoutMs: number
  readonly convertTimeoutMs: number
  readonly htmlCacheBytes: number
  /** Called with HTML that could not be kept, and with pages that fail. */
  readonly onTrouble: (error: unknown, revisionId: number) => void
}

/** HTML that a thread is making, or that the writer is about to keep. */
interface UnderWay {
  /** The store's generation at the beginning. The HTML may lack later changes. */
  readonly generation: number
  readonly made: Promise<MadeHtml>
  /** Resolves when the HTML was kept, was refused, or could not be made. */
  readonly ended: Promise<void>
  /** Shared by all requests that came after a later write. */
  next?: Promise<MadeHtml>
}

export class Renderings {
  readonly #options: RenderingsOptions
  readonly #pools: RenderPools
  /** For renderings in the background, for which a wiki counts as a client. */
  readonly #owner: Required<JobOwner>
  readonly #underWay = new Map<number, UnderWay>()
  readonly #failures: Failures
  readonly #shells: Shells
  #site: Site | undefined
  #configuration: Uint8Array = new Uint8Array(8)
  #background: NodeJS.Timeout | undefined
  #isBusy = false
  /** Requests that found kept HTML, requests that did not, and renderings of pages that have begun. */
  #hits = 0
  #misses = 0
  #made = 0

  /** `start` starts the threads for pages; those for conversions start when they are first needed. */
  constructor(options: RenderingsOptions) {
    this.#options = options
    this.#pools = options.pools
    this.#owner = { wiki: options.wiki ?? 0, client: `wiki ${options.wiki ?? 0}` }
    this.#failures = new Failures(options.clock)
    this.#shells = new Shells(options, (revisionId) => this.#kept(revisionId))
  }

  /** From now on, `shellOf` makes the shells to keep with HTML. It takes a part of a millisecond. */
  keepShells(shellOf: ShellMaker): void {
    this.#shells.shellOf = shellOf
  }

  /** Makes the shell of kept HTML again, in the background. */
  renewShell(revisionId: number): void {
    this.#shells.renew(revisionId)
  }

  /** Makes the shells that `renewShell` asked for. */
  renewShells(): Promise<void> {
    return this.#shells.renewSome()
  }

  /** Keeps threads ready from the first job on, and remakes HTML in the background that edits have dropped. */
  start(): void {
    this.#pools.pages.stayReady()
    this.#background ??= setInterval(() => {
      void this.renderQueued()
      void this.renewShells()
    }, BACKGROUND_MS).unref()
  }

  /** Kept HTML that is still valid. Use its bytes in the same tick, before any other read. */
  find(revisionId: number): RenderingRow | undefined {
    const row = this.#kept(revisionId)
    if (row === undefined) return undefined
    this.#hits++
    if (row.version === 0) this.#options.foreign?.offer(revisionId)
    return row
  }

  #kept(revisionId: number): RenderingRow | undefined {
    const { store, clock } = this.#options
    const row = store.html.get(revisionId, this.#currentConfiguration())
    if (row === undefined || row.expiresAt === 0) return row
    return row.expiresAt * 1000 > clock.nowMs() ? row : undefined
  }

  /**
   * Makes the HTML of a revision for a client, which `addressKey` names. Throws a RenderError if that fails or
   * has failed lately, and a RevisionGoneError.
   * Throws a PoolFullError or TaskTimeoutError if no thread is available.
   */
  make(revisionId: number, client = this.#owner.client): Promise<MadeHtml> {
    this.#misses++
    return this.#makeOnce(revisionId, client)
  }

  /**
   * Makes HTML once for all simultaneous requests. Requests after a later write wait for the job under way. If its HTML
   * was kept, it is still valid and they get it. Otherwise they share one more job. So a revision never has two jobs at
   * a time, however often the wiki changes.
   */
  #makeOnce(revisionId: number, client = this.#owner.client): Promise<MadeHtml> {
    const failure = this.#failures.of(revisionId)
    if (failure !== undefined) return Promise.reject(failure)
    const generation = this.#options.store.refresh()
    const underWay = this.#underWay.get(revisionId)
    if (underWay === undefined) return this.#begin(revisionId, generation, client).made
    if (underWay.generation === generation) return underWay.made
    return (underWay.next ??= this.#makeAfter(underWay, revisionId, client))
  }

  #begin(revisionId: number, generation: number, client: string): UnderWay {
    this.#made++
    const rendering = this.#make(revisionId, client)
    const made = rendering.then(asMade)
    // A failure is reported to those who asked.
    const kept = rendering.then(
      (rendering) => this.#keep(rendering),
      () => undefined,
    )
    const underWay = { generation, made, ended: kept.finally(() => this.#underWay.delete(revisionId)) }
    this.#underWay.set(revisionId, underWay)
    return underWay
  }

  async #makeAfter({ ended }: UnderWay, revisionId: number, client: string): Promise<MadeHtml> {
    await ended
    const generation = this.#options.store.refresh()
    const kept = this.#kept(revisionId)
    if (kept !== undefined) {
      // The next read of the store overwrites the bytes.
      const { packedHtml, outline, languageMenu: menu, tag, madeAt, version } = kept
      const languageMenu = menu && ownPart(menu)
      return {
        tag,
        madeAt,
        version,
        packedHtml: new Uint8Array(packedHtml),
        outline: new Uint8Array(outline),
        languageMenu,
      }
    }
    // A job that another request began meanwhile will do: it sees everything that was written before the first job
    // ended.
    return (this.#underWay.get(revisionId) ?? this.#begin(revisionId, generation, client)).made
  }

  /** Converts a client's text and returns UTF-8. Throws the same errors as `make`, but does not remember failures. */
  async convert(conversion: Conversion, client: string): Promise<Uint8Array> {
    const { clock, convertTimeoutMs } = this.#options
    const job = { ...conversion, nowMs: clock.nowMs() } as RenderJob
    let outcome
    try {
      outcome = await this.#pools.conversions.run(job, convertTimeoutMs, { ...this.#owner, client })
    } catch (error) {
      throw excessOf(error, convertTimeoutMs) ?? error
    }
    switch (outcome.result) {
      case 'text':
        return outcome.bytes
      case 'missing':
        throw new RevisionGoneError('the revision is gone')
      case 'imported':
        throw new ImportedHtmlError('the HTML came from another server')
      case 'limit':
      case 'failed':
        throw new RenderError(outcome.reason, { isLimit: outcome.result === 'limit' })
      case 'rendering':
        throw new Error('a conversion gave a rendering')
    }
  }

  /** Remakes HTML that edits have dropped, while a thread is idle. */
  async renderQueued(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      while (this.#pools.pages.hasIdleThread && this.#hasQueued()) {
        for (const revisionId of await this.#options.writer.takeQueuedRenderings(1))
          if (this.#kept(revisionId) === undefined) await this.#makeOnce(revisionId)
      }
    } catch (error) {
      // Failures of the page itself were reported when they happened. A PoolFullError passes: the next round tries
      // again.
      if (!(error instanceof RenderError || error instanceof PoolFullError)) this.#options.onTrouble(error, 0)
    } finally {
      this.#isBusy = false
    }
  }

  figures(): Figure[] {
    const { bytes, queued, imported, importedBytes } = this.#options.store.html.totals()
    const asked = [
      { labels: { result: 'hit' }, value: this.#hits },
      { labels: { result: 'miss' }, value: this.#misses },
    ]
    const name = 'palimpsest_html'
    return [
      counter(`${name}_total`, 'Requests for HTML, by whether it was kept in the store.', asked),
      counter(`${name}_made_total`, 'Pages whose HTML was begun to be made.', this.#made),
      gauge(`${name}_failing`, 'Revisions that failed and are not tried again yet.', this.#failures.count()),
      sharedGauge(`${name}_kept_bytes`, 'Room that HTML takes in the store.', bytes),
      sharedGauge(`${name}_imported`, 'Pages whose HTML came from another server.', imported),
      sharedGauge(
        `${name}_imported_bytes`,
        'Room that HTML from other servers takes in the store.',
        importedBytes,
      ),
      sharedGauge(`${name}_queued`, 'Pages whose HTML was dropped and waits to be made again.', queued),
    ]
  }

  /** Begins no more work in the background. The pools are closed by those who opened them. */
  close(): void {
    clearInterval(this.#background)
  }

  #hasQueued(): boolean {
    return this.#options.store.html.hasQueued()
  }

  async #make(revisionId: number, client: string): Promise<Rendering> {
    await this.#options.foreign?.prepare(revisionId)
    return (await this.#tryImported(revisionId, client)) ?? this.#render(revisionId, client)
  }

  /**
   * Makes a page of HTML from another server. Such HTML may take too much time or memory: then it goes. Undefined if
   * there is none, or it went.
   */
  async #tryImported(revisionId: number, client: string): Promise<Rendering | undefined> {
    const { store, writer, foreign } = this.#options
    store.refresh()
    if (!store.html.hasImported(revisionId)) return undefined
    let rendering: Rendering | undefined
    try {
      rendering = await this.#render(revisionId, client)
    } catch (error) {
      if (!(error instanceof RenderError)) throw error
      this.#failures.forget(revisionId)
      await writer.dropImported(revisionId)
    }
    if (rendering === undefined || rendering.imported === 'unusable') foreign?.refuse(revisionId)
    return rendering
  }

  async #render(revisionId: number, client: string): Promise<Rendering> {
    const { clock, renderTimeoutMs } = this.#options
    try {
      const job = { task: 'page', revisionId, nowMs: clock.nowMs() } as const
      const outcome = await this.#pools.pages.run(job, renderTimeoutMs, { ...this.#owner, client })
      if (outcome.result === 'missing') throw new RevisionGoneError(`revision ${revisionId} is gone`)
      if (outcome.result === 'text' || outcome.result === 'imported')
        throw new Error('the rendering of a page gave the result of a conversion')
      if (outcome.result !== 'rendering')
        throw this.#failed(revisionId, new Error(outcome.reason), outcome.result === 'limit')
      return outcome.rendering
    } catch (error) {
      const brokeThread = error instanceof RenderThreadError
      const ranTooLong = error instanceof TaskTimeoutError && error.isOverrun
      if (brokeThread || ranTooLong) throw this.#failed(revisionId, error, false)
      throw error
    }
  }

  async #keep(rendering: Rendering): Promise<void> {
    const { writer, htmlCacheBytes, onTrouble } = this.#options
    if (htmlCacheBytes === 0) return
    try {
      await writer.keepRendering({ ...rendering, shell: this.#shells.shellOf(rendering) }, htmlCacheBytes)
    } catch (error) {
      // A full queue does no harm: the page is rendered again at the next request.
      if (!(error instanceof PoolFullError)) onTrouble(error, rendering.revisionId)
    }
  }

  #failed(revisionId: number, cause: Error, isLimit: boolean): RenderError {
    this.#options.onTrouble(cause, revisionId)
    const error = new RenderError(cause.message, { cause, isLimit })
    this.#failures.add(revisionId, error)
    return error
  }

  #currentConfiguration(): Uint8Array {
    const site = this.#options.store.site()
    if (site !== this.#site) {
      this.#site = site
      const { engineVersion, renderSettings } = this.#options
      this.#configuration = renderingConfiguration(site, engineVersion, renderSettings)
    }
    return this.#configuration
  }
}

function asMade({ packedHtml, outline, languageMenu, tag, madeAt, imported }: Rendering): MadeHtml {
  const version = typeof imported === 'object' ? numberOfVersion(imported.version) : 0
  return { packedHtml, outline, languageMenu, tag, madeAt, version }
}

/**
 * Converts a thread's failure into one of its text: too much time or memory, or a break. Undefined for other errors.
 */
function excessOf(error: unknown, timeoutMs: number): RenderError | undefined {
  if (error instanceof TaskTimeoutError && error.isOverrun)
    return new RenderError(`parts that take more than ${timeoutMs} ms`, {
      cause: error,
      isLimit: true,
    })
  if (!(error instanceof RenderThreadError)) return undefined
  return error.isOutOfMemory
    ? new RenderError(`parts that take more than ${HEAP_MB} MB of memory`, { cause: error, isLimit: true })
    : new RenderError(error.message, { cause: error, isLimit: false })
}
