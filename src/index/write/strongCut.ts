/**
 * Which postings of a very common term are *strong*: a few thousand of those that say most about their pages, and of
 * equal ones an even sample, the same pages for every term. Searches for nothing but common words begin with these.
 *
 * The cut is worked out from how many postings of each slot the term has, and from nothing else: whatever way a wiki
 * came to its pages, equal pages have equal strong postings.
 */
import { SLOTS } from '../rows/impact.js'

/** A term on so many pages has a list of its strong postings. */
export const STRONG_FROM = 32_768
/** Strong postings of a term, but for what chance adds or takes away. */
export const STRONG_SIZE = 16_384

/**
 * Postings of slots below `slot` are strong, and of `slot` itself those whose page is in the sample of one in
 * 2^`halvings`.
 */
export interface StrongCut {
  readonly slot: number
  readonly halvings: number
}

const MAX_HALVINGS = 31

/** The cut for a term with so many postings of each slot. */
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

/** Whether a page is in the sample of one in 2^`halvings`, which holds all smaller ones. */
function isSampled(page: number, halvings: number): boolean {
  return halvings === 0 || mixed(page) >>> (32 - halvings) === 0
}

/** Spreads page ids over 32 bits: a known mixing function, with every bit of the id in every bit of the result. */
function mixed(page: number): number {
  let bits = page
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
