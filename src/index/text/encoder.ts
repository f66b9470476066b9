/** Converts texts to terms, as FlexSearch's `encoder`. */
import { foldText } from './fold.js'
import { visitSegments } from './segments.js'

/**
 * Increase it with every change of a page's row, of terms, or of slots: an index of another version is rebuilt.
 * test/storage/search/indexVersion.test.ts detects such changes.
 */
export const ENCODER_VERSION = 6

/** Maximum length of a term, in UTF-16 units; longer ones are cut. */
export const MAX_TERM_LENGTH = 40
/** Maximum number of indexed words per page. */
export const MAX_TOKENS = 50_000

/** Distinct terms of a text in the order of their first occurrence, with their counts. */
export interface EncodedText extends Array<string> {
  /** Count of each term, by its index. */
  readonly counts: readonly number[]
  /** Number of words in the text, with repetitions. */
  readonly tokenCount: number
}

/**
 * Encodes a text. Words and numbers are folded and kept whole. A stretch in a script without spaces becomes overlapping
 * pairs of characters, so that words inside it can be found.
 */
export function encodeText(text: string): EncodedText {
  const terms: string[] = []
  const counts: number[] = []
  const places = new Map<string, number>()
  let tokenCount = 0
  visitTerms(text, (term) => {
    if (tokenCount >= MAX_TOKENS) return
    tokenCount++
    const place = places.get(term)
    if (place === undefined) {
      places.set(term, terms.length)
      terms.push(term)
      counts.push(1)
    } else counts[place]!++
  })
  return Object.assign(terms, { counts, tokenCount })
}

/** Visits all terms of a text in order, with repetitions. */
export function visitTerms(text: string, visit: (term: string) => void): void {
  const folded = foldText(text)
  visitSegments(folded, (start, end, unspaced) => {
    if (unspaced) visitPairs(folded.slice(start, end), visit)
    else visit(cutTerm(folded, start, end))
  })
}

function visitPairs(stretch: string, visit: (term: string) => void): void {
  const characters = [...stretch]
  if (characters.length === 1) visit(stretch)
  for (let n = 1; n < characters.length; n++) visit(characters[n - 1]! + characters[n]!)
}

/** Cuts a term at `MAX_TERM_LENGTH` units, without splitting a surrogate pair. */
function cutTerm(folded: string, start: number, end: number): string {
  if (end - start <= MAX_TERM_LENGTH) return folded.slice(start, end)
  const last = folded.charCodeAt(start + MAX_TERM_LENGTH - 1)
  const inPair = last >= 0xd800 && last < 0xdc00
  return folded.slice(start, start + MAX_TERM_LENGTH - (inPair ? 1 : 0))
}
