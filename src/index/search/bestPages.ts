/** Selects the best pages of a search. */
import type { Candidates } from './candidates.js'

/** A page with its score. */
export interface Scored {
  readonly page: number
  readonly score: number
}

/**
 * Keeps the best pages offered, in a heap with the worst one on top. For equal scores the lower id wins.
 *
 * It makes no pairs and no arrays for single pages: a search offers thousands.
 */
export class BestPages {
  readonly #limit: number
  readonly #pages: number[] = []
  readonly #scores: number[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The score that a further page must reach to be kept. */
  get worst(): number {
    return this.#pages.length < this.#limit ? Number.NEGATIVE_INFINITY : this.#scores[0]!
  }

  offer(page: number, score: number): void {
    const pages = this.#pages
    const scores = this.#scores
    if (pages.length < this.#limit) {
      pages.push(page)
      scores.push(score)
      this.#rise(pages.length - 1, page, score)
    } else if (score > scores[0]! || (score === scores[0] && page < pages[0]!)) {
      this.#sink(pages.length, page, score)
    }
  }

  /** Offers all candidates. */
  offerAll({ pages, scores, length }: Candidates): void {
    let n = 0
    while (n < length && this.#pages.length < this.#limit) this.offer(pages[n]!, scores[n++]!)
    const kept = this.#scores
    // Pages ascend, but others may have come before.
    for (; n < length; n++) if (scores[n]! >= kept[0]!) this.offer(pages[n]!, scores[n]!)
  }

  /** Best first. Empties the heap. */
  ranked(): Scored[] {
    const pages = this.#pages
    const scores = this.#scores
    const found = new Array<Scored>(pages.length)
    for (let last = pages.length - 1; last >= 0; last--) {
      found[last] = { page: pages[0]!, score: scores[0]! }
      const page = pages.pop()!
      const score = scores.pop()!
      if (last > 0) this.#sink(last, page, score)
    }
    return found
  }

  /** Puts a page into the free place `from`, or above it. */
  #rise(from: number, page: number, score: number): void {
    const pages = this.#pages
    const scores = this.#scores
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      const other = scores[parent]!
      if (score > other || (score === other && page < pages[parent]!)) break
      pages[at] = pages[parent]!
      scores[at] = other
      at = parent
    }
    pages[at] = page
    scores[at] = score
  }

  /** Puts a page in the place of the top, or below it. The heap has `length` places. */
  #sink(length: number, page: number, score: number): void {
    const pages = this.#pages
    const scores = this.#scores
    let at = 0
    for (let child = 1; child < length; child = 2 * at + 1) {
      const next = child + 1
      if (
        next < length &&
        (scores[next]! < scores[child]! || (scores[next] === scores[child] && pages[next]! > pages[child]!))
      ) {
        child = next
      }
      const other = scores[child]!
      if (other > score || (other === score && pages[child]! < page)) break
      pages[at] = pages[child]!
      scores[at] = other
      at = child
    }
    pages[at] = page
    scores[at] = score
  }
}
