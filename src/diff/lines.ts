/** The part of two texts that differs, with some equal lines around it, cut into lines. */

const NEWLINE = '\n'
/** From this size down a block that differs is searched unit by unit. */
const SMALL_BLOCK = 32
const FIRST_BLOCK = 256

/** Lines of both texts from the same line on, numbered by their text. */
export interface LineWindow {
  /** Lines, and bytes of UTF-8, that stand before the window in both texts alike. */
  readonly linesBefore: number
  readonly bytesBefore: number
  /** The distinct lines, without their newlines; `from` and `to` hold places in this list. */
  readonly texts: readonly string[]
  readonly from: readonly number[]
  readonly to: readonly number[]
}

/** Where two texts differ, widened to whole lines, in UTF-16 units; they are equal before and behind. */
export interface ChangedRange {
  readonly start: number
  readonly fromEnd: number
  readonly toEnd: number
}

/**
 * Lines end at U+000A; one at the very end opens no further line, and the empty text has none. The texts are compared
 * as wholes, and only lines that differ are cut out.
 */
export function findChangedRange(from: string, to: string): ChangedRange {
  const limit = Math.min(from.length, to.length)
  const prefix = commonPrefix(from, to, limit)
  const suffix = commonSuffix(from, to, limit - prefix)
  const fromEnd = nextLine(from, from.length - suffix)
  return {
    start: lineStart(from, prefix),
    fromEnd,
    toEnd: fromEnd + to.length - from.length,
  }
}

/** Cuts out the changed range with so many more lines before and behind, as far as there are any. */
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
  const numbers = new Map<string, number>()
  const head = from.slice(0, start)
  return {
    linesBefore: countNewlines(head),
    bytesBefore: Buffer.byteLength(head),
    from: numberLines(from, start, fromEnd, numbers),
    to: numberLines(to, start, toEnd, numbers),
    texts: [...numbers.keys()],
  }
}

function numberLines(text: string, start: number, end: number, numbers: Map<string, number>): number[] {
  const lines: number[] = []
  for (let at = start; at < end;) {
    const newline = text.indexOf(NEWLINE, at)
    const lineEnd = newline < 0 || newline >= end ? end : newline
    const line = text.slice(at, lineEnd)
    let number = numbers.get(line)
    if (number === undefined) numbers.set(line, (number = numbers.size))
    lines.push(number)
    at = lineEnd + 1
  }
  return lines
}

/** Start of the line that holds the place. */
function lineStart(text: string, place: number): number {
  return place === 0 ? 0 : text.lastIndexOf(NEWLINE, place - 1) + 1
}

/** End of the line that holds the place, its newline included. */
function nextLine(text: string, place: number): number {
  const newline = text.indexOf(NEWLINE, place)
  return newline < 0 ? text.length : newline + 1
}

function countNewlines(text: string): number {
  let count = 0
  for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) count++
  return count
}

/** Length of the common start of two texts, at most `limit`. Slices compare at the speed of memory. */
function commonPrefix(a: string, b: string, limit: number): number {
  let length = 0
  let block = FIRST_BLOCK
  let differs = false
  while (length < limit) {
    const size = Math.min(block, limit - length)
    if (a.slice(length, length + size) === b.slice(length, length + size)) {
      length += size
      if (!differs) block *= 2
    } else if (size <= SMALL_BLOCK) {
      while (a.charCodeAt(length) === b.charCodeAt(length)) length++
      return length
    } else {
      differs = true
      block = size >>> 1
    }
  }
  return length
}

/** Length of the common end of two texts, at most `limit`. */
function commonSuffix(a: string, b: string, limit: number): number {
  let length = 0
  let block = FIRST_BLOCK
  let differs = false
  while (length < limit) {
    const size = Math.min(block, limit - length)
    const aEnd = a.length - length
    const bEnd = b.length - length
    if (a.slice(aEnd - size, aEnd) === b.slice(bEnd - size, bEnd)) {
      length += size
      if (!differs) block *= 2
    } else if (size <= SMALL_BLOCK) {
      while (a.charCodeAt(a.length - length - 1) === b.charCodeAt(b.length - length - 1)) length++
      return length
    } else {
      differs = true
      block = size >>> 1
    }
  }
  return length
}
