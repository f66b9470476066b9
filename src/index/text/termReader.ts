/**
 * Reads the terms of a text as units and hashes, without a string for each. They are the terms of `visitTerms`, in the
 * same order.
 */
import { MAX_TERM_LENGTH, visitTerms } from './encoder.js'
import {
  COMPLEX,
  foldedTexts,
  foldedUnits,
  GAP,
  learnKinds,
  LETTER_UNIT,
  unitKinds,
  UNKNOWN,
} from './unitFolding.js'

const FNV_BASIS = 0x811c9dc5 | 0
const FNV_PRIME = 0x01000193

/** Receives a term: `units` up to `length`, which the next term overwrites. */
export type TermVisitor = (units: Uint16Array, length: number, hash: number) => void

export class TermReader {
  readonly #units = new Uint16Array(MAX_TERM_LENGTH)
  readonly #visit: TermVisitor

  constructor(visit: TermVisitor) {
    this.#visit = visit
  }

  /** Visits the terms of a text in order, with repetitions. */
  read(text: string): void {
    const source = unitsOf(text)
    const units = this.#units
    const end = text.length
    for (let at = 0; at < end;) {
      let unit = source[at]!
      let kind = kindOf(unit)
      if (kind === GAP) {
        at++
        continue
      }
      const start = at
      let length = 0
      let hash = FNV_BASIS
      for (;;) {
        if (kind === LETTER_UNIT) {
          if (length < MAX_TERM_LENGTH) {
            const folded = foldedUnits[unit]!
            units[length++] = folded
            hash = Math.imul(hash ^ folded, FNV_PRIME)
          }
        } else if (kind === COMPLEX) {
          at = this.#readComplex(text, source, start)
          length = 0
          break
        } else {
          for (const folded of foldedTexts.get(unit)!) {
            if (length === MAX_TERM_LENGTH) break
            units[length++] = folded.charCodeAt(0)
            hash = Math.imul(hash ^ folded.charCodeAt(0), FNV_PRIME)
          }
        }
        if (++at === end) break
        unit = source[at]!
        kind = kindOf(unit)
        if (kind === GAP) break
      }
      if (length > 0) this.#visit(units, length, hash)
    }
  }

  /** Lets the encoder read the stretch up to the next gap, and returns its end. */
  #readComplex(text: string, source: Uint16Array, start: number): number {
    let end = start
    while (end < text.length && kindOf(source[end]!) !== GAP) end++
    visitTerms(text.slice(start, end), (term) => this.#give(term))
    return end
  }

  #give(term: string): void {
    let hash = FNV_BASIS
    for (let n = 0; n < term.length; n++) {
      const unit = term.charCodeAt(n)
      this.#units[n] = unit
      hash = Math.imul(hash ^ unit, FNV_PRIME)
    }
    this.#visit(this.#units, term.length, hash)
  }
}

function kindOf(unit: number): number {
  const kind = unitKinds[unit]!
  return kind === UNKNOWN ? learnKinds(unit) : kind
}

/** All readers of a thread share this room for the units of a text. Longer texts get room of their own. */
const SHARED_UNITS = 2 ** 16
const sharedUnits = new Uint16Array(SHARED_UNITS)

/** The units of a text: an array is several times as fast to read as a string. The next call overwrites them. */
function unitsOf(text: string): Uint16Array {
  const units = text.length <= SHARED_UNITS ? sharedUnits : new Uint16Array(text.length)
  Buffer.from(units.buffer).write(text, 'utf16le')
  return units
}
