/**
 * The inverted index of many pages, for bulk indexing. It gives the changes that `FlexIndex` would give, but keeps the
 * postings in flat arrays: FlexSearch makes several objects for each text and each term.
 */
import { MAX_TOKENS } from '../text/encoder.js'
import { slotOf } from '../rows/impact.js'
import { TermReader } from '../text/termReader.js'
import { TermTable } from './termTable.js'
import { GONE } from './termChanges.js'

/** Like `TermChanges`. The terms are joined by spaces, which no term contains. */
export interface JoinedChanges {
  readonly terms: string
  readonly offsets: Uint32Array
  readonly pages: Uint32Array
  readonly slots: Uint8Array
}

/** The parts of a text, which are read one after another. */
export type TextParts = readonly string[]

export class BulkIndex {
  readonly #referenceTokens: number
  readonly #terms = new TermTable()
  readonly #reader = new TermReader((units, length, hash) => this.#count(units, length, hash))
  /** Occurrences of each term in the text that is being read. */
  #counts = new Uint32Array(2 ** 13)
  /** Distinct terms of that text. */
  readonly #found: number[] = []
  #tokenCount = 0
  #postingTerms = new Uint32Array(2 ** 13)
  #pages = new Uint32Array(2 ** 13)
  #slots = new Uint8Array(2 ** 13)
  #size = 0
  #lastPage = -1

  constructor(referenceTokens: number) {
    this.#referenceTokens = referenceTokens
  }

  /** Number of changes so far. */
  get size(): number {
    return this.#size
  }

  /** Replaces the text of a page. Pages must come in ascending order, each once. */
  replace(pageId: number, before: TextParts | undefined, after: TextParts | undefined): void {
    if (pageId <= this.#lastPage) throw new RangeError(`page ${pageId} after ${this.#lastPage}`)
    this.#lastPage = pageId
    if (before === undefined) return this.#read(after ?? [], (term, slot) => this.#add(term, pageId, slot))
    const old = new Map<number, number>()
    this.#read(before, (term, slot) => old.set(term, slot))
    this.#read(after ?? [], (term, slot) => {
      if (old.get(term) !== slot) this.#add(term, pageId, slot)
      old.delete(term)
    })
    for (const term of old.keys()) this.#add(term, pageId, GONE)
  }

  /** The changes since the last call, by term. */
  takeChanges(): JoinedChanges {
    const counts = this.#changesOfTerms()
    const numbers = this.#terms.sorted().filter((term) => counts[term]! > 0)
    const offsets = new Uint32Array(numbers.length + 1)
    numbers.forEach((term, n) => (offsets[n + 1] = offsets[n]! + counts[term]!))
    const next = counts
    numbers.forEach((term, n) => (next[term] = offsets[n]!))
    const pages = new Uint32Array(this.#size)
    const slots = new Uint8Array(this.#size)
    // Pages ascend, so those of each term do too.
    for (let n = 0; n < this.#size; n++) {
      const at = next[this.#postingTerms[n]!]!++
      pages[at] = this.#pages[n]!
      slots[at] = this.#slots[n]!
    }
    const changes = { terms: this.#terms.joined(numbers), offsets, pages, slots }
    this.#terms.clear()
    this.#size = 0
    this.#lastPage = -1
    return changes
  }

  /** Number of changes of each term. */
  #changesOfTerms(): Uint32Array {
    const counts = new Uint32Array(this.#terms.size)
    for (let n = 0; n < this.#size; n++) counts[this.#postingTerms[n]!]!++
    return counts
  }

  #read(parts: TextParts, take: (term: number, slot: number) => void): void {
    this.#tokenCount = 0
    for (const part of parts) this.#reader.read(part)
    for (const term of this.#found) {
      take(term, slotOf(this.#counts[term]!, this.#tokenCount, this.#referenceTokens))
      this.#counts[term] = 0
    }
    this.#found.length = 0
  }

  #count(units: Uint16Array, length: number, hash: number): void {
    if (this.#tokenCount >= MAX_TOKENS) return
    this.#tokenCount++
    const term = this.#terms.number(units, length, hash)
    if (term >= this.#counts.length) this.#counts = grown(this.#counts, new Uint32Array(2 * term))
    if (this.#counts[term]!++ === 0) this.#found.push(term)
  }

  #add(term: number, page: number, slot: number): void {
    if (this.#size === this.#pages.length) {
      this.#postingTerms = grown(this.#postingTerms, new Uint32Array(2 * this.#size))
      this.#pages = grown(this.#pages, new Uint32Array(2 * this.#size))
      this.#slots = grown(this.#slots, new Uint8Array(2 * this.#size))
    }
    this.#postingTerms[this.#size] = term
    this.#pages[this.#size] = page
    this.#slots[this.#size++] = slot
  }
}

function grown<Values extends Uint32Array | Uint8Array>(values: Values, into: Values): Values {
  into.set(values)
  return into
}
