/** Finds the words of a query in UTF-8. They match as the index folds them. */
import { foldText } from '../text/fold.js'
import { isUnspaced, visitUtf8Segments } from '../text/segments.js'
import { Utf8Words } from '../text/utf8Words.js'
import { OR, spellingsIn } from './letterSpellings.js'
import type { Query } from './query.js'
import { UnspacedTerms } from './unspacedTerms.js'

/** In a script without spaces, a match is a part of a stretch. It has no number. */
const UNSPACED = -1

/** Receives the bytes of a match and the number of its word, see `QueryWords`. Returns true to end the search. */
export type MatchVisitor = (start: number, end: number, word: number) => boolean

interface Pattern {
  readonly units: Uint16Array
  /** Also matches longer words. */
  readonly isOpen: boolean
  readonly word: number
}

/** Enclosed numbers and the narrow long mark are letters that fold to these characters. */
const LIKE_LETTERS = /^[一二三四五六七八九十ー]+$/u

/** Whether a folded term may be a word between spaces or signs. */
const mayBeSpaced = (term: string): boolean => !isUnspaced(term) || LIKE_LETTERS.test(term)

const begins = (folded: string, prefix: string): boolean =>
  spellingsIn(prefix).some((spelling) => folded.startsWith(spelling))

/** Words have numbers: first the terms, then the prefixes, then the last word as a beginning. */
export class QueryWords {
  readonly terms: readonly string[]
  readonly prefixes: readonly string[]
  readonly unfinished: string | undefined
  readonly unspaced: UnspacedTerms
  readonly #numbers: ReadonlyMap<string, number>
  /** By the low byte of the first unit, with whole words first. */
  readonly #patterns: Pattern[][] = []
  /** Undefined if no word between spaces or signs can match. */
  readonly #words: Utf8Words | undefined

  constructor({ terms, prefixes, unfinished }: Pick<Query, 'terms' | 'prefixes' | 'unfinished'>) {
    this.terms = terms
    this.prefixes = prefixes
    this.unfinished = unfinished
    const asked = [...terms, ...prefixes, ...(unfinished === undefined ? [] : [unfinished])]
    const all = asked.some((word) => word.includes(OR)) ? asked.flatMap(spellingsIn) : asked
    if (all.some(mayBeSpaced)) this.#words = new Utf8Words(all)
    const numbers = new Map<string, number>()
    terms.forEach((term, n) => {
      for (const spelling of spellingsIn(term)) numbers.set(spelling, n)
    })
    this.#numbers = numbers
    this.unspaced = new UnspacedTerms(terms, prefixes)
    terms.forEach((term, n) => this.#addPattern(term, false, n))
    prefixes.forEach((prefix, n) => this.#addPattern(prefix, true, terms.length + n))
    if (unfinished !== undefined) this.#addPattern(unfinished, true, this.unfinishedWord)
  }

  /** The number of the last word as a beginning. */
  get unfinishedWord(): number {
    return this.terms.length + this.prefixes.length
  }

  #addPattern(term: string, isOpen: boolean, word: number): void {
    for (const spelling of spellingsIn(term)) this.#addSpelling(spelling, isOpen, word)
  }

  #addSpelling(text: string, isOpen: boolean, word: number): void {
    const units = new Uint16Array(text.length)
    for (let n = 0; n < text.length; n++) units[n] = text.charCodeAt(n)
    ;(this.#patterns[units[0]! & 0xff] ??= []).push({ units, isOpen, word })
  }

  /** Visits the matches that begin from byte `from` on and before `to`, in order. */
  visit(bytes: Buffer, from: number, to: number, visit: MatchVisitor): void {
    if (this.#words !== undefined) this.#visitWords(bytes, from, to, visit, this.#words, true)
    else this.#visitSegments(bytes, from, to, visit, true)
  }

  /** As `visit`, but leaves out scripts without spaces. */
  visitSpaced(bytes: Buffer, from: number, to: number, visit: MatchVisitor): void {
    if (this.#words !== undefined) this.#visitWords(bytes, from, to, visit, this.#words, false)
  }

  /** Visits the terms in scripts without spaces, as the index folds them. */
  visitUnspaced(bytes: Buffer, from: number, to: number, visit: MatchVisitor): void {
    if (this.unspaced.isEmpty) return
    let isEnded = false
    visitUtf8Segments(bytes, from, to, (start, end, isUnspaced) => {
      if (isUnspaced && !isEnded) isEnded = this.unspaced.visitFolded(bytes, start, end, visit)
    })
  }

  #visitWords(
    bytes: Buffer,
    from: number,
    to: number,
    visit: MatchVisitor,
    words: Utf8Words,
    withUnspaced: boolean,
  ): void {
    for (let at = from; words.read(bytes, at, to); at = words.end) {
      if (words.isComplex) {
        if (this.#visitSegments(bytes, words.start, words.end, visit, withUnspaced)) return
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

  /** Visits the matches in a part with letters that fold together, or without spaces. True to end the search. */
  #visitSegments(
    bytes: Buffer,
    from: number,
    to: number,
    visit: MatchVisitor,
    withUnspaced: boolean,
  ): boolean {
    let isEnded = false
    visitUtf8Segments(bytes, from, to, (start, end, isUnspaced) => {
      if (isEnded || (isUnspaced ? !withUnspaced : this.#words === undefined)) return
      if (isUnspaced) {
        const parts = this.unspaced.partsOf(bytes, start, end)
        isEnded = parts.some(([first, last]) => visit(first, last, UNSPACED))
        return
      }
      const word = this.#numberOf(foldText(bytes.toString('utf8', start, end)))
      if (word !== undefined) isEnded = visit(start, end, word)
    })
    return isEnded
  }

  /** The number of a folded word; undefined if it does not match. */
  #numberOf(folded: string): number | undefined {
    const term = this.#numbers.get(folded)
    if (term !== undefined) return term
    const prefix = this.prefixes.findIndex((prefix) => begins(folded, prefix))
    if (prefix >= 0) return this.terms.length + prefix
    const isBegun = this.unfinished !== undefined && begins(folded, this.unfinished)
    return isBegun ? this.unfinishedWord : undefined
  }
}
