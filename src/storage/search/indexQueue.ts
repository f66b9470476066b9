/** The pages that the search index has yet to take in. */
import { ENCODER_VERSION } from '../../index/encoder.js'
import { type BulkChunk, type BulkPage, ChunkEncoder, mergeChunks } from '../../index/bulk.js'
import type { IndexTables } from '../../index/tables.js'
import { Namespaces } from '../../domain/namespaces.js'
import { readSite, writeMeta } from '../meta.js'
import type { Store } from '../store.js'
import { type Tables, WHOLE_TABLE } from '../tables.js'
import { indexedPage, readIndexable } from './indexedPage.js'
import { queuePage } from './pageIndexing.js'
import { countQueued } from './queuedPages.js'

/** Texts of one chunk: no further page is taken in above, in UTF-16 units. */
const CHUNK_LENGTH = 8 * 2 ** 20

/** A chunk, and the pages that it had no room for. */
export interface EncodedPages {
  readonly chunk: BulkChunk
  readonly rest: readonly number[]
}

/** Encodes queued pages as they are now; those that are not queued any more are left out. Takes in one at least. */
export function encodeQueued(tables: Tables, pageIds: readonly number[]): EncodedPages {
  const namespaces = new Namespaces(readSite(tables))
  const encoder = new ChunkEncoder(tables)
  let taken = 0
  let length = 0
  while (taken < pageIds.length && length < CHUNK_LENGTH) {
    const pageId = pageIds[taken++]!
    const generation = queuedGeneration(tables, pageId)
    if (generation === undefined) continue
    const page = readIndexable(tables, pageId)
    encoder.add(pageId, generation, page && indexedPage(page, namespaces))
    length += page?.text?.length ?? 0
  }
  return { chunk: encoder.finish(), rest: pageIds.slice(taken) }
}

/** Writes chunks to the index and takes their pages off the queue; pages that changed since they were read stay on it. */
export function writeChunks(store: Store, chunks: readonly BulkChunk[]): void {
  const { tables } = store
  store.transact(() => {
    const isCurrent = ({ pageId, generation }: BulkPage): boolean =>
      queuedGeneration(tables, pageId) === generation
    mergeChunks(tables, chunks, isCurrent)
    for (const page of chunks.flatMap(({ pages }) => pages)) {
      if (isCurrent(page)) tables.indexQueue.removeSync(page.pageId)
    }
  })
}

function queuedGeneration(tables: Tables, pageId: number): number | undefined {
  return tables.indexQueue.getBinaryFast(pageId)?.readDoubleBE(0)
}

const DERIVED = [
  'bodyPostings',
  'strongPostings',
  'titlePostings',
  'indexed',
  'completion',
  'prominent',
] as const satisfies readonly (keyof IndexTables)[]

/** Empties the index and queues all pages. Searches are refused from now on until `endRebuild`. */
export function beginRebuild(store: Store): void {
  const { tables } = store
  store.transact(() => {
    writeMeta(tables, 'index', { encoder: ENCODER_VERSION, rebuilding: true })
    for (const name of DERIVED) tables[name].clearSync()
    for (const pageId of [...tables.page.getKeys({ ...WHOLE_TABLE })]) queuePage(tables, pageId)
  })
}

/** Lets searches and edits use the index, unless pages are still queued; false then. */
export function endRebuild(store: Store): boolean {
  return store.transact(() => {
    if (countQueued(store.tables) > 0) return false
    writeMeta(store.tables, 'index', { encoder: ENCODER_VERSION, rebuilding: false })
    return true
  })
}
