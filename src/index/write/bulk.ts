/**
 * Bulk indexing. Threads encode chunks of pages. One thread merges many chunks per transaction, term by term in order,
 * so that each row is written once for thousands of pages.
 */
import { encodeCompletion } from '../titles/completions.js'
import { FlexIndex } from './flexIndex.js'
import { TEXT_REFERENCE, TITLE_REFERENCE } from '../rows/impact.js'
import { encodeIndexedRow, type IndexedPage, IndexedRowView } from '../rows/indexedRow.js'
import {
  type AreaText,
  bodyOf,
  type PostingTable,
  postingWriter,
  readIndexedRow,
  storePage,
  titleOf,
} from './indexWriter.js'
import type { IndexTables } from '../rows/tables.js'
import type { TermChanges } from './termChanges.js'

/** Changes of postings in one area. Terms are joined by spaces, which no term contains. */
export interface AreaChanges extends Omit<TermChanges, 'terms'> {
  readonly kind: PostingTable
  readonly area: number
  readonly terms: string
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

/** Encodes pages, each once, and collects the changes of postings. */
export class ChunkEncoder {
  readonly #tables: IndexTables
  readonly #pages: BulkPage[] = []
  readonly #indexes = new Map<string, { kind: PostingTable; area: number; index: FlexIndex }>()

  constructor(tables: IndexTables) {
    this.#tables = tables
  }

  /** Adds the current state of a page; undefined means that the page is gone. */
  add(pageId: number, generation: number, page: IndexedPage | undefined): void {
    const before = readIndexedRow(this.#tables, pageId)
    const after = page && new IndexedRowView(encodeIndexedRow(page))
    this.#replace('bodyPostings', pageId, before && bodyOf(before), after && bodyOf(after))
    this.#replace('titlePostings', pageId, before && titleOf(before), after && titleOf(after))
    const completion = page && encodeCompletion(page)
    this.#pages.push({ pageId, generation, row: after?.row, completion })
  }

  finish(): BulkChunk {
    const changes = [...this.#indexes.values()].map(({ kind, area, index }): AreaChanges => {
      const { terms, ...arrays } = index.takeChanges()
      return { kind, area, terms: terms.join(' '), ...arrays }
    })
    return { pages: packed(this.#pages), changes }
  }

  #replace(
    kind: PostingTable,
    pageId: number,
    before: AreaText | undefined,
    after: AreaText | undefined,
  ): void {
    if (before?.area === after?.area) {
      if (before !== undefined) this.#index(kind, before.area).replace(pageId, before.text, after?.text)
      return
    }
    if (before !== undefined) this.#index(kind, before.area).replace(pageId, before.text, undefined)
    if (after !== undefined) this.#index(kind, after.area).replace(pageId, undefined, after.text)
  }

  #index(kind: PostingTable, area: number): FlexIndex {
    const key = `${kind} ${area}`
    const known = this.#indexes.get(key)
    if (known !== undefined) return known.index
    const index = new FlexIndex(kind === 'bodyPostings' ? TEXT_REFERENCE : TITLE_REFERENCE)
    this.#indexes.set(key, { kind, area, index })
    return index
  }
}

/** The same pages with their rows in one block of memory, which can be transferred without copying. */
function packed(pages: readonly BulkPage[]): BulkPage[] {
  const parts = pages.flatMap(({ row, completion }) => [row, completion])
  const block = new Uint8Array(parts.reduce((sum, part) => sum + (part?.length ?? 0), 0))
  let at = 0
  const move = (part: Uint8Array | undefined): Uint8Array | undefined => {
    if (part === undefined) return undefined
    block.set(part, at)
    at += part.length
    return block.subarray(at - part.length, at)
  }
  return pages.map((page) => ({ ...page, row: move(page.row), completion: move(page.completion) }))
}

/** The memory to transfer with a chunk. */
export function transferables({ pages, changes }: BulkChunk): ArrayBufferLike[] {
  const rows = pages.find(({ row }) => row !== undefined)?.row
  const arrays = changes.flatMap(({ offsets, pages, slots }) => [offsets, pages, slots])
  return [...(rows === undefined ? [] : [rows.buffer]), ...arrays.map(({ buffer }) => buffer)]
}

/** Writes chunks, except pages that have changed according to `isCurrent`. Call it within a transaction. */
export function mergeChunks(
  tables: IndexTables,
  chunks: readonly BulkChunk[],
  isCurrent: (page: BulkPage) => boolean,
): void {
  const stale = new Set<number>()
  for (const { pages } of chunks) for (const page of pages) if (!isCurrent(page)) stale.add(page.pageId)
  for (const changes of byArea(chunks)) {
    const { kind, area } = changes[0]!
    postingWriter(tables, kind, area).write(mergeChanges(changes, stale))
  }
  for (const { pages } of chunks) {
    for (const { pageId, row, completion } of pages) {
      if (stale.has(pageId)) continue
      const after = row && {
        row: new IndexedRowView(bufferOf(row)),
        completion: completion && bufferOf(completion),
      }
      storePage(tables, pageId, readIndexedRow(tables, pageId), after)
    }
  }
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

function byArea(chunks: readonly BulkChunk[]): AreaChanges[][] {
  const areas = new Map<string, AreaChanges[]>()
  for (const changes of chunks.flatMap((chunk) => chunk.changes)) {
    const key = `${changes.kind} ${changes.area}`
    areas.set(key, [...(areas.get(key) ?? []), changes])
  }
  return [...areas.values()]
}

/** Merges the changes of one area, without those of stale pages. */
function mergeChanges(parts: readonly AreaChanges[], stale: ReadonlySet<number>): TermChanges {
  const places = new Map<string, number[]>()
  parts.forEach(({ terms }, part) => {
    if (terms === '') return
    terms.split(' ').forEach((term, n) => {
      const known = places.get(term)
      if (known === undefined) places.set(term, [part, n])
      else known.push(part, n)
    })
  })
  const terms = [...places.keys()].sort()
  const count = parts.reduce((sum, { pages }) => sum + pages.length, 0)
  const merged = {
    terms,
    offsets: new Uint32Array(terms.length + 1),
    pages: new Uint32Array(count),
    slots: new Uint8Array(count),
  }
  let at = 0
  terms.forEach((term, index) => {
    merged.offsets[index] = at
    const known = places.get(term)!
    for (let n = 0; n < known.length; n += 2) {
      const { offsets, pages, slots } = parts[known[n]!]!
      for (let m = offsets[known[n + 1]!]!; m < offsets[known[n + 1]! + 1]!; m++) {
        if (stale.size > 0 && stale.has(pages[m]!)) continue
        merged.pages[at] = pages[m]!
        merged.slots[at++] = slots[m]!
      }
    }
  })
  merged.offsets[terms.length] = at
  return merged
}
