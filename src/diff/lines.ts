/** The part of two texts that differs, with some equal lines around it, cut into lines. */

const NEWLINE = '\n'
/** A block of this size or less that differs is searched unit by unit. */
const SMALL_BLOCK = 32
const FIRST_BLOCK = 256

/** Numbered lines of both texts; equal lines have equal numbers. */
export interface LineWindow {
  /** Number of lines, and of UTF-8 bytes, before the window. Both texts are equal there. */
  readonly linesBefore: number
  readonly bytesBefore: number
  /** The distinct lines, without their newlines. `from` and `to` hold indexes into this list. */
  readonly texts: readonly string[]
  readonly from: readonly number[]
  readonly to: readonly number[]
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
  const prefix = commonPrefix(from, to, limit)
  const suffix = commonSuffix(from, to, limit - prefix)
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
    ...numberLines(cutLines(from, start, fromEnd), cutLines(to, start, toEnd)),
  }
}

function cutLines(text: string, start: number, end: number): string[] {
  const lines: string[] = []
  for (let at = start; at < end;) {
    const newline = text.indexOf(NEWLINE, at)
    const lineEnd = newline < 0 || newline >= end ? end : newline
    lines.push(text.slice(at, lineEnd))
    at = lineEnd + 1
  }
  return lines
}

/**
 * Numbers equal lines alike. Most lines of `to` follow the same line as in `from`, and comparing two lines takes a
 * third of the time of a hash.
 */
function numberLines(
  from: readonly string[],
  to: readonly string[],
): Pick<LineWindow, 'from' | 'to' | 'texts'> {
  const numbers = new Map<string, number>()
  const texts: string[] = []
  /** By number of a line of `from`: its first index. */
  const places: number[] = []
  const add = (line: string): number => {
    const number = texts.push(line) - 1
    numbers.set(line, number)
    return number
  }
  const fromNumbers = from.map((line, n) => {
    const known = numbers.get(line)
    if (known !== undefined) return known
    places.push(n)
    return add(line)
  })
  let next = 0
  const toNumbers = to.map((line) => {
    const expected = next++
    if (line === from[expected]) return fromNumbers[expected]!
    const number = numbers.get(line) ?? add(line)
    const place = places[number]
    if (place !== undefined) next = place + 1
    return number
  })
  return { from: fromNumbers, to: toNumbers, texts }
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

/** Length of the common start of two texts, at most `limit`. Compares slices, which runs at the speed of memory. */
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
