/**
 * Selects the *strong* postings of a very common term: a few thousand with the highest impact. Of equal ones it takes
 * an even sample, the same pages for every term. Searches for common words only start from these.
 *
 * The cut depends only on the number of the term's postings in each slot. Equal pages therefore have equal strong
 * postings, in whatever order they were written.
 */
import { SLOTS } from '../rows/impact.js'

/** A term on at least this many pages has a list of strong postings. */
export const STRONG_FROM = 32_768
/** Approximate number of strong postings of a term; sampling makes it vary. */
export const STRONG_SIZE = 16_384

/**
 * Postings with slots below `slot` are strong. With `slot` itself, those whose page is in the sample of one in
 * 2^`halvings`.
 */
export interface StrongCut {
  readonly slot: number
  readonly halvings: number
}

const MAX_HALVINGS = 31

/** The cut for a term with these counts of postings by slot. */
export function strongCut(counts: ArrayLike<number>): StrongCut {
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

export function isStrong(page: number, slot: number, cut: StrongCut): boolean {
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
