/** Turns texts into terms: what FlexSearch's `encoder` is for. */
import { foldText } from './fold.js'
import { visitSegments } from './segments.js'

/**
 * Rises whenever a page gives another row, other terms, or a term another slot, than before: an index of another
 * version is rebuilt. test/storage/search/indexVersion.test.ts tells when that is.
 */
export const ENCODER_VERSION = 5

/** A term is cut at this many UTF-16 units. */
const MAX_TERM_LENGTH = 40
/** Words of one page beyond these are not indexed. */
const MAX_TOKENS = 50_000

/** The distinct terms of a text in the order of their first places, each with how often it is there. */
export interface EncodedText extends Array<string> {
  /** Of each term, by its index. */
  readonly counts: readonly number[]
  /** Words of the text, repeated ones too. */
  readonly tokenCount: number
}

/**
 * Encodes a text. Words are folded and kept whole, numbers too; a stretch of a script without blanks gives its
 * overlapping pairs of characters, so that a word inside it is found.
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

/** Visits the terms of a text in their order, repeated ones too. */
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

/** A term of at most `MAX_TERM_LENGTH` units that does not end in half a character. */
function cutTerm(folded: string, start: number, end: number): string {
  if (end - start <= MAX_TERM_LENGTH) return folded.slice(start, end)
  const last = folded.charCodeAt(start + MAX_TERM_LENGTH - 1)
  const inPair = last >= 0xd800 && last < 0xdc00
  return folded.slice(start, start + MAX_TERM_LENGTH - (inPair ? 1 : 0))
}
