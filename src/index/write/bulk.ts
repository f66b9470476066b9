/**
 * Bulk indexing. Threads encode chunks of pages. One thread merges many chunks per transaction, term by term in order,
 * so that each row is written once for thousands of pages.
 */
import { encodeCompletion } from '../rows/completions.js'
import { TEXT_REFERENCE, TITLE_REFERENCE } from '../rows/impact.js'
import { encodeIndexedRow, type IndexedPage, IndexedRowView, titleInRow } from '../rows/indexedRow.js'
import { BulkIndex, type JoinedChanges, type TextParts } from './bulkIndex.js'
import { type AreaText, bodyOf, type PostingTable, titleArea, titleOf } from '../rows/areas.js'
import { postingWriter } from './indexWriter.js'
import { PageStore, readIndexedRow } from './pageStore.js'
import type { IndexTables } from '../rows/tables.js'
import { Postings } from '../rows/postingRow.js'
import type { TermChange } from './termChanges.js'

/** Copies of rows in few blocks of memory, which can be transferred to another thread. */
const BLOCK_BYTES = 2 ** 20

class RowBlocks {
  #block = new Uint8Array(0)
  #used = 0

  /** Copies a row, and returns the copy. */
  add(row: Uint8Array): Uint8Array {
    if (this.#used + row.length > this.#block.length) {
      this.#block = new Uint8Array(Math.max(BLOCK_BYTES, row.length))
      this.#used = 0
    }
    const copy = this.#block.subarray(this.#used, this.#used + row.length)
    copy.set(row)
    this.#used += row.length
    return copy
  }
}

/** Changes of postings in one area. */
export interface AreaChanges extends JoinedChanges {
  readonly kind: PostingTable
  readonly area: number
}

/** A page of a chunk, with its new rows, or none when the page is gone. */
export interface BulkPage {
  readonly pageId: number
  /** Generation of the queue's entry when the page was read. */
  readonly generation: number
  readonly row: Uint8Array | undefined
  readonly completion: Uint8Array | undefined
}

/** A thread's result for some pages, which can be sent to another thread. */
export interface BulkChunk {
  readonly pages: readonly BulkPage[]
  readonly changes: readonly AreaChanges[]
}

/** A text in parts, and the area of its postings. */
interface AreaParts {
  readonly area: number
  readonly parts: TextParts
}

/** Encodes pages in ascending order, each once, and collects the changes of postings. */
export class ChunkEncoder {
  readonly #tables: IndexTables
  #pages: BulkPage[] = []
  #rows = new RowBlocks()
  readonly #indexes = new Map<string, { kind: PostingTable; area: number; index: BulkIndex }>()

  constructor(tables: IndexTables) {
    this.#tables = tables
  }

  /** Number of changed postings since the last `finish`. */
  get postings(): number {
    let sum = 0
    for (const { index } of this.#indexes.values()) sum += index.size
    return sum
  }

  /** Adds the current state of a page; undefined means that the page is gone. */
  add(pageId: number, generation: number, page: IndexedPage | undefined): void {
    const before = readIndexedRow(this.#tables, pageId)
    this.#replace('bodyPostings', pageId, before && wholeText(bodyOf(before)), page && bodyParts(page))
    this.#replace('titlePostings', pageId, before && wholeText(titleOf(before)), page && titleParts(page))
    const row = page && this.#rows.add(encodeIndexedRow(page))
    const completion = page && encodeCompletion(page)
    this.#pages.push({ pageId, generation, row, completion: completion && this.#rows.add(completion) })
  }

  /** The chunk of all pages since the last call. */
  finish(): BulkChunk {
    const changes = Array.from(this.#indexes.values(), ({ kind, area, index }): AreaChanges => ({
      kind,
      area,
      ...index.takeChanges(),
    }))
    const pages = this.#pages
    this.#pages = []
    this.#rows = new RowBlocks()
    return { pages, changes: changes.filter(({ terms }) => terms !== '') }
  }

  #replace(
    kind: PostingTable,
    pageId: number,
    before: AreaParts | undefined,
    after: AreaParts | undefined,
  ): void {
    if (before?.area === after?.area) {
      if (before !== undefined) this.#index(kind, before.area).replace(pageId, before.parts, after?.parts)
      return
    }
    if (before !== undefined) this.#index(kind, before.area).replace(pageId, before.parts, undefined)
    if (after !== undefined) this.#index(kind, after.area).replace(pageId, undefined, after.parts)
  }

  #index(kind: PostingTable, area: number): BulkIndex {
    const key = `${kind} ${area}`
    const known = this.#indexes.get(key)
    if (known !== undefined) return known.index
    const index = new BulkIndex(kind === 'bodyPostings' ? TEXT_REFERENCE : TITLE_REFERENCE)
    this.#indexes.set(key, { kind, area, index })
    return index
  }
}

const wholeText = (of: AreaText | undefined): AreaParts | undefined =>
  of && { area: of.area, parts: [of.text] }

/** The texts that `bodyOf` and `titleOf` find in the page's row. */
function bodyParts({ redirect, namespace, dbkey, text, auxiliary }: IndexedPage): AreaParts | undefined {
  if (redirect !== undefined) return undefined
  return { area: namespace, parts: [titleInRow(dbkey), text, auxiliary] }
}

