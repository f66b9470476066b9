/** Encodes queued pages for a search index. */
import { setImmediate } from 'node:timers/promises'
import {
  type AreaChanges,
  type BulkChunk,
  type BulkPage,
  byArea,
  ChunkEncoder,
  mergeChanges,
  mergeChunks,
  staleOf,
  storePages,
} from '../../index/write/bulk.js'
import { isIn } from '../../index/rows/searchChange.js'
import { postingWriter } from '../../index/write/indexWriter.js'
import type { PostingWriter } from '../../index/write/postingWriter.js'
import type { SortedRuns } from '../../index/write/sortedRuns.js'
import type { TermChange } from '../../index/write/termChanges.js'
import { incomingCategories, type IncomingPage, writeCategories } from '../categories/categoryIndexing.js'
import type { IncomingCategories } from '../categories/pageCategories.js'
import type { LinkRules } from '../../wikitext/languageLinks.js'
import { incomingLinks, type LinkedPage, replaceLinks } from '../links/linkIndexing.js'
import { addSources, type LinkWriter } from '../links/linkWriter.js'
import { rulesInForce } from '../links/linkRules.js'
import type { IncomingLinks } from '../links/pageLinks.js'
import {
  type IndexName,
  type IndexSet,
  type TableHolder,
  type Tables,
  type TableWriter,
  WHOLE_TABLE,
} from '../tables/tables.js'
import { indexedPage, readIndexable } from '../search/indexedPage.js'
import {
  addUnranked,
  indexInForce,
  type IndexTarget,
  readIndexState,
  requireTarget,
} from '../search/indexState.js'

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
  mergeChunks(tables.indexes[set], chunks, isQueuedIn(tables.indexes[set]))
  writeStatements(tables, set, chunks).finish()
}

/** Writes categories and links, and takes the pages from the queue. Links to pages are left to the writer. */
function writeStatements(tables: Tables, set: IndexName, chunks: readonly QueuedChunk[]): LinkWriter {
  const index = tables.indexes[set]
  const isCurrent = isQueuedIn(index)
  const known = indexInForce(tables)
  const categories = chunks.flatMap(({ pages, categories }) =>
    pages.flatMap((page, n): IncomingPage[] => (isCurrent(page) ? [[page.pageId, categories[n]]] : [])),
  )
  writeCategories(index, known, categories)
  const links = chunks.flatMap(({ pages, links }) =>
    pages.flatMap((page, n): LinkedPage[] => (isCurrent(page) ? [[page.pageId, links[n]]] : [])),
  )
  const writer = replaceLinks(index, known, links)
  for (const page of chunks.flatMap(({ pages }) => pages)) {
    if (isCurrent(page)) index.indexQueue.removeSync(page.pageId)
  }
  return writer
}

// A rebuild fills an empty set, which nobody else writes. So it may write postings and links to pages at its end, each
// row once: see index/write/sortedRuns.ts.

/** In front of the terms of each area, so that terms of all tables are in one order. */
const PREFIXES = { bodyPostings: '0', titlePostings: '1', linkSource: '2' } as const

/** Like `writeChunks`, for pages of which the index has nothing. `runs` gets postings, and links to pages. */
export function writeChunksToRuns(
  store: TableWriter,
  target: IndexTarget,
  chunks: readonly QueuedChunk[],
  runs: SortedRuns,
): void {
  store.transact(() => {
    requireTarget(store.tables, target)
    const index = store.tables.indexes[target.set]
    const stale = staleOf(chunks, isQueuedIn(index))
    storePages(index, chunks, stale)
    const links = writeStatements(store.tables, target.set, chunks)
    runs.add(termsInOrder(chunks, stale, links))
  })
}

/** All terms of chunks with their prefixes, and the targets of links. */
function* termsInOrder(
  chunks: readonly QueuedChunk[],
  stale: ReadonlySet<number>,
  links: LinkWriter,
): Generator<TermChange, void> {
  const areas = byArea(chunks).map((each) => ({ ...each, prefix: prefixOf(each) }))
  for (const { prefix, changes } of areas.sort((one, other) => (one.prefix < other.prefix ? -1 : 1)))
    yield* prefixed(prefix, mergeChanges(changes, stale))
  yield* prefixed(PREFIXES.linkSource, links.takeAdded())
}

