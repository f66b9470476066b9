/**
 * The changes of one write transaction that searches can see, in one row. Ready answers of searches survive changes
 * that do not concern them: see search/answerWatch.ts.
 *
 *     0 generation f64   8 titles change u8   9 0   12 number of pages u32   16 page ids u32 …   hashes u32 …
 *
 * The hashes are those of words that some page gained, lost, or has in another slot, and of the beginnings of these
 * words. They are hashes, since no row may keep words of erased texts. Equal hashes of different words only end an
 * answer early.
 */
import { encodeText } from '../text/encoder.js'

/** With more hashes, or more pages, a transaction counts as a change of everything. */
const MAX_HASHES = 3000
const MAX_PAGES = 500
const HEAD_BYTES = 16
/** Lengths of the beginnings of words that have hashes, in UTF-16 units: longest first. */
const BEGINNINGS = [5, 3, 1] as const
/** Seed of the hashes of whole words; those of beginnings have their length. */
const WHOLE = 0

/** Collects the changes of one write transaction. */
export class ChangeNotes {
  /** See SearchChange. */
  titlesChange = false
  readonly #pages = new Set<number>()
  readonly #hashes = new Set<number>()
  #isEverything = false

  /** A change that cannot be told by words and pages. */
  everything(): void {
    this.#isEverything = true
  }

  addPage(pageId: number): void {
    this.#pages.add(pageId)
    if (this.#pages.size > MAX_PAGES) this.everything()
  }

  addText(text: string): void {
    this.addTerms(encodeText(text))
  }

  addTerms(terms: readonly string[]): void {
    if (this.#hashes.size + terms.length > MAX_HASHES) this.everything()
    if (this.#isEverything) return
    for (const term of terms) {
      this.#hashes.add(hashOf(term, WHOLE))
      for (const length of BEGINNINGS) {
        if (length <= term.length) this.#hashes.add(hashOf(term.slice(0, length), length))
      }
    }
  }

  /** The row; undefined if everything may have changed. */
  encode(generation: number): Buffer | undefined {
    if (this.#isEverything) return undefined
    const numbers = [...sorted(this.#pages), ...sorted(this.#hashes)]
    const row = Buffer.alloc(HEAD_BYTES + 4 * numbers.length)
    row.writeDoubleBE(generation, 0)
    row[8] = this.titlesChange ? 1 : 0
    row.writeUInt32BE(this.#pages.size, 12)
    numbers.forEach((number, n) => row.writeUInt32BE(number, HEAD_BYTES + 4 * n))
    return row
  }
}

const sorted = (numbers: ReadonlySet<number>): Uint32Array => Uint32Array.from(numbers).sort()

/** A change as its row has it. */
export class SearchChange {
  readonly generation: number
  /** A page was added, removed, or got another title. Redirects may now lead to it, or nowhere. */
  readonly titlesChange: boolean
  /** The pages that were written, sorted. */
  readonly pages: Uint32Array
  readonly #hashes: Uint32Array

  constructor(row: Buffer) {
    const numbers = new Uint32Array((row.length - HEAD_BYTES) / 4)
    for (let n = 0; n < numbers.length; n++) numbers[n] = row.readUInt32BE(HEAD_BYTES + 4 * n)
    const pages = row.readUInt32BE(12)
    this.generation = row.readDoubleBE(0)
    this.titlesChange = row[8] === 1
    this.pages = numbers.subarray(0, pages)
    this.#hashes = numbers.subarray(pages)
  }

  hasPage(pageId: number): boolean {
    return isIn(this.pages, pageId)
  }

  hasTerm(term: string): boolean {
    return isIn(this.#hashes, hashOf(term, WHOLE))
  }

  /** Tells if a changed word may begin with this text. */
  hasBeginning(text: string): boolean {
    const length = BEGINNINGS.find((units) => units <= text.length)
    if (length === undefined) return this.#hashes.length > 0
    return isIn(this.#hashes, hashOf(text.slice(0, length), length))
  }
}

/** Whether a number is among others, which are in order: by binary search. */
export function isIn(numbers: Uint32Array, number: number): boolean {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < number) low = middle + 1
    else high = middle
  }
  return numbers[low] === number
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193)
  return hash >>> 0
}
