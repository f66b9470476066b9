/** The slots of a term by page. To look up a page takes a tenth of the time of a merge with a list as long. */
import { SLOTS } from '../rows/impact.js'
import type { Postings } from '../rows/postingRow.js'
import type { Candidates } from './candidates.js'

/** Then the table takes no more memory than the list, whose postings have five bytes each. */
const MAX_PAGES_PER_POSTING = 5
/** In place of a slot: the page does not have the term. */
const NONE = SLOTS

export class SlotTable {
  readonly #first: number
  readonly #last: number
  readonly #count: number
  /** By page, from the first one on. */
  readonly #slots: Uint8Array

  /** Undefined if few pages have the term. */
  static of(postings: Postings): SlotTable | undefined {
    const { pages, length } = postings
    const isDense = length > 0 && pages[length - 1]! - pages[0]! < MAX_PAGES_PER_POSTING * length
    return isDense ? new SlotTable(postings) : undefined
  }

  private constructor({ pages, slots, length }: Postings) {
    this.#first = pages[0]!
    this.#last = pages[length - 1]!
    this.#count = length
    this.#slots = new Uint8Array(this.#last - this.#first + 1).fill(NONE)
    for (let n = 0; n < length; n++) this.#slots[pages[n]! - this.#first] = slots[n]!
  }

  get bytes(): number {
    return this.#slots.length
  }

  /** Adds all postings. */
  readInto(into: Postings): Postings {
    into.reserve(this.#count + 1)
    const { pages, slots } = into
    const all = this.#slots
    let { length } = into
    for (let n = 0; n < all.length; n++) {
      pages[length] = this.#first + n
      slots[length] = all[n]!
      length += all[n] === NONE ? 0 : 1
    }
    into.length = length
    return into
  }

  /** Adds the candidates that have the term, with its weight by slot, to `kept`. */
  keep({ pages, scores, length }: Candidates, weights: ArrayLike<number>, kept: Candidates): void {
    const { pages: keptPages, scores: keptScores } = kept
    const first = this.#first
    const last = this.#last
    const slots = this.#slots
    let count = kept.length
    let n = 0
    while (n < length && pages[n]! < first) n++
    for (; n < length && pages[n]! <= last; n++) {
      const page = pages[n]!
      const slot = slots[page - first]!
      // Whether a page has the term cannot be predicted, so every page is written, and the next one over those without.
      keptPages[count] = page
      keptScores[count] = scores[n]! + weights[slot & (NONE - 1)]!
      count += slot === NONE ? 0 : 1
    }
    kept.length = count
  }
}