const prefixOf = ({ kind, area }: Pick<AreaChanges, 'kind' | 'area'>): string =>
  PREFIXES[kind] + String.fromCharCode(area)

function* prefixed(prefix: string, changes: Iterable<TermChange>): Generator<TermChange, void> {
  for (const change of changes) yield { ...change, term: prefix + change.term }
}

/**
 * Writes what `writeChunksToRuns` has left, in transactions of some postings. `onStep` is called after each. Returns
 * false after an abort signal. Throws an IndexReplacedError.
 */
export async function writeRuns(
  store: TableWriter,
  target: IndexTarget,
  runs: SortedRuns,
  { postings, signal, onStep }: { postings: number; signal?: AbortSignal | undefined; onStep: () => void },
): Promise<boolean> {
  const { tables } = store
  const index = tables.indexes[target.set]
  const terms = runs.merge()
  let erasures = 0
  let left: LeftPages | undefined
  for (let isLast = false; !isLast;) {
    if (signal?.aborted) return false
    isLast = store.transact(() => {
      requireTarget(tables, target)
      const { erasures: present = 0 } = readIndexState(tables)
      if (present !== erasures) left = new LeftPages(index)
      erasures = present
      return writeTerms(index, left === undefined ? terms : left.only(terms), postings)
    })
    onStep()
    await setImmediate()
  }
  return true
}

/** The pages that an index still has after some were erased. To read them takes a second or two for a million. */
class LeftPages {
  readonly #indexed: Uint32Array
  readonly #withLinks: Uint32Array

  constructor({ indexed, pageLinks }: IndexSet) {
    this.#indexed = Uint32Array.from(indexed.getKeys(WHOLE_TABLE))
    this.#withLinks = Uint32Array.from(pageLinks.getKeys(WHOLE_TABLE))
  }

  /** Leaves out postings of all other pages. */
  *only(terms: Generator<TermChange, void>): Generator<TermChange, void> {
    for (let next = terms.next(); next.done !== true; next = terms.next()) {
      const change = next.value
      const left = change.term.startsWith(PREFIXES.linkSource) ? this.#withLinks : this.#indexed
      let to = change.from
      for (let n = change.from; n < change.to; n++) {
        if (!isIn(left, change.pages[n]!)) continue
        change.pages[to] = change.pages[n]!
        change.slots[to++] = change.slots[n]!
      }
      if (to > change.from) yield { ...change, to }
    }
  }
}

/** Writes the next terms, with some postings in all. Returns true after the last term. */
function writeTerms(index: IndexSet, terms: Generator<TermChange, void>, postings: number): boolean {
  const writers = new Map<string, PostingWriter>()
  for (let written = 0; written < postings;) {
    const next = terms.next()
    if (next.done) return true
    const { term, ...change } = next.value
    written += change.to
    if (term.startsWith(PREFIXES.linkSource)) {
      addSources(index, { ...change, term: term.slice(1) })
      continue
    }
    const prefix = term.slice(0, 2)
    let writer = writers.get(prefix)
    if (writer === undefined) {
      const kind = prefix.startsWith(PREFIXES.bodyPostings) ? 'bodyPostings' : 'titlePostings'
      writers.set(prefix, (writer = postingWriter(index, kind, prefix.charCodeAt(1))))
    }
    writer.writeNew({ ...change, term: term.slice(2) })
  }
  return false
}

const isQueuedIn =
  (index: IndexSet) =>
  ({ pageId, generation }: BulkPage): boolean =>
    queuedGeneration(index, pageId) === generation

function queuedGeneration({ indexQueue }: IndexSet, pageId: number): number | undefined {
  return indexQueue.getBinaryFast(pageId)?.readDoubleBE(0)
}
