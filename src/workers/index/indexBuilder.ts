/** Takes all queued pages into a search index: encoded in threads, written here. */
import type { BulkChunk } from '../../index/write/bulk.js'
import { type EncodedPages, encodeQueued, writeChunks } from '../../storage/search/indexQueue.js'
import { IndexReplacedError, type IndexTarget } from '../../storage/search/indexState.js'
import { rankTitles } from '../../storage/search/prominentTitles.js'
import type { Store } from '../../storage/store.js'
import type { EncodeRequest, IndexOpened } from './indexThread.js'
import type { WorkerStart } from '../compute/tasks.js'
import { compiledFile } from '../hosting/compiledFile.js'
import { startThread } from '../hosting/host.js'
import { WorkerSlot } from '../hosting/workerSlot.js'
import { usableProcessors } from '../../processors.js'

const THREAD_FILE = compiledFile('workers/index/indexThread.ts')
const MAX_THREADS = 8
const PAGES_PER_CHUNK = 200
/** So few pages are encoded before a thread has started. */
const FEW_PAGES = 200
/** Parts of the work, measured; titles are ranked in what is left. */
const ENCODING_SHARE = 0.65
const WRITING_SHARE = 0.2
/** Share of the pages that must have been taken in before titles are ranked again. */
const RANKED_AFTER = 0.1
/** Postings in one transaction: more of them write less in all, but let edits of a server wait longer. */
const POSTINGS_PER_BATCH = 2_000_000
/** Rows of pages in one transaction, in bytes: reached by texts that are long and say little. */
const ROW_BYTES_PER_BATCH = 64 * 2 ** 20

export interface BuildOptions {
  readonly dataDir: string
  /** 0: one less than there are processors, at least one. */
  readonly threads: number
  /** Called after every transaction. */
  readonly onProgress?: (done: number, total: number) => void
  /** Told which part of the work is done, 0 to 1: some pages may be encoded long before they are written. */
  readonly onShare?: (share: number) => void
  /** Ends the build between two transactions: pages that are left stay queued. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Takes the queued pages into the index in force; returns how many. Ends early when a rebuild puts another index into
 * force, which has these pages.
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

/** Takes the pages that are queued for an index into it; returns how many. Throws an IndexReplacedError. */
export async function fillIndex(store: Store, target: IndexTarget, options: BuildOptions): Promise<number> {
  const { search } = store
  store.refresh()
  const total = search.countQueued(target.set)
  if (total === 0) return 0
  if (total <= FEW_PAGES) {
    for (let pageIds: readonly number[] = search.queuedPages(target.set, 0, total); pageIds.length > 0;) {
      const { chunk, rest } = encodeQueued(store, target.set, pageIds)
      writeChunks(store, target, [chunk])
      pageIds = rest
      options.onProgress?.(total - rest.length, total)
      options.onShare?.((ENCODING_SHARE + WRITING_SHARE) * (1 - rest.length / total))
    }
    await rankAfter(store, target, total, options.signal)
    return total
  }
  const builder = new Builder(store, target, options, total)
  try {
    const pages = await builder.run()
    await rankAfter(store, target, pages, options.signal)
    return pages
  } finally {
    await builder.close()
  }
}

/** Ranks titles by links anew when many pages have come: it takes a look at every text. */
async function rankAfter(
  store: Store,
  target: IndexTarget,
  pages: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const indexed = store.search.countIndexed(target.set)
  if (pages < indexed * RANKED_AFTER) return
  await rankTitles(store, target, store.namespaces(), signal)
}

type IndexThread = WorkerSlot<EncodeRequest, EncodedPages>

function startIndexThread(workerData: WorkerStart): IndexThread {
  return new WorkerSlot((events) => startThread(THREAD_FILE, { workerData }, events), {
    takesMessage: (message) => 'opened' in (message as IndexOpened | EncodedPages),
    failureOf: ({ code, error }) => error ?? new Error(`a thread that encodes pages ended with ${code}`),
    onEnd: () => undefined,
  })
}

class Builder {
  readonly #store: Store
  readonly #target: IndexTarget
  readonly #options: BuildOptions
  readonly #total: number
  readonly #threads: IndexThread[]
  #chunks: BulkChunk[] = []
  #postings = 0
  #rowBytes = 0
  #lastId = 0
  #encoded = 0
  #done = 0

  constructor(store: Store, target: IndexTarget, options: BuildOptions, total: number) {
    this.#store = store
    this.#target = target
    this.#options = options
    this.#total = total
    const wanted = options.threads === 0 ? Math.max(1, usableProcessors() - 1) : options.threads
    const start: WorkerStart = { dataDir: options.dataDir }
    const count = Math.min(wanted, MAX_THREADS, Math.ceil(total / PAGES_PER_CHUNK))
    this.#threads = Array.from({ length: count }, () => startIndexThread(start))
  }

  async run(): Promise<number> {
    await Promise.all(this.#threads.map((thread) => this.#feed(thread)))
    this.#write()
    return this.#done
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()))
  }

  /** Keeps a thread at work: it has its next pages before its last chunk is written. */
  async #feed(thread: IndexThread): Promise<void> {
    let pending = this.#send(thread)
    while (pending !== undefined) {
      const { chunk, rest } = await pending
      pending = this.#send(thread, rest)
      this.#take(chunk)
    }
  }

  /** Gives a thread the pages that its last chunk had no room for, or else the next ones. */
  #send(thread: IndexThread, rest: readonly number[] = []): Promise<EncodedPages> | undefined {
    if (this.#options.signal?.aborted) return undefined
    const pageIds = rest.length > 0 ? rest : this.#nextPages()
    if (pageIds.length === 0) return undefined
    const request: EncodeRequest = { set: this.#target.set, pageIds }
    const answer = thread.ask(request)
    // It fails when the thread does; until it is awaited nobody else listens.
    answer.catch(() => undefined)
    return answer
  }

  #nextPages(): number[] {
    const pageIds = this.#store.search.queuedPages(this.#target.set, this.#lastId, PAGES_PER_CHUNK)
    this.#lastId = pageIds.at(-1) ?? this.#lastId
    return pageIds
  }

  #take(chunk: BulkChunk): void {
    this.#chunks.push(chunk)
    this.#encoded += chunk.pages.length
    this.#tellShare()
    for (const { pages } of chunk.changes) this.#postings += pages.length
    for (const { row } of chunk.pages) this.#rowBytes += row?.length ?? 0
    if (this.#postings >= POSTINGS_PER_BATCH || this.#rowBytes >= ROW_BYTES_PER_BATCH) this.#write()
  }

  #write(): void {
    if (this.#chunks.length === 0) return
    // Chunks of several threads come in any order; the pages of a term must rise.
    this.#chunks.sort((a, b) => (a.pages[0]?.pageId ?? 0) - (b.pages[0]?.pageId ?? 0))
    writeChunks(this.#store, this.#target, this.#chunks)
    for (const { pages } of this.#chunks) this.#done += pages.length
    this.#chunks = []
    this.#postings = this.#rowBytes = 0
    this.#options.onProgress?.(this.#done, this.#total)
    this.#tellShare()
  }

  #tellShare(): void {
    // Pages may have been queued since they were counted.
    const part = (pages: number): number => Math.min(1, pages / this.#total)
    this.#options.onShare?.(ENCODING_SHARE * part(this.#encoded) + WRITING_SHARE * part(this.#done))
  }
}
