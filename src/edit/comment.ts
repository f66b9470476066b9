/** Edit summaries as they are stored. */
import { normaliseText } from './normaliseText.js'

export const MAX_COMMENT_LETTERS = 500

const BLANKS_AT_START = /^[ \t\n]+/

/**
 * The comment as it is stored: normalised as texts are, without blanks at its ends, at most 500 letters (code
 * points). Line breaks inside stay.
 */
export function normaliseComment(comment: string): string {
  const trimmed = normaliseText(comment).replace(BLANKS_AT_START, '')
  return normaliseText(cutLetters(trimmed, MAX_COMMENT_LETTERS))
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
