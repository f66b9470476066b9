/** Reads words of UTF-8, folded, without decoding the text. They are the words that `TermReader` finds. */
import { MAX_TERM_LENGTH } from './encoder.js'
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
import { codePointAt, sizeOf } from './utf8.js'

/** The unit of every letter of four bytes here. Like all surrogates it is COMPLEX. */
const SURROGATE = 0xd800
const ASCII_END = 0x80
/** A letter of four bytes begins with this byte or a later one. */
const FOUR_BYTES = 0xf0

/** Bits of the kinds of bytes. Signs of ASCII have none. */
const LETTER_BIT = 1
/** A word of interest may begin with this letter of ASCII. */
const FIRST_BIT = 2
/** Part of a character outside ASCII. */
const WIDE_BIT = 4

export class Utf8Words {
  /** The folded word, cut like a term. Empty for a complex one. */
  readonly units = new Uint16Array(MAX_TERM_LENGTH)
  length = 0
  /** Bytes of the word. A complex one goes up to the next gap, and may be several words. */
  start = 0
  end = 0
  /** The folding depends on the neighbours of letters, so the encoder must read these bytes. */
  isComplex = false
  /** 1 for the low bytes of the units with which a word of interest begins. */
  readonly #firsts: Uint8Array
  readonly #kinds = new Uint8Array(256).fill(WIDE_BIT, ASCII_END)

  /** `beginnings` are the folded words of interest. */
  constructor(beginnings: readonly string[]) {
    this.#firsts = new Uint8Array(256)
    for (const text of beginnings) this.#firsts[text.charCodeAt(0) & 0xff] = 1
    if (unitKinds[0] === UNKNOWN) learnKinds(0)
    for (let byte = 0; byte < ASCII_END; byte++) {
      const first = this.#firsts[foldedUnits[byte]!] === 1 ? FIRST_BIT : 0
      if (unitKinds[byte] !== GAP) this.#kinds[byte] = LETTER_BIT | first
    }
  }

  /**
   * Reads the first word at or after byte `from` that begins like one of interest, or is complex. False if none begins
   * before `to`.
   *
   * Most bytes take the first branch, so that the processor predicts it: lengths of words cannot be predicted, and a
   * loop for each word took twice as long.
   */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    const kinds = this.#kinds
    /** FIRST_BIT within a word. */
    let within = 0
    /** No word that is not done begins before this byte. */
    let low = from
    for (let at = from; at < to;) {
      const kind = kinds[bytes[at]!]!
      if ((kind & ~within & (FIRST_BIT | WIDE_BIT)) === 0) {
        within = (kind & LETTER_BIT) << 1
        at++
        continue
      }
      let start = at
      if (kind === WIDE_BIT) {
        const unit = knownUnit(bytes, at)
        const unitKind = unitKinds[unit]
        if (unitKind === GAP || !this.#mayMatter(unit, unitKind, within === 0)) {
          at += sizeOf(bytes[at]!)
          within = unitKind === GAP ? 0 : FIRST_BIT
          if (unitKind === GAP) low = at
          continue
        }
        if (within !== 0) start = this.#startOfWord(bytes, low, at)
      }
      if (this.#readWord(bytes, start, to)) return true
      at = low = this.end
      within = 0
    }
    return false
  }

  /** Whether a letter outside ASCII makes its word complex, or may begin a word of interest. */
  #mayMatter(unit: number, kind: number | undefined, begins: boolean): boolean {
    if (kind === COMPLEX) return true
    return begins && (kind !== LETTER_UNIT || this.#firsts[foldedUnits[unit]! & 0xff] === 1)
  }

  /** Start of the word with byte `at`. Only ASCII separates it from byte `low`. */
  #startOfWord(bytes: Uint8Array, low: number, at: number): number {
    let start = at
    while (start > low && this.#kinds[bytes[start - 1]!] !== 0) start--
    return start
  }

  /** Reads the word at a byte. Tells if it is one of interest. */
  #readWord(bytes: Uint8Array, start: number, to: number): boolean {
    const { units } = this
    let isComplex = false
    let length = 0
    let at = start
    while (at < to) {
      const unit = knownUnit(bytes, at)
      const kind = unitKinds[unit]
      if (kind === GAP) break
      at += sizeOf(bytes[at]!)
      if (kind === LETTER_UNIT) {
        if (length < MAX_TERM_LENGTH) units[length++] = foldedUnits[unit]!
      } else if (kind === COMPLEX) isComplex = true
      else length = this.#addAll(foldedTexts.get(unit)!, length)
    }
    this.start = start
    this.end = Math.min(at, to)
    this.isComplex = isComplex
    this.length = isComplex ? 0 : length
    return isComplex || (length > 0 && this.#firsts[units[0]! & 0xff] === 1)
  }

  #addAll(folded: string, from: number): number {
    let length = from
    for (let n = 0; n < folded.length && length < MAX_TERM_LENGTH; n++) {
      this.units[length++] = folded.charCodeAt(n)
    }
    return length
  }
}

/** The UTF-16 unit of the letter at a byte. Its kind is known then. */
function knownUnit(bytes: Uint8Array, at: number): number {
  const unit = bytes[at]! < FOUR_BYTES ? codePointAt(bytes, at) : SURROGATE
  if (unitKinds[unit] === UNKNOWN) learnKinds(unit)
  return unit
}