const titleParts = ({ redirect, namespace, dbkey }: IndexedPage): AreaParts => ({
  area: titleArea(namespace, redirect !== undefined),
  parts: [titleInRow(dbkey)],
})

/** The memory to transfer with a chunk. */
export function transferables({ pages, changes }: BulkChunk): ArrayBufferLike[] {
  const rows = pages.flatMap(({ row, completion }) => [row, completion])
  const arrays = changes.flatMap(({ offsets, pages, slots }) => [offsets, pages, slots])
  return [...new Set([...rows, ...arrays].flatMap((array) => (array === undefined ? [] : array.buffer)))]
}

/** Writes chunks, except pages that have changed according to `isCurrent`. Call it within a transaction. */
export function mergeChunks(
  tables: IndexTables,
  chunks: readonly BulkChunk[],
  isCurrent: (page: BulkPage) => boolean,
): void {
  const stale = staleOf(chunks, isCurrent)
  for (const { kind, area, changes } of byArea(chunks))
    postingWriter(tables, kind, area).writeMany(mergeChanges(changes, stale))
  storePages(tables, chunks, stale)
}

/** Pages that have changed since they were encoded. */
export function staleOf(
  chunks: readonly BulkChunk[],
  isCurrent: (page: BulkPage) => boolean,
): ReadonlySet<number> {
  const stale = new Set<number>()
  for (const { pages } of chunks) for (const page of pages) if (!isCurrent(page)) stale.add(page.pageId)
  return stale
}

/** Writes the rows of pages, without their postings. */
export function storePages(
  tables: IndexTables,
  chunks: readonly BulkChunk[],
  stale: ReadonlySet<number>,
): void {
  const store = new PageStore(tables)
  for (const { pages } of chunks) {
    for (const { pageId, row, completion } of pages) {
      if (stale.has(pageId)) continue
      const after = row && {
        row: new IndexedRowView(bufferOf(row)),
        completion: completion && bufferOf(completion),
      }
      store.store(pageId, readIndexedRow(tables, pageId), after)
    }
  }
  store.writeCounts()
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

/** The changes of all chunks in one area. */
interface AreaOfChunks extends Pick<AreaChanges, 'kind' | 'area'> {
  readonly changes: JoinedChanges[]
}

export function byArea(chunks: readonly BulkChunk[]): AreaOfChunks[] {
  const areas = new Map<string, AreaOfChunks>()
  for (const { kind, area, ...changes } of chunks.flatMap((chunk) => chunk.changes)) {
    const key = `${kind} ${area}`
    const known = areas.get(key)
    if (known === undefined) areas.set(key, { kind, area, changes: [changes] })
    else known.changes.push(changes)
  }
  return [...areas.values()]
}

// Merges the changes that several threads have found in one area.

/** The changes of one thread, and how far they are merged. */
class Part {
  readonly changes: JoinedChanges
  /** The present term; undefined after the last. Terms are cut off one by one: strings for all take megabytes. */
  term: string | undefined
  #termEnd = -1
  #at = 0
  /** The next change of the term that was opened last, and the end of its changes. */
  next = 0
  end = 0

  constructor(changes: JoinedChanges) {
    this.changes = changes
    this.#cutTerm()
  }

  /** Opens the changes of the present term, and goes to the next one. */
  open(): void {
    this.next = this.changes.offsets[this.#at]!
    this.end = this.changes.offsets[++this.#at]!
    this.#cutTerm()
  }

  #cutTerm(): void {
    const { terms } = this.changes
    const start = this.#termEnd + 1
    if (start >= terms.length) {
      this.term = undefined
      return
    }
    const space = terms.indexOf(' ', start)
    this.#termEnd = space < 0 ? terms.length : space
    this.term = terms.slice(start, this.#termEnd)
  }
}

/**
 * Merges changes of disjoint pages, without those of stale pages, term by term in order. The caller must be done with a
 * term's changes before it takes the next.
 */
export function* mergeChanges(
  joined: readonly JoinedChanges[],
  stale: ReadonlySet<number>,
): Generator<TermChange, void> {
  const parts = joined.map((changes) => new Part(changes))
  const merged = new Postings()
  for (let term = firstTerm(parts); term !== undefined; term = firstTerm(parts)) {
    const having = parts.filter((part) => part.term === term)
    for (const part of having) part.open()
    const [first] = having
    if (having.length === 1 && stale.size === 0) {
      const { changes, next, end } = first!
      yield { term, pages: changes.pages, slots: changes.slots, from: next, to: end }
    } else {
      mergePages(having, stale, merged)
      yield { term, pages: merged.pages, slots: merged.slots, from: 0, to: merged.length }
    }
  }
}

function firstTerm(parts: readonly Part[]): string | undefined {
  let first: string | undefined
  for (const { term } of parts) if (term !== undefined && (first === undefined || term < first)) first = term
  return first
}

/** Merges the changes of one term in the order of pages. */
function mergePages(parts: readonly Part[], stale: ReadonlySet<number>, into: Postings): void {
  into.clear()
  for (;;) {
    let first: Part | undefined
    for (const part of parts) {
      if (part.next === part.end) continue
      if (first === undefined || part.changes.pages[part.next]! < first.changes.pages[first.next]!)
        first = part
    }
    if (first === undefined) return
    const { pages, slots } = first.changes
    const at = first.next++
    if (stale.size === 0 || !stale.has(pages[at]!)) into.push(pages[at]!, slots[at]!)
  }
}
