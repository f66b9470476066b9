/** The pages that a search index has yet to take in. */
import { type BulkChunk, type BulkPage, ChunkEncoder, mergeChunks } from '../../index/write/bulk.js'
import { Namespaces } from '../../domain/namespaces.js'
import { readSite } from '../meta.js'
import type { Store } from '../store.js'
import type { IndexName, IndexSet, TableHolder } from '../tables.js'
import { indexedPage, readIndexable } from './indexedPage.js'
import { type IndexTarget, requireTarget } from './indexState.js'

/** Texts of one chunk: no further page is taken in above, in UTF-16 units. */
const CHUNK_LENGTH = 8 * 2 ** 20

/** A chunk, and the pages that it had no room for. */
export interface EncodedPages {
  readonly chunk: BulkChunk
  readonly rest: readonly number[]
}

/**
 * Encodes pages of an index's queue as they are now; those that are not queued any more are left out. Takes in one at
 * least.
 */
export function encodeQueued(
  { tables }: TableHolder,
  set: IndexName,
  pageIds: readonly number[],
): EncodedPages {
  const index = tables.indexes[set]
  const namespaces = new Namespaces(readSite(tables))
  const encoder = new ChunkEncoder(index)
  let taken = 0
  let length = 0
  while (taken < pageIds.length && length < CHUNK_LENGTH) {
    const pageId = pageIds[taken++]!
    const generation = queuedGeneration(index, pageId)
    if (generation === undefined) continue
    const page = readIndexable(tables, pageId)
    encoder.add(pageId, generation, page && indexedPage(page, namespaces))
    length += page?.text?.length ?? 0
  }
  return { chunk: encoder.finish(), rest: pageIds.slice(taken) }
}

/**
 * Writes chunks to an index and takes their pages off its queue; pages that changed since they were read stay on it.
 * Throws an IndexReplacedError.
 */
export function writeChunks(store: Store, target: IndexTarget, chunks: readonly BulkChunk[]): void {
  store.transact(() => {
    requireTarget(store.tables, target)
    mergeQueued(store.tables.indexes[target.set], chunks)
  })
}

/** As `writeChunks`, within a transaction that has made sure of the target. */
export function mergeQueued(index: IndexSet, chunks: readonly BulkChunk[]): void {
  const isCurrent = ({ pageId, generation }: BulkPage): boolean =>
    queuedGeneration(index, pageId) === generation
  mergeChunks(index, chunks, isCurrent)
  for (const page of chunks.flatMap(({ pages }) => pages)) {
    if (isCurrent(page)) index.indexQueue.removeSync(page.pageId)
  }
}

function queuedGeneration({ indexQueue }: IndexSet, pageId: number): number | undefined {
  return indexQueue.getBinaryFast(pageId)?.readDoubleBE(0)
}
