/**
 * Takes queued pages into a search index, also while an import goes on to queue pages. Threads encode the pages. This
 * thread writes them, since LMDB allows one write transaction at a time and the import writes here too.
 *
 *     queue ──► threads: pages to chunks ──► chunks of a million postings ──► one transaction
 *                                                           a rebuild: └──► runs on the disk ──► merge
 */
import { join } from 'node:path'
import { SortedRuns } from '../../index/write/sortedRuns.js'
import {
  encodeQueued,
  type QueuedChunk,
  writeChunks,
  writeChunksToRuns,
  writeRuns,
} from '../../storage/indexing/indexQueue.js'
import { IndexReplacedError, type IndexTarget } from '../../storage/search/indexState.js'
import type { Store } from '../../storage/store.js'
import { compiledFile } from '../../runtime/packageFiles.js'
import { usableProcessors } from '../../runtime/processors.js'
import { WRITER_HEAP } from '../hosting/heapLimits.js'
import { startThread } from '../hosting/host.js'
import { WorkerSlot } from '../hosting/workerSlot.js'
import type { EncodeAnswer, EncodeRequest, IndexOpened, IndexStart } from './indexThread.js'
import { rankTitles } from '../../storage/indexing/prominentTitles.js'

const THREAD_FILE = compiledFile('workers/index/indexThread.ts')
const MAX_THREADS = 8
/** Up to this many pages are encoded here: starting a thread would take longer. */
const FEW_PAGES = 200
/** Pages for a thread at once. They keep it busy while this thread writes a batch. */
const MAX_PAGES_AT_ONCE = 2000
const MIN_PAGES_AT_ONCE = 100
/**
 * While an import goes on, threads leave the last pages in the queue. The next batch may bring further revisions of
 * them.
 */
const LEFT_WHILE_READING = 200
/** Measured shares of the work. The rest is for ranking titles. */
const ENCODING_SHARE = 0.65
const WRITING_SHARE = 0.25
/**
 * Postings in one transaction. Larger transactions write less in total, but take more memory and delay a server's edits
 * longer.
 */
const POSTINGS_PER_BATCH = 1_000_000

export interface BuildOptions {
  readonly dataDir: string
  /** 0: one less than the number of processors, at least one. */
  readonly threads: number
  /** So many pages are encoded before `finish`. The others stay queued until then. Absent: all. */
  readonly maxEarly?: number
  /** Called after every transaction of `finish`. */
  readonly onProgress?: (done: number, total: number) => void
  /** Called by `finish` with the done share of the work that was left, from 0 to 1. */
  readonly onShare?: (share: number) => void
  /** Ends the build between two transactions. The other pages stay queued. */
  readonly signal?: AbortSignal | undefined
}

type IndexThread = WorkerSlot<EncodeRequest, EncodeAnswer>

export class IndexBuild {
  readonly #store: Store
  readonly #target: IndexTarget
  readonly #options: BuildOptions
  readonly #threads: IndexThread[] = []
  #feeds: Promise<void>[] = []
  #chunks: QueuedChunk[] = []
  #postings = 0
  /** Postings in one transaction, at least. */
  #batchPostings = POSTINGS_PER_BATCH
  /** The last page that was given to a thread. */
  #lastId = 0
  #encoded = 0
  #done = 0
  /** Pages to index in all; known in `finish`. */
  #total: number | undefined
  /** The done share of the whole work when `finish` began. */
  #shareBefore: number | undefined
  /** Continues feeds that wait for pages. */
  #wake: (() => void)[] = []
  #failure: Error | undefined
  /** What a rebuild writes at its end; undefined for an index that has pages. */
  #runs: SortedRuns | undefined

  constructor(store: Store, target: IndexTarget, options: BuildOptions) {
    this.#store = store
    this.#target = target
    this.#options = options
    const { rebuild, set } = target
    if (rebuild !== undefined && store.search.isEmpty(set))
      this.#runs = new SortedRuns(join(options.dataDir, `index-${rebuild}.runs`))
  }

  /** Number of pages that are encoded. Some of them may change again. */
  get encoded(): number {
    return this.#encoded
  }

