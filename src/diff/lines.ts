/** The part of two texts that differs, with some equal lines around it, cut into lines. */

import { commonPrefix, commonSuffix } from './equalEnds.js'
import { cutLines, type NumberedLines, numberLines } from './lineNumbers.js'

const NEWLINE = '\n'
/** Units compared at first. Most texts have long equal ends. */
const FIRST_BLOCK = 256

/** Numbered lines of both texts around their differences. */
export interface LineWindow extends NumberedLines {
  /** Number of lines, and of UTF-8 bytes, before the window. Both texts are equal there. */
  readonly linesBefore: number
  readonly bytesBefore: number
}

/**
 * The range in which two texts differ, widened to whole lines, in UTF-16 units. They are equal before and behind it.
 */
export interface ChangedRange {
  readonly start: number
  readonly fromEnd: number
  readonly toEnd: number
}

/**
 * Compares the texts as wholes, so that only differing lines are cut out. Lines end at U+000A. A newline at the very
 * end opens no further line, and the empty text has no lines.
 */
export function findChangedRange(from: string, to: string): ChangedRange {
  const limit = Math.min(from.length, to.length)
  const prefix = commonPrefix(from, 0, to, 0, limit, FIRST_BLOCK)
  const suffix = commonSuffix(from, to, limit - prefix, FIRST_BLOCK)
  const fromEnd = nextLine(from, from.length - suffix)
  return {
    start: lineStart(from, prefix),
    fromEnd,
    toEnd: fromEnd + to.length - from.length,
  }
}

/** Cuts out the changed range with this many more lines before and behind, where they exist. */
export function cutWindow(
  from: string,
  to: string,
  range: ChangedRange,
  linesBefore: number,
  linesBehind: number,
): LineWindow {
  let { start, fromEnd } = range
  for (let n = 0; n < linesBefore && start > 0; n++) start = lineStart(from, start - 1)
  for (let n = 0; n < linesBehind && fromEnd < from.length; n++) fromEnd = nextLine(from, fromEnd)
  const toEnd = range.toEnd + fromEnd - range.fromEnd
  const head = from.slice(0, start)
  return {
    linesBefore: countNewlines(head),
    bytesBefore: Buffer.byteLength(head),
    ...numberLines(cutLines(from, start, fromEnd), to, start, toEnd),
  }
}

/** Start of the line that holds the position. */
function lineStart(text: string, place: number): number {
  return place === 0 ? 0 : text.lastIndexOf(NEWLINE, place - 1) + 1
}

/** End of the line that holds the position, including its newline. */
function nextLine(text: string, place: number): number {
  const newline = text.indexOf(NEWLINE, place)
  return newline < 0 ? text.length : newline + 1
}

function countNewlines(text: string): number {
  let count = 0
  for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) count++
  return count
}
