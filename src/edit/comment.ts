/** Edit summaries as they are stored. */
import { normaliseText } from './normaliseText.js'

export const MAX_COMMENT_LETTERS = 500

const BLANKS_AT_START = /^[ \t\n]+/
const BLANKS_AT_END = /[ \t\n]+$/
/** In the place of what was cut. */
const CUT = '...'

/**
 * The comment as it is stored: normalised as texts are, without blanks at its ends, at most 500 letters (code
 * points), the mark of a cut among them. Line breaks inside stay.
 */
export function normaliseComment(comment: string): string {
  const trimmed = normaliseText(comment).replace(BLANKS_AT_START, '')
  return cutWithMark(trimmed, MAX_COMMENT_LETTERS)
}

/**
 * The text when its size is at most `max`; else its start, without blanks at the end, and `...`, together no more.
 * `sizeOf` measures a letter (code point): each counts as one unless it is given. Takes time for as many as fit.
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

/** The first letters of a text, cut between code points. Takes time for as many letters as it gives. */
export function cutLetters(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let letters = 0; letters < count && end < text.length; letters++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}
