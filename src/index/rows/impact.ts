/**
 * Impact of a term on a page's score: BM25 without idf, quantised to 16 steps that fit a posting's four bits.
 *
 * BM25 normally compares the length of a text with the average. The average changes with every edit, so postings of
 * different times would not fit together. This formula uses a fixed reference length instead. Its steps are
 * logarithmic, which keeps the precision in wikis of long and of short pages. Equal pages therefore have equal
 * postings, in whatever order they were written.
 */
import type { EncodedText } from '../text/encoder.js'

export const SLOTS = 16

const K1 = 1.2
const B = 0.75
/** Reference lengths of texts and titles, in words. */
export const TEXT_REFERENCE = 200
export const TITLE_REFERENCE = 4
const BEST = K1 + 1
const STEP = 1.3
const LOG_STEP = Math.log(STEP)

/** Impact of each slot: the middle of its step. */
export const IMPACTS: readonly number[] = Array.from(
  { length: SLOTS },
  (_, slot) => BEST * STEP ** -(slot + 0.5),
)

/** Slot of a term that occurs `count` times in a text of `tokenCount` words; 0 is best. */
export function slotOf(count: number, tokenCount: number, referenceTokens: number): number {
  const norm = K1 * (1 - B + (B * tokenCount) / referenceTokens)
  const slot = Math.floor(Math.log((count + norm) / count) / LOG_STEP)
  return slot < SLOTS ? slot : SLOTS - 1
}

/** FlexSearch's `score` hook for a reference length. It gets the encoder's result and the index of the term. */
export function scoreHook(
  referenceTokens: number,
): (content: readonly string[], term: string, index: number) => number {
  return (content, _term, index) => {
    const { counts, tokenCount } = content as EncodedText
    return slotOf(counts[index]!, tokenCount, referenceTokens)
  }
}

/** Rarity of a term that `frequency` of `documents` have; never below 0. */
export function idf(frequency: number, documents: number): number {
  return Math.log(1 + (Math.max(0, documents - frequency) + 0.5) / (frequency + 0.5))
}
