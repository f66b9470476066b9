/** Merges changes of postings into the rows of a term. */
import {
  decodePostings,
  divideIntoRows,
  encodeHead,
  encodeRow,
  HEAD_BYTES,
  Postings,
  type RowPart,
} from './postingRow.js'
import type { IndexTable, PostingKey } from './tables.js'
import { GONE, type TermChanges } from './termChanges.js'

/** The term whose head counts the pages of an area. */
export const ALL_PAGES = ''

/** Changes of one term: a stretch of `TermChanges`. */
interface Stretch {
  readonly pages: Uint32Array
  readonly slots: Uint8Array
  readonly from: number
  to: number
}

export class PostingWriter {
  readonly #table: IndexTable<PostingKey>
  readonly #area: number
  readonly #before = new Postings()
  readonly #after = new Postings()

  constructor(table: IndexTable<PostingKey>, area: number) {
    this.#table = table
    this.#area = area
  }

  /** Writes changes of all their terms; a change that is there already has no effect. Call it within a transaction. */
  write({ terms, offsets, pages, slots }: TermChanges): void {
    for (let n = 0; n < terms.length; n++) {
      this.#writeTerm(terms[n]!, { pages, slots, from: offsets[n]!, to: offsets[n + 1]! })
    }
  }

  /** Counts pages of the area that came or, below 0, went. */
  countPages(difference: number): void {
    if (difference === 0) return
    const head = this.#table.getBinaryFast([this.#area, ALL_PAGES, 0])
    const count = (head?.readUInt32BE(0) ?? 0) + difference
    this.#after.clear()
    this.#put(ALL_PAGES, encodeHead(Math.max(0, count), false, this.#after, EMPTY_PART))
  }

  /**
   * Works from the last change to the first: the row that a page belongs to is the last one that begins at or before
   * it, and takes all changes from its own first page on.
   */
  #writeTerm(term: string, stretch: Stretch): void {
    const head = this.#table.getBinaryFast([this.#area, term, 0])
    let frequency = head?.readUInt32BE(0) ?? 0
    const hasMore = head?.[4] === 1
    if (!hasMore) {
      this.#readHead(head)
      frequency += this.#merge(stretch, 0)
      this.#writeHead(term, frequency, false)
      return
    }
    while (stretch.from < stretch.to) {
      const first = this.#floor(term, stretch.pages[stretch.to - 1]!)
      if (first === 0) break
      this.#readRow(term, first)
      frequency += this.#merge(stretch, first)
      this.#writeRow(term, first)
    }
    this.#readHead(this.#table.getBinaryFast([this.#area, term, 0]))
    frequency += this.#merge(stretch, 0)
    this.#writeHead(term, frequency, true)
  }

  /** First page of the row that `page` belongs to; 0 is the head. */
  #floor(term: string, page: number): number {
    const range = { start: [this.#area, term, page], end: [this.#area, term, 0] } as const
    for (const [, , first] of this.#table.getKeys({ ...range, reverse: true, limit: 1 })) return first
    return 0
  }

  #readHead(head: Buffer | undefined): void {
    this.#before.clear()
    if (head !== undefined) decodePostings(head, HEAD_BYTES, head.length, 0, this.#before)
  }

  #readRow(term: string, first: number): void {
    this.#before.clear()
    const row = this.#table.getBinaryFast([this.#area, term, first])
    if (row !== undefined) decodePostings(row, 0, row.length, first, this.#before)
  }

  /**
   * Makes `after` of `before` and those changes of the stretch that are of pages from `first` on, and takes them off
   * the stretch. Returns by how many the postings have grown.
   */
  #merge(stretch: Stretch, first: number): number {
    const { pages, slots } = stretch
    let at = stretch.to
    while (at > stretch.from && pages[at - 1]! >= first) at--
    const end = stretch.to
    stretch.to = at
    const [before, after] = [this.#before, this.#after]
    after.clear()
    after.reserve(before.length + end - at)
    let n = 0
    for (; at < end; at++) {
      const page = pages[at]!
      while (n < before.length && before.pages[n]! < page) {
        after.push(before.pages[n]!, before.slots[n]!)
        n++
      }
      if (n < before.length && before.pages[n] === page) n++
      if (slots[at] !== GONE) after.push(page, slots[at]!)
    }
    for (; n < before.length; n++) after.push(before.pages[n]!, before.slots[n]!)
    return after.length - before.length
  }

  #writeHead(term: string, frequency: number, hadMore: boolean): void {
    const [part = EMPTY_PART, ...others] = divideIntoRows(this.#after, 0, this.#hasGrown())
    if (frequency === 0) {
      this.#table.removeSync([this.#area, term, 0])
      return
    }
    this.#put(term, encodeHead(frequency, hadMore || others.length > 0, this.#after, part))
    this.#putOthers(term, others)
  }

  #writeRow(term: string, first: number): void {
    if (this.#after.length === 0) {
      this.#table.removeSync([this.#area, term, first])
      return
    }
    const [part = EMPTY_PART, ...others] = divideIntoRows(this.#after, first, this.#hasGrown())
    this.#table.putSync([this.#area, term, first], encodeRow(this.#after, part, first))
    this.#putOthers(term, others)
  }

  #put(term: string, head: Buffer): void {
    this.#table.putSync([this.#area, term, 0], head)
  }

  #putOthers(term: string, parts: readonly RowPart[]): void {
    for (const part of parts) {
      const first = this.#after.pages[part.from]!
      this.#table.putSync([this.#area, term, first], encodeRow(this.#after, part, first))
    }
  }

  /** Whether all that is new stands after what was there. */
  #hasGrown(): boolean {
    const [before, after] = [this.#before, this.#after]
    const last = before.length - 1
    return last < 0 || (after.length > last && after.pages[last] === before.pages[last])
  }
}

const EMPTY_PART: RowPart = { from: 0, to: 0, bytes: 0 }
