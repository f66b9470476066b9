/**
 * Terms of the index that are spelt almost like a word: one letter added, left out, changed, or two swapped. In long
 * words two such errors may be in the second half.
 *
 * The terms are sorted, so the search is a walk through a tree of letters. A branch ends where every word with that
 * beginning has too many errors. One seek in the table then leads to the next possible beginning.
 */
import { OR } from './letterSpellings.js'
import type { TermLists } from './termLists.js'
import { type Query, withWords } from './query.js'

/** Longest word to correct, and lengths from which one and two errors are allowed, in characters. */
const MAX_LETTERS = 24
const ONE_ERROR_FROM = 4
const TWO_ERRORS_FROM = 8
/** Terms to look at for a word, which takes a few milliseconds. */
const MAX_LOOKED = 1000
const MAX_FOUND = 3
const FIRST_TERM = '\u0001'
/** Sorts after a term, and before longer ones. */
const AFTER = '\u0001'
const LAST_BEFORE_SURROGATES = 0xd7ff
const FIRST_AFTER_SURROGATES = 0xe000

interface Similar {
  readonly term: string
  readonly errors: number
  readonly frequency: number
}

/** Similar terms, the most similar first, and of these the most frequent. Empty for short words. */
export function similarTerms(lists: TermLists, word: string): string[] {
  const letters = [...word]
  if (letters.length < ONE_ERROR_FROM || letters.length > MAX_LETTERS) return []
  const found = walk(lists, new Errors(letters, 1), '')
  if (letters.length >= TWO_ERRORS_FROM) {
    const more = walk(lists, new Errors(letters, 2), letters.slice(0, letters.length / 2).join(''))
    found.push(...more.filter(({ errors }) => errors === 2))
  }
  found.sort((a, b) => a.errors - b.errors || b.frequency - a.frequency || (a.term < b.term ? -1 : 1))
  return found.slice(0, MAX_FOUND).map(({ term }) => term)
}

/** Visits the terms with a beginning, and leaves out branches with too many errors. */
function walk(lists: TermLists, errors: Errors, beginning: string): Similar[] {
  const found: Similar[] = []
  let from: string | undefined = beginning === '' ? FIRST_TERM : beginning
  for (let looked = 0; looked < MAX_LOOKED && from !== undefined; looked++) {
    const term = lists.nextTerm(from)
    if (term?.startsWith(beginning) !== true) break
    const letters = [...term]
    const possible = errors.follow(letters)
    if (possible < letters.length) from = errors.nextBranch(letters, possible)
    else {
      const count = errors.at(letters.length)
      if (count !== undefined) found.push({ term, errors: count, frequency: lists.frequencyOf(term) })
      from = term + AFTER
    }
  }
  return found
}

/**
 * Errors between a word and beginnings of terms: rows of the matrix of the edit distance with swaps (optimal string
 * alignment). Row n belongs to the first n letters of the term that `follow` saw last.
 */
class Errors {
  readonly #word: readonly string[]
  readonly #most: number
  readonly #rows: Uint8Array[]
  /** The letters of the word, sorted as in the table. */
  readonly #letters: readonly string[]
  #term: readonly string[] = []

  constructor(word: readonly string[], most: number) {
    this.#word = word
    this.#most = most
    this.#rows = [Uint8Array.from({ length: word.length + 1 }, (_, n) => n)]
    this.#letters = [...new Set(word)].sort((a, b) => a.codePointAt(0)! - b.codePointAt(0)!)
  }