  /** Call it when pages were queued. Threads begin with them, unless they are few. */
  more(): void {
    if (this.#isStopped()) return
    this.#store.refresh()
    if (this.#queued(LEFT_WHILE_READING + MIN_PAGES_AT_ONCE).length <= LEFT_WHILE_READING) return
    if (this.#feeds.length === 0) this.#startFeeds()
    this.#wakeFeeds()
  }

  /**
   * Takes in all queued pages, and returns the number of pages since the build began. Throws an IndexReplacedError.
   */
  async finish(): Promise<number> {
    this.#store.refresh()
    let left = this.#countQueued()
    this.#total = this.#done + left
    this.#tellShare()
    this.#wakeFeeds()
    while (left > 0 && !this.#isStopped()) {
      if (this.#feeds.length === 0 && left <= FEW_PAGES) this.#encodeHere()
      else await this.#encodeInThreads()
      await this.#writeRuns()
      // Pages that changed while they were encoded are queued again. Edits index their own pages.
      this.#lastId = 0
      const before = left
      left = this.#countQueued()
      if (left >= before) break
    }
    if (this.#failure !== undefined) throw this.#failure
    return this.#done
  }

  async close(): Promise<void> {
    this.#failure ??= new Error('the build is closed')
    this.#wakeFeeds()
    await Promise.all(this.#threads.map((thread) => thread.end()))
    this.#runs?.close()
    this.#runs = undefined
  }

  #isStopped(): boolean {
    return this.#failure !== undefined || this.#options.signal?.aborted === true
  }

  #countQueued(): number {
    return this.#store.search.countQueued(this.#target.set)
  }

  #queued(limit: number): number[] {
    return this.#store.search.queuedPages(this.#target.set, this.#lastId, limit)
  }

  #encodeHere(): void {
    for (let pageIds: readonly number[] = this.#queued(FEW_PAGES); pageIds.length > 0;) {
      const { chunk, rest } = encodeQueued(this.#store, this.#target.set, pageIds)
      this.#encoded += pageIds.length - rest.length
      this.#chunks.push(chunk)
      this.#write()
      pageIds = rest
    }
  }

  async #encodeInThreads(): Promise<void> {
    if (this.#feeds.length === 0) this.#startFeeds()
    await Promise.all(this.#feeds)
    this.#feeds = []
    this.#tryWrite()
  }

  #startFeeds(): void {
    const { dataDir, threads } = this.#options
    const wanted = threads === 0 ? Math.max(1, usableProcessors() - 1) : threads
    const needed = this.#total === undefined ? MAX_THREADS : Math.ceil(this.#total / FEW_PAGES)
    const start: IndexStart = { dataDir, set: this.#target.set }
    while (this.#threads.length < Math.min(wanted, needed, MAX_THREADS))
      this.#threads.push(startIndexThread(start))
    this.#feeds = this.#threads.map((thread) =>
      this.#feed(thread).catch((error: unknown) => this.#fail(error)),
    )
  }

  /** Keeps a thread busy until no pages are left. */
  async #feed(thread: IndexThread): Promise<void> {
    for (let pageIds = await this.#nextPages([]); ;) {
      const isLast = pageIds.length === 0
      const { chunk, rest } = await thread.ask({ pageIds, isLast })
      this.#encoded += pageIds.length - rest.length
      this.#tellShare()
      if (chunk !== undefined) this.#take(chunk)
      if (isLast) return
      pageIds = await this.#nextPages(rest)
    }
  }

  /**
   * Pages for a thread: those that it gave back, and more. Waits for them while an import goes on. None: the thread
   * hands its chunk over.
   */
  async #nextPages(rest: readonly number[]): Promise<readonly number[]> {
    while (!this.#isStopped()) {
      const isReading = this.#total === undefined
      // The last pages are divided, so that all threads end at the same time.
      const parts = this.#threads.length === 1 ? 1 : 2 * this.#threads.length
      const queued = this.#queued(parts * MAX_PAGES_AT_ONCE)
      const isEnough = isReading && this.#encoded >= (this.#options.maxEarly ?? Infinity)
      const free = isEnough ? 0 : queued.length - (isReading ? LEFT_WHILE_READING : 0)
      if (free < (isReading ? MIN_PAGES_AT_ONCE : 1)) {
        if (rest.length > 0 || !isReading) return rest
        await new Promise<void>((resolve) => this.#wake.push(resolve))
        continue
      }
      const share = Math.max(MIN_PAGES_AT_ONCE, Math.ceil(free / parts))
      const pageIds = queued.slice(0, Math.min(free, share, Math.max(0, MAX_PAGES_AT_ONCE - rest.length)))
      this.#lastId = pageIds.at(-1) ?? this.#lastId
      if (!isReading && pageIds.length === queued.length) this.#writeEarly()
      return [...rest, ...pageIds]
    }
    return []
  }

  #wakeFeeds(): void {
    for (const wake of this.#wake.splice(0)) wake()
  }

  #take(chunk: QueuedChunk): void {
    this.#chunks.push(chunk)
    for (const { pages } of chunk.changes) this.#postings += pages.length
    if (this.#postings >= this.#batchPostings) this.#writeSoon()
  }

  /** Threads have the last pages: what is ready is written meanwhile. */
  #writeEarly(): void {
    this.#batchPostings = 0
    this.#writeSoon()
  }

  /** Writes in a later turn: until then the thread gets its next pages. */
  #writeSoon(): void {
    setImmediate(() => this.#tryWrite())
  }

  #tryWrite(): void {
    if (this.#failure !== undefined) return
    try {
      this.#write()
    } catch (error) {
      this.#fail(error)
    }
  }

  #write(): void {
    if (this.#chunks.length === 0) return
    if (this.#runs === undefined) writeChunks(this.#store, this.#target, this.#chunks)
    else writeChunksToRuns(this.#store, this.#target, this.#chunks, this.#runs)
    for (const { pages } of this.#chunks) this.#done += pages.length
    this.#chunks = []
    this.#postings = 0
    if (this.#total !== undefined) this.#options.onProgress?.(Math.min(this.#done, this.#total), this.#total)
    this.#tellShare()
  }

  /** From here on, the index has pages. */
  async #writeRuns(): Promise<void> {
    const runs = this.#runs
    if (runs === undefined || this.#isStopped()) return
    const options = {
      postings: POSTINGS_PER_BATCH,
      signal: this.#options.signal,
      onStep: (): void => this.#tellShare(),
    }
    if (!(await writeRuns(this.#store, this.#target, runs, options))) return
    runs.close()
    this.#runs = undefined
  }

  #tellShare(): void {
    if (this.#total === undefined) return
    const share = this.#share()
    this.#shareBefore ??= share
    this.#options.onShare?.((share - this.#shareBefore) / Math.max(0.01, 1 - this.#shareBefore))
  }

  #share(): number {
    // More pages may have been queued after they were counted.
    const part = (pages: number): number => Math.min(1, pages / Math.max(1, this.#total ?? 0))
    const written = this.#runs === undefined ? part(this.#done) : this.#runs.share
    return ENCODING_SHARE * part(this.#encoded) + WRITING_SHARE * written
  }

  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error))
    this.#wakeFeeds()
  }
}

function startIndexThread(workerData: IndexStart): IndexThread {
  return new WorkerSlot(
    (events) => startThread(THREAD_FILE, { workerData, resourceLimits: WRITER_HEAP }, events),
    {
      takesMessage: (message) => 'opened' in (message as IndexOpened | EncodeAnswer),
      failureOf: ({ code, error }) => error ?? new Error(`a thread that encodes pages ended with ${code}`),
      onEnd: () => undefined,
    },
  )
}

/** Titles are ranked again once at least this share of the pages was taken in. */
const RANKED_AFTER = 0.1

/**
 * Takes the queued pages into the index in force, and returns their number. Ends early if a rebuild puts another index
 * into force, which contains these pages.
 */
export async function buildIndex(store: Store, options: BuildOptions): Promise<number> {
  let done = 0
  const onProgress = (pages: number, total: number): void => {
    done = pages
    options.onProgress?.(pages, total)
  }
  try {
    return await fillIndex(store, store.search.target(), { ...options, onProgress })
  } catch (error) {
    if (error instanceof IndexReplacedError) return done
    throw error
  }
}

/** Takes the pages queued for an index into it, and returns their number. Throws an IndexReplacedError. */
export async function fillIndex(store: Store, target: IndexTarget, options: BuildOptions): Promise<number> {
  const build = new IndexBuild(store, target, options)
  try {
    return await finishBuild(store, target, build, options.signal)
  } finally {
    await build.close()
  }
}

/** Takes all pages in, and ranks titles by links again if they were many. */
export async function finishBuild(
  store: Store,
  target: IndexTarget,
  build: IndexBuild,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { search } = store
  const pages = await build.finish()
  // Earlier imports may have been killed before they ranked titles.
  const unranked = target.rebuild === undefined ? search.countUnranked() : pages
  // A store of an older version knows no links until its index is rebuilt.
  const hasLinks = target.rebuild !== undefined || store.pageLinks.isComplete()
  if (hasLinks && isMuch(unranked, search.countIndexed(target.set)))
    await rankTitles(store, target, store.namespaces(), signal)
  return pages
}

const isMuch = (unranked: number, indexed: number): boolean =>
  unranked > 0 && unranked >= indexed * RANKED_AFTER
