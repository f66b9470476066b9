/** Keeps the strong postings of very common terms consistent with all their postings. */
import { SLOTS } from '../rows/impact.js'
import { Postings } from '../rows/postingRow.js'
import { PostingWriter, type TermWriting } from './postingWriter.js'
import type { IndexTable, PostingKey } from '../rows/tables.js'
import { GONE } from './termChanges.js'
import { TermLists } from '../search/termLists.js'

// Selects the *strong* postings of a very common term: a few thousand with the highest impact. Of equal ones it takes
// an even sample, the same pages for every term. Searches for common words only start from these.
//
// The cut depends only on the number of the term's postings in each slot. Equal pages therefore have equal strong
// postings, in whatever order they were written.

/** A term on at least this many pages has a list of strong postings. */
export const STRONG_FROM = 32_768
/** Approximate number of strong postings of a term; sampling makes it vary. */
export const STRONG_SIZE = 16_384

/**
 * Postings with slots below `slot` are strong. With `slot` itself, those whose page is in the sample of one in
 * 2^`halvings`.
 */
interface StrongCut {
  readonly slot: number
  readonly halvings: number
}

const MAX_HALVINGS = 31

/** The cut for a term with these counts of postings by slot. */
function strongCut(counts: ArrayLike<number>): StrongCut {
  let room = STRONG_SIZE
  for (let slot = 0; slot < SLOTS; slot++) {
    const count = counts[slot]!
    if (count > room) return { slot, halvings: halvingsFor(count, room) }
    room -= count
  }
  return { slot: SLOTS, halvings: 0 }
}

function halvingsFor(count: number, room: number): number {
  let halvings = 0
  for (let rest = count; rest > room && halvings < MAX_HALVINGS; rest /= 2) halvings++
  return halvings
}

function isStrong(page: number, slot: number, cut: StrongCut): boolean {
  return slot < cut.slot || (slot === cut.slot && isSampled(page, cut.halvings))
}

/** Whether a page is in the sample of one in 2^`halvings`. A sample contains all smaller ones. */
function isSampled(page: number, halvings: number): boolean {
  return halvings === 0 || mixed(page) >>> (32 - halvings) === 0
}

/** Hashes a page id with murmur3's 32-bit finalizer (fmix32): every bit of the id affects every bit of the result. */
function mixed(page: number): number {
  let bits = page
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** Areas for rows with the counts of a term's postings by slot: 16 times u32. */
export const COUNTS_AREA = 0x8000

export class StrongWriter {
  readonly #all: IndexTable<PostingKey>
  readonly #strong: IndexTable<PostingKey>
  readonly #area: number

  /** `all` and `strong` are the tables of all postings and of the strong ones. */
  constructor(all: IndexTable<PostingKey>, strong: IndexTable<PostingKey>, area: number) {
    this.#all = all
    this.#strong = strong
    this.#area = area
  }

  /** Applies the changes that were written for a term. Call it within the same transaction. */
  follow(writing: TermWriting): void {
    const { before, after, change } = writing
    const { term, from, to } = change
    if (after < STRONG_FROM) {
      if (before >= STRONG_FROM) this.#drop(term)
      return
    }
    const known = before < STRONG_FROM ? undefined : this.#readCounts(term)
    if (known === undefined) return this.#build(term)
    const counts = known.map((count, slot) => count + writing.slotChanges[slot]!)
    const [old, cut] = [strongCut(known), strongCut(counts)]
    if (old.slot !== cut.slot || old.halvings !== cut.halvings) return this.#build(term)
    this.#writeCounts(term, counts)
    const pages = change.pages.subarray(from, to)
    const slots = change.slots
      .subarray(from, to)
      .map((slot, n) => (slot !== GONE && isStrong(pages[n]!, slot, cut) ? slot : GONE))
    this.#write(term, pages, slots)
  }

  /** Rebuilds the list of a term from all its postings. */
  #build(term: string): void {
    this.#drop(term)
    const { counts, strong } = strongPostingsOf(new TermLists(this.#all, this.#area), term)
    this.#writeCounts(term, counts)
    const { pages, slots, length } = strong
    this.#write(term, pages.subarray(0, length), slots.subarray(0, length))
  }

  #write(term: string, pages: Uint32Array, slots: Uint8Array): void {
    const offsets = Uint32Array.of(0, pages.length)
    new PostingWriter(this.#strong, this.#area).write({ terms: [term], offsets, pages, slots })
  }

  #drop(term: string): void {
    const range = { start: [this.#area, term, 0], end: [this.#area, `${term}\u0001`, 0] } as const
    for (const key of [...this.#strong.getKeys(range)]) this.#strong.removeSync(key)
    this.#strong.removeSync([this.#area | COUNTS_AREA, term, 0])
  }

  #readCounts(term: string): number[] | undefined {
    const row = this.#strong.getBinaryFast([this.#area | COUNTS_AREA, term, 0])
    return row && Array.from({ length: SLOTS }, (_, slot) => row.readUInt32BE(4 * slot))
  }

  #writeCounts(term: string, counts: readonly number[]): void {
    this.#strong.putSync([this.#area | COUNTS_AREA, term, 0], encodeCounts(counts))
  }
}

export function encodeCounts(counts: readonly number[]): Buffer {
  const row = Buffer.allocUnsafe(4 * SLOTS)
  counts.forEach((count, slot) => row.writeUInt32BE(count, 4 * slot))
  return row
}

/** The correct strong postings of a term, and its counts by slot. */
export function strongPostingsOf(
  lists: TermLists,
  term: string,
): { readonly counts: readonly number[]; readonly strong: Postings } {
  const counts = new Array<number>(SLOTS).fill(0)
  const strong = new Postings()
  const list = lists.find(term)
  if (list === undefined) return { counts, strong }
  const { pages, slots, length } = lists.readAll(list, { left: Number.POSITIVE_INFINITY })
  for (let n = 0; n < length; n++) counts[slots[n]!]!++
  const cut: StrongCut = strongCut(counts)
  for (let n = 0; n < length; n++) if (isStrong(pages[n]!, slots[n]!, cut)) strong.push(pages[n]!, slots[n]!)
  return { counts, strong }
}