  /** Number of letters after which a similar term is still possible. */
  follow(term: readonly string[]): number {
    let depth = 0
    while (depth < term.length && term[depth] === this.#term[depth]) depth++
    this.#term = term
    for (let n = 0; n < term.length; n++) {
      if (n >= depth || this.#rows[n + 1] === undefined) {
        this.#rows[n + 1] = this.#rowAfter(n, term[n]!)
        this.#rows.length = n + 2
      }
      if (!this.#isPossible(this.#rows[n + 1]!)) return n
    }
    return term.length
  }

  /** Errors of the term with this many letters; undefined if there are too many. */
  at(length: number): number | undefined {
    const count = this.#rows[length]![this.#word.length]!
    return count <= this.#most ? count : undefined
  }

  /** The beginning of the next possible terms after all with the first `depth + 1` letters; undefined at the end. */
  nextBranch(term: readonly string[], depth: number): string | undefined {
    for (let n = depth; n >= 0; n--) {
      const letter = term[n]!
      const next = this.#isAnyPossible(n)
        ? letterAfter(letter)
        : this.#letters.find((other) => isAfter(other, letter) && this.#isPossible(this.#rowAfter(n, other)))
      if (next !== undefined) return term.slice(0, n).join('') + next
    }
    return undefined
  }

  /** Tells if a letter that is not in the word may follow the first `n` letters. */
  #isAnyPossible(n: number): boolean {
    return least(this.#rows[n]!) < this.#most
  }

  #isPossible(row: Uint8Array): boolean {
    return least(row) <= this.#most
  }

  #rowAfter(n: number, letter: string): Uint8Array {
    const [word, above, before] = [this.#word, this.#rows[n]!, this.#rows[n - 1]]
    const row = new Uint8Array(word.length + 1)
    row[0] = n + 1
    for (let at = 1; at <= word.length; at++) {
      const isSame = word[at - 1] === letter
      let errors = Math.min(above[at - 1]! + (isSame ? 0 : 1), above[at]! + 1, row[at - 1]! + 1)
      if (before !== undefined && at > 1 && word[at - 2] === letter && word[at - 1] === this.#term[n - 1]) {
        errors = Math.min(errors, before[at - 2]! + 1)
      }
      row[at] = errors
    }
    return row
  }
}

function least(row: Uint8Array): number {
  let value = row[0]!
  for (let n = 1; n < row.length; n++) if (row[n]! < value) value = row[n]!
  return value
}

const isAfter = (a: string, b: string): boolean => a.codePointAt(0)! > b.codePointAt(0)!

function letterAfter(letter: string): string | undefined {
  const code = letter.codePointAt(0)!
  if (code === LAST_BEFORE_SURROGATES) return String.fromCodePoint(FIRST_AFTER_SURROGATES)
  return code === 0x10ffff ? undefined : String.fromCodePoint(code + 1)
}

// "Did you mean": another spelling for a query with words that no page has.

/** Words to correct in a query. With more, it is probably in another language. */
const MAX_CORRECTED = 2
/** Corrected queries to try, since their words must also stand in one page. */
const MAX_TRIED = 6

/** Terms of the query that no page has; empty if there are too many to correct. */
export function unknownTerms({ terms }: Query, lists: readonly TermLists[]): readonly string[] {
  const unknown = terms.filter(
    (term) => !term.includes(OR) && lists.every((list) => list.frequencyOf(term) === 0),
  )
  return unknown.length > MAX_CORRECTED ? [] : unknown
}

/** The query in another spelling that finds something; `finds` tells if one does. Undefined if there is none. */
export function suggest(
  query: Query,
  lists: readonly TermLists[],
  finds: (query: Query) => boolean,
): string | undefined {
  const unknown = unknownTerms(query, lists)
  if (unknown.length === 0) return undefined
  const choices = unknown.map((term) => [...new Set(lists.flatMap((list) => similarTerms(list, term)))])
  for (const choice of combinations(choices).slice(0, MAX_TRIED)) {
    const replaced = new Map(unknown.map((term, n) => [term, choice[n]!]))
    const terms = query.terms.map((term) => replaced.get(term) ?? term)
    // A suggestion need not have the words in a row.
    const corrected = { ...query, terms: [...new Set(terms)], unfinished: undefined, sequence: [] }
    if (finds(corrected)) return withWords(query, replaced)
  }
  return undefined
}

/** All choices of one word for each place, those of the first words first. */
function combinations(choices: readonly (readonly string[])[]): string[][] {
  return choices.reduce<string[][]>(
    (found, words) => found.flatMap((before) => words.map((word) => [...before, word])),
    [[]],
  )
}
