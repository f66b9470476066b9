/** Merges changes into the rows of postings. */
import { SLOTS } from '../rows/impact.js'
import {
  ALL_PAGES,
  decodePostings,
  divideIntoRows,
  encodeHead,
  encodeRow,
  FILL_BYTES,
  HEAD_BYTES,
  LONGEST_POSTING,
  Postings,
  type RowPart,
} from '../rows/postingRow.js'
import type { IndexTable, PostingKey } from '../rows/tables.js'
import { GONE, type TermChange, type TermChanges } from './termChanges.js'

/** The changes of one term that are left to write. */
type Stretch = Omit<TermChange, 'term' | 'to'> & { to: number }

/** The changes that were written for one term. */
export interface TermWriting {
  /** Number of pages with the term, before and after. */
  readonly before: number
  readonly after: number
  readonly change: TermChange
  /** Growth of the number of postings, by slot. */
  readonly slotChanges: ArrayLike<number>
}

export class PostingWriter {
  readonly #table: IndexTable<PostingKey>
  readonly #area: number
  readonly #follow: ((writing: TermWriting) => void) | undefined
  readonly #before = scratchBefore
  readonly #after = scratchAfter
  readonly #slotChanges = new Array<number>(SLOTS).fill(0)

  /** `follow` is called for each written term, in the same transaction. */
  constructor(table: IndexTable<PostingKey>, area: number, follow?: (writing: TermWriting) => void) {
    this.#table = table
    this.#area = area
    this.#follow = follow
  }

  /** Writes the changes of all terms. Repeating a change has no effect. Call it within a transaction. */
  write({ terms, offsets, pages, slots }: TermChanges): void {
    for (let n = 0; n < terms.length; n++)
      this.#writeChange({ term: terms[n]!, pages, slots, from: offsets[n]!, to: offsets[n + 1]! }, false)
  }

  /** Like `write`, for the changes of many pages. It looks for no terms in an area that is empty. */
  writeMany(changes: Iterable<TermChange>): void {
    const isFirst = this.#isEmpty()
    for (const change of changes) this.#writeChange(change, isFirst)
  }

  /** Writes all postings of a term that has none. */
  writeNew(change: TermChange): void {
    this.#writeChange(change, true)
  }

  #writeChange(change: TermChange, isNew: boolean): void {
    const { term, pages, slots, from, to } = change
    this.#slotChanges.fill(0)
    const head = isNew ? undefined : this.#table.getBinaryFast([this.#area, term, 0])
    const { before, after } = this.#writeTerm(term, head, { pages, slots, from, to })
    this.#follow?.({ before, after, change, slotChanges: this.#slotChanges })
  }

  /** Tells if the area never had pages, so that no term has a row. */
  #isEmpty(): boolean {
    return this.#table.getBinaryFast([this.#area, ALL_PAGES, 0]) === undefined
  }

  /** Changes the number of pages in the area by `difference`. */
  countPages(difference: number): void {
    if (difference === 0) return
    const head = this.#table.getBinaryFast([this.#area, ALL_PAGES, 0])
    const count = (head?.readUInt32BE(0) ?? 0) + difference
    this.#after.clear()
    this.#put(ALL_PAGES, encodeHead(Math.max(0, count), false, this.#after, EMPTY_PART))
  }

  /**
   * Works backwards from the last change. A page belongs to the last row that begins at or before it. That row takes
   * all changes from its own first page on.
   */
  #writeTerm(
    term: string,
    head: Buffer | undefined,
    stretch: Stretch,
  ): { readonly before: number; readonly after: number } {
    const before = head?.readUInt32BE(0) ?? 0
    let frequency = before
    const hasMore = head?.[4] === 1
    if (!hasMore) {
      this.#readHead(head)
      frequency += this.#merge(stretch, 0)
      this.#writeHead(term, frequency, false)
      return { before, after: frequency }
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
    return { before, after: frequency }
  }

  /** First page of the row that `page` belongs to; 0 for the head. */
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
   * Merges `before` with the changes for pages from `first` on, into `after`, and removes those changes from the
   * stretch. Returns the growth of the number of postings.
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
      if (n < before.length && before.pages[n] === page) this.#slotChanges[before.slots[n++]!]!--
      const slot = slots[at]!
      if (slot === GONE) continue
      after.push(page, slot)
      this.#slotChanges[slot]!++
    }
    for (; n < before.length; n++) after.push(before.pages[n]!, before.slots[n]!)
    return after.length - before.length
  }

  #writeHead(term: string, frequency: number, hadMore: boolean): void {
    const joined = hadMore && this.#joinNext(term, 0, HEAD_BYTES)
    const hasMore = joined ? this.#nextRow(term, 0) !== undefined : hadMore
    const [part = EMPTY_PART, ...others] = divideIntoRows(this.#after, 0, this.#hasGrown())
    if (frequency === 0) {
      this.#table.removeSync([this.#area, term, 0])
      return
    }
    this.#put(term, encodeHead(frequency, hasMore || others.length > 0, this.#after, part))
    this.#putOthers(term, others)
  }

  #writeRow(term: string, first: number): void {
    if (this.#after.length === 0) {
      this.#table.removeSync([this.#area, term, first])
      return
    }
    this.#joinNext(term, first, 0)
    const [part = EMPTY_PART, ...others] = divideIntoRows(this.#after, first, this.#hasGrown())
    this.#table.putSync([this.#area, term, first], encodeRow(this.#after, part, first))
    this.#putOthers(term, others)
  }

  /**
   * Appends the next row to `after` when the row has shrunk so far that both fit into one; returns whether it did. The
   * caller must then write the row. A row that only grows at its end is small too, but it will fill up.
   */
  #joinNext(term: string, first: number, headBytes: number): boolean {
    const [before, after] = [this.#before, this.#after]
    if (after.length >= before.length || after.length > SMALL_POSTINGS) return false
    const next = this.#nextRow(term, first)
    const row = next === undefined ? undefined : this.#table.getBinaryFast([this.#area, term, next])
    if (row === undefined) return false
    const room = FILL_BYTES - headBytes - LONGEST_POSTING * (after.length + 1)
    if (row.length > room) return false
    decodePostings(row, 0, row.length, next!, after)
    this.#table.removeSync([this.#area, term, next!])
    return true
  }

  /** First page of the row after `first`. */
  #nextRow(term: string, first: number): number | undefined {
    const range = { start: [this.#area, term, first + 1], end: [this.#area, term + AFTER, 0] } as const
    for (const [, , next] of this.#table.getKeys({ ...range, limit: 1 })) return next
    return undefined
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

  /** Whether all new postings come after the existing ones. */
  #hasGrown(): boolean {
    const [before, after] = [this.#before, this.#after]
    const last = before.length - 1
    return last < 0 || (after.length > last && after.pages[last] === before.pages[last])
  }
}

/** A row that shrinks to this many postings is joined with the next one, if both fit. */
const SMALL_POSTINGS = 150
/** Sorts after all rows of a term, and before those of longer terms. */
const AFTER = '\u0001'

/** All writers of a thread share these: writing is synchronous, and nothing stays in them between rows. */
const scratchBefore = new Postings()
const scratchAfter = new Postings()

const EMPTY_PART: RowPart = { from: 0, to: 0, bytes: 0 }
