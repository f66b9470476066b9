/** Encodes queued pages for a search index. */
import { type BulkChunk, type BulkPage, ChunkEncoder, mergeChunks } from '../../index/write/bulk.js'
import { incomingCategories, type IncomingPage, writeCategories } from '../categories/categoryIndexing.js'
import type { IncomingCategories } from '../categories/pageCategories.js'
import type { LinkRules } from '../../wikitext/languageLinks.js'
import { incomingLinks, type LinkedPage, writeLinks } from '../links/linkIndexing.js'
import { rulesInForce } from '../links/linkRules.js'
import type { IncomingLinks } from '../links/pageLinks.js'
import type { IndexName, IndexSet, TableHolder, Tables, TableWriter } from '../tables/tables.js'
import { indexedPage, readIndexable } from '../search/indexedPage.js'
import { addUnranked, indexInForce, type IndexTarget, requireTarget } from '../search/indexState.js'

/** A chunk takes in no further page once its texts have this many UTF-16 units. */
const CHUNK_LENGTH = 4 * 2 ** 20
/** The same for changes of postings. It also bounds the terms of a chunk, see `MAX_TERMS`. */
const CHUNK_POSTINGS = 10 ** 6

/** Pages of a chunk with their categories and links, in the same order. */
export interface QueuedChunk extends BulkChunk {
  readonly categories: readonly (IncomingCategories | undefined)[]
  readonly links: readonly (IncomingLinks | undefined)[]
}

/** A chunk, and the pages for which it had no room. */
interface EncodedPages {
  readonly chunk: QueuedChunk
  readonly rest: readonly number[]
}

/** Encodes queued pages of an index in their present state, in one chunk over several calls. */
export class QueueEncoder {
  readonly #tables: Tables
  readonly #index: IndexSet
  readonly #encoder: ChunkEncoder
  #categories: (IncomingCategories | undefined)[] = []
  #links: (IncomingLinks | undefined)[] = []
  #length = 0

  constructor({ tables }: TableHolder, set: IndexName) {
    this.#tables = tables
    this.#index = tables.indexes[set]
    this.#encoder = new ChunkEncoder(this.#index)
  }

  /** The chunk takes in no further page. */
  get isFull(): boolean {
    return this.#length >= CHUNK_LENGTH || this.#encoder.postings >= CHUNK_POSTINGS
  }

  /**
   * Adds pages, whose ids must ascend over all calls for a chunk. Skips pages that are no longer queued. Returns those
   * for which the chunk has no room.
   */
  add(pageIds: readonly number[]): readonly number[] {
    const rules = rulesInForce(this.#tables)
    for (const [n, pageId] of pageIds.entries()) {
      if (this.isFull) return pageIds.slice(n)
      const generation = queuedGeneration(this.#index, pageId)
      if (generation !== undefined) this.#addPage(pageId, generation, rules)
    }
    return []
  }

  /** The chunk of all pages since the last call. */
  finish(): QueuedChunk {
    const chunk = { ...this.#encoder.finish(), categories: this.#categories, links: this.#links }
    this.#categories = []
    this.#links = []
    this.#length = 0
    return chunk
  }

  #addPage(pageId: number, generation: number, rules: LinkRules): void {
    const { namespaces } = rules
    const page = readIndexable(this.#tables, pageId)
    this.#encoder.add(pageId, generation, page && indexedPage(page, namespaces))
    this.#categories.push(page && incomingCategories(this.#tables, page, namespaces))
    this.#links.push(page && incomingLinks(this.#tables, page, rules))
    this.#length += page?.text?.length ?? 0
  }
}

/** One chunk of queued pages. Takes at least one. */
export function encodeQueued(holder: TableHolder, set: IndexName, pageIds: readonly number[]): EncodedPages {
  const encoder = new QueueEncoder(holder, set)
  const rest = encoder.add(pageIds)
  return { chunk: encoder.finish(), rest }
}

/**
 * Writes chunks to an index, and removes their pages from its queue. A page that changed after it was read stays
 * queued. Throws an IndexReplacedError.
 */
export function writeChunks(store: TableWriter, target: IndexTarget, chunks: readonly QueuedChunk[]): void {
  store.transact(() => {
    requireTarget(store.tables, target)
    mergeQueued(store.tables, target.set, chunks)
    const pages = chunks.reduce((sum, chunk) => sum + chunk.pages.length, 0)
    if (pages > 0) addUnranked(store.tables, target, pages)
  })
}

/** Like `writeChunks`, within a transaction that has already checked the target. */
export function mergeQueued(tables: Tables, set: IndexName, chunks: readonly QueuedChunk[]): void {
  const index = tables.indexes[set]
  const isCurrent = ({ pageId, generation }: BulkPage): boolean =>
    queuedGeneration(index, pageId) === generation
  mergeChunks(index, chunks, isCurrent)
  const known = indexInForce(tables)
  const categories = chunks.flatMap(({ pages, categories }) =>
    pages.flatMap((page, n): IncomingPage[] => (isCurrent(page) ? [[page.pageId, categories[n]]] : [])),
  )
  writeCategories(index, known, categories)
  const links = chunks.flatMap(({ pages, links }) =>
    pages.flatMap((page, n): LinkedPage[] => (isCurrent(page) ? [[page.pageId, links[n]]] : [])),
  )
  writeLinks(index, known, links)
  for (const page of chunks.flatMap(({ pages }) => pages)) {
    if (isCurrent(page)) index.indexQueue.removeSync(page.pageId)
  }
}

function queuedGeneration({ indexQueue }: IndexSet, pageId: number): number | undefined {
  return indexQueue.getBinaryFast(pageId)?.readDoubleBE(0)
}
