/** Takes all queued pages into a search index. Threads encode the pages, and this thread writes them. */
import {
  type EncodedPages,
  encodeQueued,
  type QueuedChunk,
  writeChunks,
} from '../../storage/search/indexQueue.js'
import { IndexReplacedError, type IndexTarget } from '../../storage/search/indexState.js'
import { rankTitles } from '../../storage/search/prominentTitles.js'
import type { Store } from '../../storage/store.js'
import type { EncodeRequest, IndexOpened } from './indexThread.js'
import type { WorkerStart } from '../compute/tasks.js'
import { compiledFile } from '../../packageFiles.js'
import { startThread } from '../hosting/host.js'
import { WorkerSlot } from '../hosting/workerSlot.js'
import { usableProcessors } from '../../processors.js'

const THREAD_FILE = compiledFile('workers/index/indexThread.ts')
const MAX_THREADS = 8
const PAGES_PER_CHUNK = 200
/** Up to this many pages are encoded here: starting a thread would take longer. */
const FEW_PAGES = 200
/** Measured shares of the work. The rest is for ranking titles. */
const ENCODING_SHARE = 0.65
const WRITING_SHARE = 0.2
/** Titles are ranked again only if at least this share of the pages was taken in. */
const RANKED_AFTER = 0.1
/** Postings in one transaction. Larger transactions write less in total, but delay a server's edits longer. */
const POSTINGS_PER_BATCH = 2_000_000
/** Bytes of page rows in one transaction. Long texts with few distinct words reach this limit first. */
const ROW_BYTES_PER_BATCH = 64 * 2 ** 20

export interface BuildOptions {
  readonly dataDir: string
  /** 0: one less than the number of processors, at least one. */
  readonly threads: number
  /** Called after every transaction. */
  readonly onProgress?: (done: number, total: number) => void
  /** Called with the done share of the work, from 0 to 1. Some pages are encoded long before they are written. */
  readonly onShare?: (share: number) => void
  /** Ends the build between two transactions. The other pages stay queued. */
  readonly signal?: AbortSignal | undefined
}

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

/** Ranks titles by links again if many pages were taken in, since it reads every text. */
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
  #chunks: QueuedChunk[] = []
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

  /** Keeps a thread busy: sends the next pages before it writes the last chunk. */
  async #feed(thread: IndexThread): Promise<void> {
    let pending = this.#send(thread)
    while (pending !== undefined) {
      const { chunk, rest } = await pending
      pending = this.#send(thread, rest)
      this.#take(chunk)
    }
  }

  /** Sends a thread the pages that did not fit into its last chunk, or else the next ones. */
  #send(thread: IndexThread, rest: readonly number[] = []): Promise<EncodedPages> | undefined {
    if (this.#options.signal?.aborted) return undefined
    const pageIds = rest.length > 0 ? rest : this.#nextPages()
    if (pageIds.length === 0) return undefined
    const request: EncodeRequest = { set: this.#target.set, pageIds }
    const answer = thread.ask(request)
    // The promise fails with the thread. Until `#feed` awaits it, nothing else handles the rejection.
    answer.catch(() => undefined)
    return answer
  }

  #nextPages(): number[] {
    const pageIds = this.#store.search.queuedPages(this.#target.set, this.#lastId, PAGES_PER_CHUNK)
    this.#lastId = pageIds.at(-1) ?? this.#lastId
    return pageIds
  }

  #take(chunk: QueuedChunk): void {
    this.#chunks.push(chunk)
    this.#encoded += chunk.pages.length
    this.#tellShare()
    for (const { pages } of chunk.changes) this.#postings += pages.length
    for (const { row } of chunk.pages) this.#rowBytes += row?.length ?? 0
    if (this.#postings >= POSTINGS_PER_BATCH || this.#rowBytes >= ROW_BYTES_PER_BATCH) this.#write()
  }

  #write(): void {
    if (this.#chunks.length === 0) return
    // Chunks come from several threads in any order, but the pages of a term must ascend.
    this.#chunks.sort((a, b) => (a.pages[0]?.pageId ?? 0) - (b.pages[0]?.pageId ?? 0))
    writeChunks(this.#store, this.#target, this.#chunks)
    for (const { pages } of this.#chunks) this.#done += pages.length
    this.#chunks = []
    this.#postings = this.#rowBytes = 0
    this.#options.onProgress?.(this.#done, this.#total)
    this.#tellShare()
  }

  #tellShare(): void {
    // More pages may have been queued after they were counted.
    const part = (pages: number): number => Math.min(1, pages / this.#total)
    this.#options.onShare?.(ENCODING_SHARE * part(this.#encoded) + WRITING_SHARE * part(this.#done))
  }
}
