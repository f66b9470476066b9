/**
 * The terms of a query in scripts without spaces. They are single characters and pairs of them: see text/encoder.ts.
 * All are looked for in one pass, since a search for the bytes of each stops at almost every character of its script.
 */
import { isUnspaced } from '../text/segments.js'
import { codePointAt, sizeOf } from '../text/utf8.js'
import { foldCharacter, foldText, joins } from '../text/fold.js'

/** Receives the byte at which a term stands, and its number. Returns true to end the search. */
export type TermVisitor = (at: number, term: number) => boolean

/** Receives the bytes in which a term stands, and its number. Returns true to end the search. */
export type FoldedVisitor = (from: number, to: number, term: number) => boolean

/** In place of a character: there is none. */
const NONE = -1

interface Pattern {
  /** Code points. NONE before a single character. */
  readonly first: number
  readonly last: number
  readonly term: number
}

/** Bytes of a text, from the first one to the one after the last. */
export type Part = readonly [from: number, to: number]

/** Bits of the last byte of a character in UTF-8 that differ, which are also the low bits of its code point. */
const LOW_BITS = 0x3f
/** Places of `placeOfEnds`. */
const ENDS = 512

export class UnspacedTerms {
  /** By the low byte of the last character, with single characters first. */
  readonly #patterns: Pattern[][] = []
  /** By the ends of two characters: 1 if these may be a term. Undefined without any term. */
  #ends: Uint8Array | undefined

  /** Terms and prefixes of other scripts are left out. They have numbers: first the terms, then the prefixes. */
  constructor(terms: readonly string[], prefixes: readonly string[]) {
    terms.forEach((text, n) => this.#add(text, n))
    prefixes.forEach((text, n) => this.#add(text, terms.length + n))
  }

  #add(text: string, term: number): void {
    if (!isUnspaced(text)) return
    const characters = Array.from(text, (character) => character.codePointAt(0)!)
    const last = characters.pop()!
    const first = characters.pop() ?? NONE
    const patterns = (this.#patterns[last & 0xff] ??= [])
    const ends = (this.#ends ??= new Uint8Array(ENDS))
    if (first === NONE) {
      patterns.unshift({ first, last, term })
      for (let before = 0; before <= LOW_BITS; before++) ends[placeOfEnds(before, last)] = 1
    } else {
      patterns.push({ first, last, term })
      ends[placeOfEnds(first, last)] = 1
    }
  }

  get isEmpty(): boolean {
    return this.#ends === undefined
  }

  /** Visits the terms, as they are spelt, that begin from byte `from` on and before `to`, in order of their ends. */
  visit(bytes: Uint8Array, from: number, to: number, visit: TermVisitor): void {
    const ends = this.#ends
    if (ends === undefined) return
    let endBefore = 0
    for (let at = from, beforeAt = from; beforeAt < to && at < bytes.length;) {
      const size = sizeOf(bytes[at]!)
      const end = bytes[at + size - 1]!
      if (ends[placeOfEnds(endBefore, end)] === 1 && this.#visitAt(bytes, beforeAt, at, to, visit)) return
      endBefore = end
      beforeAt = at
      at += size
    }
  }

  /** Visits the terms of the character at a byte, and of it and the one before. True to end the search. */
  #visitAt(bytes: Uint8Array, beforeAt: number, at: number, to: number, visit: TermVisitor): boolean {
    const code = codePointAt(bytes, at)
    const before = beforeAt < at ? codePointAt(bytes, beforeAt) : NONE
    for (const { first, last, term } of this.#patterns[code & 0xff] ?? []) {
      if (last !== code || (first !== NONE && first !== before)) continue
      const start = first === NONE ? at : beforeAt
      if (start < to && visit(start, term)) return true
    }
    return false
  }

  /**
   * The parts of a stretch, between segments of other scripts, that match terms as the index folds them. Single pairs
   * of characters occur everywhere. Where the stretch has a longer match, only that one counts.
   */
  partsOf(bytes: Uint8Array, start: number, end: number): readonly Part[] {
    const parts: [from: number, to: number][] = []
    this.visitFolded(bytes, start, end, (from, to) => {
      const last = parts.at(-1)
      if (last !== undefined && last[1] >= from) last[1] = to
      else parts.push([from, to])
      return false
    })
    if (parts.length < 2) return parts
    const lengths = parts.map(([from, to]) => countUnits(bytes, from, to))
    const longest = Math.max(...lengths)
    return parts.filter((_, n) => lengths[n] === longest)
  }

  /** Visits the terms of a stretch as the index folds them. True to end the search. */
  visitFolded(bytes: Uint8Array, start: number, end: number, visit: FoldedVisitor): boolean {
    const ends = this.#ends
    if (ends === undefined) return false
    const folded = new FoldedCharacter()
    let before = NONE
    let beforeAt = start
    for (let at = start; at < end; at = folded.end) {
      folded.read(bytes, at, end)
      for (let n = 0; n < folded.length; n++) {
        const code = folded.codes[n]!
        const pattern = ends[placeOfEnds(before, code)] === 1 ? this.#match(before, code) : undefined
        if (pattern !== undefined) {
          const from = pattern.first === NONE ? at : beforeAt
          if (visit(from, folded.end, pattern.term)) return true
        }
        before = code
        beforeAt = at
      }
    }
    return false
  }

  /** The term that ends with the second of two folded characters: a pair rather than a single character. */
  #match(before: number, code: number): Pattern | undefined {
    let single: Pattern | undefined
    for (const pattern of this.#patterns[code & 0xff] ?? []) {
      if (pattern.last !== code) continue
      if (pattern.first === before) return pattern
      if (pattern.first === NONE) single ??= pattern
    }
    return single
  }
}

/** Most pairs of a text have a place that no term has, so that the processor predicts it. */
const placeOfEnds = (first: number, last: number): number => ((first & LOW_BITS) << 3) ^ (last & LOW_BITS)

/** Length as a string, in UTF-16 units. */
function countUnits(bytes: Uint8Array, from: number, to: number): number {
  let count = 0
  for (let at = from, size = 0; at < to; at += size) {
    size = sizeOf(bytes[at]!)
    count += size === 4 ? 2 : 1
  }
  return count
}

// Reads characters of UTF-8 as a folded text has them.

class FoldedCharacter {
  /** Its folded code points, up to `length`: one in most cases, or none. */
  readonly codes: number[] = []
  length = 0
  /** The byte after it, and after a voicing mark that belongs to it. */
  end = 0

  /** Reads the character at a byte. The part of the text to read ends before byte `to`. */
  read(bytes: Uint8Array, at: number, to: number): void {
    const code = codePointAt(bytes, at)
    this.end = at + sizeOf(bytes[at]!)
    const mark = this.end < to ? codePointAt(bytes, this.end) : 0
    if (joins(code, mark)) {
      this.end += sizeOf(bytes[this.end]!)
      return this.#fold(String.fromCodePoint(code, mark))
    }
    const folded = foldCharacter(code)
    if (folded < 0) return this.#fold(String.fromCodePoint(code))
    this.codes[0] = folded
    this.length = 1
  }

  #fold(text: string): void {
    this.length = 0
    for (const character of foldText(text)) this.codes[this.length++] = character.codePointAt(0)!
  }
}
