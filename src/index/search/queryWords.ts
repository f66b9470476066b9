/** Finds the words of a query in UTF-8. They match as the index folds them. */
import { foldCharacter, foldText } from '../text/fold.js'
import { visitSegments } from '../text/segments.js'
import { Utf8Words } from '../text/utf8Words.js'
import type { Query } from './query.js'

/** Later code points take two units of a string. */
const LAST_OF_ONE_UNIT = 0xffff

/** In a script without spaces, a match is a part of a stretch. It has no number. */
export const UNSPACED = -1

/** Receives the bytes of a match and the number of its word, see `QueryWords`. Returns true to end the search. */
export type MatchVisitor = (start: number, end: number, word: number) => boolean

interface Pattern {
  readonly units: Uint16Array
  /** Also matches longer words. */
  readonly isOpen: boolean
  readonly word: number
}

type Match = readonly [from: number, to: number]

/** Words have numbers: first the terms, then the prefixes, then the last word as a beginning. */
export class QueryWords {
  readonly terms: readonly string[]
  readonly prefixes: readonly string[]
  readonly unfinished: string | undefined
  readonly #numbers: ReadonlyMap<string, number>
  /** By the low byte of the first unit, with whole words first. */
  readonly #patterns: Pattern[][] = []
  readonly #words: Utf8Words
  /** For scripts without spaces: terms of one character, and the first characters of longer ones. */
  readonly #singles: ReadonlySet<string>
  readonly #firsts: ReadonlySet<string>

  constructor({ terms, prefixes, unfinished }: Pick<Query, 'terms' | 'prefixes' | 'unfinished'>) {
    this.terms = terms
    this.prefixes = prefixes
    this.unfinished = unfinished
    this.#words = new Utf8Words([...terms, ...prefixes, ...(unfinished === undefined ? [] : [unfinished])])
    this.#numbers = new Map(terms.map((term, n) => [term, n]))
    this.#firsts = new Set(terms.map((term) => String.fromCodePoint(term.codePointAt(0)!)))
    this.#singles = new Set(terms.filter((term) => this.#firsts.has(term)))
    terms.forEach((term, n) => this.#addPattern(term, false, n))
    prefixes.forEach((prefix, n) => this.#addPattern(prefix, true, terms.length + n))
    if (unfinished !== undefined) this.#addPattern(unfinished, true, this.unfinishedWord)
  }

  /** The number of the last word as a beginning. */
  get unfinishedWord(): number {
    return this.terms.length + this.prefixes.length
  }

  #addPattern(text: string, isOpen: boolean, word: number): void {
    const units = new Uint16Array(text.length)
    for (let n = 0; n < text.length; n++) units[n] = text.charCodeAt(n)
    ;(this.#patterns[units[0]! & 0xff] ??= []).push({ units, isOpen, word })
  }

  /** Visits the matches that begin from byte `from` on and before `to`, in order. */
  visit(bytes: Buffer, from: number, to: number, visit: MatchVisitor): void {
    const words = this.#words
    for (let at = from; words.read(bytes, at, to); at = words.end) {
      if (words.isComplex) {
        if (this.#visitComplex(bytes, words.start, words.end, visit)) return
        continue
      }
      const word = this.#match(words)
      if (word !== undefined && visit(words.start, words.end, word)) return
    }
  }

  #match({ units, length }: Utf8Words): number | undefined {
    const patterns = this.#patterns[units[0]! & 0xff]
    if (patterns === undefined) return undefined
    for (const { units: wanted, isOpen, word } of patterns) {
      if (isOpen ? wanted.length > length : wanted.length !== length) continue
      let n = 0
      while (n < wanted.length && wanted[n] === units[n]) n++
      if (n === wanted.length) return word
    }
    return undefined
  }

  /** Visits the matches in a stretch of letters that fold together, or without spaces. */
  #visitComplex(bytes: Buffer, from: number, to: number, visit: MatchVisitor): boolean {
    const text = bytes.toString('utf8', from, to)
    let isEnded = false
    let [charIndex, byteOffset] = [0, from]
    const offsetOf = (index: number): number => {
      byteOffset += Buffer.byteLength(text.slice(charIndex, index))
      charIndex = index
      return byteOffset
    }
    visitSegments(text, (start, end, unspaced) => {
      const segment = text.slice(start, end)
      const word = unspaced ? UNSPACED : this.#numberOf(foldText(segment))
      if (word === undefined) return
      for (const [first, last] of unspaced ? this.#pairsIn(segment) : [[0, segment.length] as const]) {
        isEnded ||= visit(offsetOf(start + first), offsetOf(start + last), word)
      }
    })
    return isEnded
  }

  /** The number of a folded word; undefined if it does not match. */
  #numberOf(folded: string): number | undefined {
    const term = this.#numbers.get(folded)
    if (term !== undefined) return term
    const prefix = this.prefixes.findIndex((beginning) => folded.startsWith(beginning))
    if (prefix >= 0) return this.terms.length + prefix
    const isBegun = this.unfinished !== undefined && folded.startsWith(this.unfinished)
    return isBegun ? this.unfinishedWord : undefined
  }

  /** The matching parts of a stretch without spaces. */
  #pairsIn(stretch: string): readonly Match[] {
    const matches: [from: number, to: number][] = []
    let before = ''
    let beforeWidth = 0
    for (let at = 0, to = 0; at < stretch.length; at = to) {
      const code = stretch.codePointAt(at)!
      to = at + (code > LAST_OF_ONE_UNIT ? 2 : 1)
      const folded = foldCharacter(code)
      const isAlone = this.#singles.has(folded)
      if (isAlone || (this.#firsts.has(before) && this.#numbers.has(before + folded))) {
        const from = isAlone ? at : at - beforeWidth
        const last = matches.at(-1)
        if (last !== undefined && last[1] >= from) last[1] = to
        else matches.push([from, to])
      }
      before = folded
      beforeWidth = to - at
    }
    if (matches.length < 2) return matches
    // Single pairs of characters occur everywhere. Where the text has a longer match, only that one counts.
    const longest = Math.max(...matches.map(([from, to]) => to - from))
    return matches.filter(([from, to]) => to - from === longest)
  }
}
