/** Changes of postings by term: FlexSearch's additions, ready to be merged into the rows. */

/** Takes the place of a slot when the page no longer has the term. */
export const GONE = 255

/** Changes of many terms in flat arrays, which threads can transfer without copying. */
export interface TermChanges {
  /** Distinct and sorted. */
  readonly terms: readonly string[]
  /** Start of each term's changes, and a last item for the end. */
  readonly offsets: Uint32Array
  /** Page of each change, ascending within a term. */
  readonly pages: Uint32Array
  /** New slot of each change, or GONE. */
  readonly slots: Uint8Array
}

/** Changes of one term: a range of `pages` and `slots`, which are as in `TermChanges`. */
export interface TermChange {
  readonly term: string
  readonly pages: Uint32Array
  readonly slots: Uint8Array
  readonly from: number
  readonly to: number
}

/** Collects changes and sorts them. */
export class ChangeCollector {
  readonly #byTerm = new Map<string, number[]>()
  #count = 0

  /** Adds a page's change of one term. Each pair of page and term may occur once. */
  add(term: string, page: number, slot: number): void {
    // Packs page and slot into one number: page ids have 32 bits, numbers 53.
    const packed = page * 256 + slot
    const changes = this.#byTerm.get(term)
    if (changes === undefined) this.#byTerm.set(term, [packed])
    else changes.push(packed)
    this.#count++
  }

  finish(): TermChanges {
    const terms = [...this.#byTerm.keys()].sort()
    const offsets = new Uint32Array(terms.length + 1)
    const pages = new Uint32Array(this.#count)
    const slots = new Uint8Array(this.#count)
    let at = 0
    terms.forEach((term, n) => {
      offsets[n] = at
      const changes = this.#byTerm.get(term)!
      if (changes.length > 1) changes.sort((a, b) => a - b)
      for (const packed of changes) {
        slots[at] = packed % 256
        pages[at++] = Math.floor(packed / 256)
      }
    })
    offsets[terms.length] = at
    return { terms, offsets, pages, slots }
  }
}
