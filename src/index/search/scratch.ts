/**
 * Arrays that consecutive searches reuse. Allocating a typed array over 64 bytes takes as long as two reads of LMDB,
 * and a query needs a dozen.
 */
import { Candidates } from './candidates.js'
import { Postings } from '../rows/postingRow.js'

/** Larger arrays are freed after the search. */
const MAX_KEPT_CAPACITY = 1 << 18
const FIRST_CAPACITY = 2048
/** Number of arrays kept of each kind. Only queries with very many words need more. */
const MAX_KEPT = 64

/** Lends arrays to one search at a time; `reset` takes them all back. */
export class Scratch {
  #postings: Postings[] = []
  #candidates: Candidates[] = []
  #postingsLent = 0
  #candidatesLent = 0

  /** Takes back all arrays. */
  reset(): void {
    if (this.#postings.some(isLarge)) this.#postings = this.#postings.filter((list) => !isLarge(list))
    if (this.#candidates.some(isLarge)) this.#candidates = this.#candidates.filter((list) => !isLarge(list))
    if (this.#postingsLent > MAX_KEPT) this.#postings.length = Math.min(this.#postings.length, MAX_KEPT)
    if (this.#candidatesLent > MAX_KEPT) this.#candidates.length = Math.min(this.#candidates.length, MAX_KEPT)
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

const isLarge = ({ pages }: Postings | Candidates): boolean => pages.length > MAX_KEPT_CAPACITY
