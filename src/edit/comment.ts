/** Edit summaries as they are stored. */
import { normaliseText } from './normaliseText.js'

export const MAX_COMMENT_LETTERS = 500

const BLANKS_AT_START = /^[ \t\n]+/
const BLANKS_AT_END = /[ \t\n]+$/
/** Marks where a text was cut. */
const CUT = '...'

/**
 * The comment as it is stored: normalised like page text and trimmed. Longer comments are cut at 500 letters (code
 * points), including the mark. Line breaks inside stay.
 */
export function normaliseComment(comment: string): string {
  const trimmed = normaliseText(comment).replace(BLANKS_AT_START, '')
  return cutWithMark(trimmed, MAX_COMMENT_LETTERS)
}

/**
 * The text if its size is at most `max`. Otherwise its start without blanks at the end, and `...`, together at most
 * `max`. `sizeOf` measures a letter (code point); by default each counts 1. Time depends on `max`, not on the text.
 */
export function cutWithMark(text: string, max: number, sizeOf: (letter: string) => number = () => 1): string {
  let size = 0
  let end = 0
  let endBesideMark = 0
  for (const letter of text) {
    size += sizeOf(letter)
    if (size > max) return text.slice(0, endBesideMark).replace(BLANKS_AT_END, '') + CUT
    end += letter.length
    if (size <= max - CUT.length) endBesideMark = end
  }
  return text
}

/** The first letters of a text, cut between code points. Time depends on `count`, not on the text. */
export function cutLetters(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let letters = 0; letters < count && end < text.length; letters++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}
