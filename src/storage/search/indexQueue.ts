/** Encodes queued pages for a search index. */
import { type BulkChunk, type BulkPage, ChunkEncoder, mergeChunks } from '../../index/write/bulk.js'
import { Namespaces } from '../../domain/namespaces.js'
import { incomingCategories, type IncomingPage, writeCategories } from '../categories/categoryIndexing.js'
import type { IncomingCategories } from '../categories/pageCategories.js'
import { readSite } from '../meta.js'
import type { Store } from '../store.js'
import type { IndexName, IndexSet, TableHolder, Tables } from '../tables.js'
import { indexedPage, readIndexable } from './indexedPage.js'
import { indexInForce, type IndexTarget, requireTarget } from './indexState.js'

/** A chunk takes in no further page once its texts have this many UTF-16 units. */
const CHUNK_LENGTH = 8 * 2 ** 20

/** Pages of a chunk with their categories, in the same order. */
export interface QueuedChunk extends BulkChunk {
  readonly categories: readonly (IncomingCategories | undefined)[]
}

/** A chunk, and the pages for which it had no room. */
export interface EncodedPages {
  readonly chunk: QueuedChunk
  readonly rest: readonly number[]
}

/**
 * Encodes queued pages of an index in their present state. Skips pages that are no longer queued. Takes at least one.
 */
export function encodeQueued(
  { tables }: TableHolder,
  set: IndexName,
  pageIds: readonly number[],
): EncodedPages {
  const index = tables.indexes[set]
  const namespaces = new Namespaces(readSite(tables))
  const encoder = new ChunkEncoder(index)
  const categories: (IncomingCategories | undefined)[] = []
  let taken = 0
  let length = 0
  while (taken < pageIds.length && length < CHUNK_LENGTH) {
    const pageId = pageIds[taken++]!
    const generation = queuedGeneration(index, pageId)
    if (generation === undefined) continue
    const page = readIndexable(tables, pageId)
    encoder.add(pageId, generation, page && indexedPage(page, namespaces))
    categories.push(page && incomingCategories(tables, page, namespaces))
    length += page?.text?.length ?? 0
  }
  return { chunk: { ...encoder.finish(), categories }, rest: pageIds.slice(taken) }
}

/**
 * Writes chunks to an index, and removes their pages from its queue. A page that changed after it was read stays
 * queued. Throws an IndexReplacedError.
 */
export function writeChunks(store: Store, target: IndexTarget, chunks: readonly QueuedChunk[]): void {
  store.transact(() => {
    requireTarget(store.tables, target)
    mergeQueued(store.tables, target.set, chunks)
  })
}

/** Like `writeChunks`, within a transaction that has already checked the target. */
export function mergeQueued(tables: Tables, set: IndexName, chunks: readonly QueuedChunk[]): void {
  const index = tables.indexes[set]
  const isCurrent = ({ pageId, generation }: BulkPage): boolean =>
    queuedGeneration(index, pageId) === generation
  mergeChunks(index, chunks, isCurrent)
  const states = chunks.flatMap(({ pages, categories }) =>
    pages.flatMap((page, n): IncomingPage[] => (isCurrent(page) ? [[page.pageId, categories[n]]] : [])),
  )
  writeCategories(index, indexInForce(tables), states)
  for (const page of chunks.flatMap(({ pages }) => pages)) {
    if (isCurrent(page)) index.indexQueue.removeSync(page.pageId)
  }
}

function queuedGeneration({ indexQueue }: IndexSet, pageId: number): number | undefined {
  return indexQueue.getBinaryFast(pageId)?.readDoubleBE(0)
}
