/**
 * Arrays that consecutive searches reuse. Allocating a typed array over 64 bytes takes as long as two reads of LMDB,
 * and a query needs a dozen.
 */
import { Candidates } from './candidates.js'
import { Postings } from '../rows/postingRow.js'

/** If one becomes larger, only small ones are kept. */
const MAX_KEPT_CAPACITY = 1 << 18
const FIRST_CAPACITY = 2048
/** Number of arrays kept of each kind. A query that completes its last word needs over a hundred. */
const MAX_KEPT = 192
/** Places kept in all arrays of a kind together, which is 20 MB of postings. */
const MAX_KEPT_PLACES = 1 << 22

/** Lends arrays to one search at a time; `reset` takes them all back. */
export class Scratch {
  #postings: Postings[] = []
  #candidates: Candidates[] = []
  #postingsLent = 0
  #candidatesLent = 0

  /** Takes back all arrays. */
  reset(): void {
    this.#postings = kept(this.#postings)
    this.#candidates = kept(this.#candidates)
    this.#postingsLent = 0
    this.#candidatesLent = 0
  }

  /** Empty postings with room for `capacity`. */
  postings(capacity: number): Postings {
    const lent = (this.#postings[this.#postingsLent++] ??= new Postings(Math.max(capacity, FIRST_CAPACITY)))
    lent.clear()
    lent.reserve(capacity)
    return lent
  }

  /** Empty candidates with room for `capacity`. */
  candidates(capacity: number): Candidates {
    const at = this.#candidatesLent++
    const known = this.#candidates[at]
    if (known === undefined || known.pages.length < capacity) {
      return (this.#candidates[at] = new Candidates(Math.max(capacity, FIRST_CAPACITY)))
    }
    known.length = 0
    return known
  }
}

/** The arrays to keep: all, or small ones alone if they have become too many or too large. */
function kept<List extends Postings | Candidates>(lists: List[]): List[] {
  let places = 0
  let largest = 0
  for (const { pages } of lists) {
    places += pages.length
    largest = Math.max(largest, pages.length)
  }
  if (lists.length <= MAX_KEPT && places <= MAX_KEPT_PLACES && largest <= MAX_KEPT_CAPACITY) return lists
  return lists.filter(({ pages }) => pages.length <= FIRST_CAPACITY).slice(0, MAX_KEPT)
}
