/** Compares titles with a query, word by word: signs, case and accents make no difference. */
import { foldText } from '../text/fold.js'
import { visitSegments } from '../text/segments.js'
import { hasSpellings, usualSpelling } from './letterSpellings.js'

/** Relations of a title to a query; a greater one is better. */
export const TitleMatch = { none: 0, contains: 1, begins: 2, equals: 3 } as const
export type TitleMatch = (typeof TitleMatch)[keyof typeof TitleMatch]

export class TitleMatcher {
  readonly #words: readonly string[]
  /** The query has words with several spellings. Titles need one spelling then. */
  readonly #isSpelt: boolean

  constructor(query: string) {
    this.#isSpelt = hasSpellings(query)
    this.#words = foldedWords(query, this.#isSpelt)
  }

  /** Looks for the words of the query, in a row, in a title. */
  match(title: string): TitleMatch {
    const wanted = this.#words
    if (wanted.length === 0) return TitleMatch.none
    const words = foldedWords(title, this.#isSpelt)
    for (let at = 0; at + wanted.length <= words.length; at++) {
      if (!wanted.every((word, n) => words[at + n] === word)) continue
      if (at > 0) return TitleMatch.contains
      return words.length === wanted.length ? TitleMatch.equals : TitleMatch.begins
    }
    return TitleMatch.none
  }
}

function foldedWords(text: string, isSpelt: boolean): string[] {
  const folded = foldText(text)
  const words: string[] = []
  visitSegments(folded, (start, end) => {
    const word = folded.slice(start, end)
    words.push(isSpelt ? usualSpelling(word) : word)
  })
  return words
}
