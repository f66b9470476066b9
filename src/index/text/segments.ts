/** Splits folded text into words, and into stretches of scripts without spaces between words. */
import { joins } from './fold.js'
import { codePointAt, sizeOf } from './utf8.js'

export const SEPARATOR = 0
export const LETTER = 1
const UNSPACED = 2

const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u
const UNSPACED_CHARACTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Khmer}]/u

/** Classes of UTF-16 units, computed on demand in blocks of 256. */
const classes = new Uint8Array(0x10000)
const knownBlocks = new Uint8Array(0x100)
const LAST_UNIT = 0xffff

/** The class of one character: a separator, a letter, or one of a script without spaces. */
export function segmentClass(character: string): number {
  if (!WORD_CHARACTER.test(character)) return SEPARATOR
  return UNSPACED_CHARACTER.test(character) ? UNSPACED : LETTER
}

/** Tells if a text begins in a script without spaces. */
export const isUnspaced = (text: string): boolean => classOf(text.codePointAt(0) ?? 0) === UNSPACED

function learnBlock(block: number): void {
  for (let code = block << 8; code < (block + 1) << 8; code++) {
    classes[code] = segmentClass(String.fromCharCode(code))
  }
  knownBlocks[block] = 1
}

/** The class of the character of a code point. Half of a surrogate pair is a separator. */
function classOf(code: number): number {
  if (code > LAST_UNIT) return segmentClass(String.fromCodePoint(code))
  if (knownBlocks[code >> 8] === 0) learnBlock(code >> 8)
  return classes[code]!
}

/** Called for each segment, `text.slice(start, end)`. `unspaced` marks a script without spaces. */
export type SegmentVisitor = (start: number, end: number, unspaced: boolean) => void

/** Visits the segments of a folded text in order. */
export function visitSegments(text: string, visit: SegmentVisitor): void {
  let start = 0
  let kind = SEPARATOR
  for (let at = 0, width = 1; at < text.length; at += width) {
    const code = text.codePointAt(at)!
    width = code > LAST_UNIT ? 2 : 1
    const next = classOf(code)
    if (next === kind) continue
    if (kind !== SEPARATOR) visit(start, at, kind === UNSPACED)
    start = at
    kind = next
  }
  if (kind !== SEPARATOR) visit(start, text.length, kind === UNSPACED)
}

/** As `visitSegments`, for a part of a text in UTF-8 that is not folded: voicing marks belong to the kana before. */
export function visitUtf8Segments(bytes: Uint8Array, from: number, to: number, visit: SegmentVisitor): void {
  let start = from
  let kind = SEPARATOR
  for (let at = from; at < to; at += sizeOf(bytes[at]!)) {
    const code = codePointAt(bytes, at)
    const next = classOf(code)
    if (next === kind || (kind === UNSPACED && joins(0, code))) continue
    if (kind !== SEPARATOR) visit(start, at, kind === UNSPACED)
    start = at
    kind = next
  }
  if (kind !== SEPARATOR) visit(start, to, kind === UNSPACED)
}
