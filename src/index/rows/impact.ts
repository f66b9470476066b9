/**
 * How much a term says about a page: BM25 without its idf, in 16 steps that fit a posting's four bits.
 *
 * The usual formula compares a text's length with the average of all. That moves with every edit, so that postings
 * written at different times would not fit together; here it is compared with a fixed length, and the steps are those
 * of a logarithm, which keep their precision in wikis of long pages as in those of short ones. So the same pages give
 * the same postings, in whatever order they came.
 */
import type { EncodedText } from '../text/encoder.js'

export const SLOTS = 16

const K1 = 1.2
const B = 0.75
/** The lengths that those of texts and of titles are compared with, in words. */
export const TEXT_REFERENCE = 200
export const TITLE_REFERENCE = 4
const BEST = K1 + 1
const STEP = 1.3
const LOG_STEP = Math.log(STEP)

/** Impact of each slot: the middle of its step. */
export const IMPACTS: Float64Array = Float64Array.from(
  { length: SLOTS },
  (_, slot) => BEST * STEP ** -(slot + 0.5),
)

/** Slot of a term that is `count` times in a text of `tokenCount` words: 0 is best. */
export function slotOf(count: number, tokenCount: number, referenceTokens: number): number {
  const norm = K1 * (1 - B + (B * tokenCount) / referenceTokens)
  const slot = Math.floor(Math.log((count + norm) / count) / LOG_STEP)
  return slot < SLOTS ? slot : SLOTS - 1
}

/** FlexSearch's `score` hook for texts of a usual length: it gets what the encoder gave, and the term's index in it. */
export function scoreHook(
  referenceTokens: number,
): (content: readonly string[], term: string, index: number) => number {
  return (content, _term, index) => {
    const { counts, tokenCount } = content as EncodedText
    return slotOf(counts[index]!, tokenCount, referenceTokens)
  }
}

/** How rare a term is among `documents`, of which `frequency` have it: never below 0. */
export function idf(frequency: number, documents: number): number {
  return Math.log(1 + (Math.max(0, documents - frequency) + 0.5) / (frequency + 0.5))
}
