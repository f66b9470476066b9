/**
 * Folding of single UTF-16 units. For most units the folded form does not depend on their neighbours, so a reader can
 * fold, split and hash a text in one pass. `encoder.ts` treats the rest, and defines what is right.
 */
import { foldText } from './fold.js'
import { LETTER, SEPARATOR, segmentClass } from './segments.js'

/** Not learnt yet: call `learnKinds`. */
export const UNKNOWN = 0
/** Depends on its neighbours, or belongs to a script without spaces. */
export const COMPLEX = 4
/** No part of a word, alone and in any context. */
export const GAP = 1
/** Folds to one unit of a word: see `foldedUnits`. */
export const LETTER_UNIT = 2
/** Folds to several units of a word, or to none: see `foldedTexts`. */
export const LETTERS = 3

/** The kind of each unit. `learnKinds` fills a block of 256. */
export const unitKinds = new Uint8Array(0x10000)
/** The folded unit of each LETTER_UNIT. */
export const foldedUnits = new Uint16Array(0x10000)
/** The folded form of all LETTERS. */
export const foldedTexts = new Map<number, string>()

/** Marks compose with the letter before, jamo with each other, and a surrogate is half a character. */
const DEPENDENT = /[\p{M}\p{Cs}\u1100-\u11ff]/u

/** Learns the kinds of the 256 units with the upper byte of this one, and returns its kind. */
export function learnKinds(unit: number): number {
  const first = unit & 0xff00
  for (let n = first; n < first + 0x100; n++) learn(n)
  return unitKinds[unit]!
}

function learn(unit: number): void {
  unitKinds[unit] = COMPLEX
  const text = String.fromCharCode(unit)
  const folded = foldText(text)
  if (DEPENDENT.test(text) || DEPENDENT.test(folded)) return
  const classes = new Set([...folded].map((character) => segmentClass(character)))
  if (classes.size > 1) return
  if (classes.has(SEPARATOR)) unitKinds[unit] = GAP
  else if (folded.length === 1 && classes.has(LETTER)) {
    unitKinds[unit] = LETTER_UNIT
    foldedUnits[unit] = folded.charCodeAt(0)
  } else if (folded === '' || classes.has(LETTER)) {
    unitKinds[unit] = LETTERS
    foldedTexts.set(unit, folded)
  }
}
