/** Numbers the lines of two texts, so that equal lines have equal numbers. */
import { commonPrefix } from './equalEnds.js'

const NEWLINE = '\n'
/** Units compared at first where lines may be equal. Edited pages have some equal lines in a row. */
const FIRST_BLOCK = 128
/** Slots for each line of the table that finds lines by a quick hash. Each slot holds one line. */
const SLOTS_PER_LINE = 4
const LEAST_SLOTS = 64
/** A quick hash looks at this many units of a line at most, and at its last one. */
const HASHED_UNITS = 8
const HASH_FACTOR = 0x01000193

/** Where the lines of a text are. */
export interface LinePlaces {
  readonly text: string
  /** By line: its start in the text, in UTF-16 units. A last element is the start of a line that would follow. */
  readonly starts: readonly number[]
}

/** Lines of two texts. The number of a line tells its place, so a line is cut out when somebody asks for it. */
export interface NumberedLines {
  readonly from: LinePlaces
  readonly to: LinePlaces
  /** The number of each line: the index of the first equal one in `from`, else in `to` plus the lines of `from`. */
  readonly fromNumbers: readonly number[]
  readonly toNumbers: readonly number[]
}

/** The lines of `text[start, end)`, without an empty line behind a newline at the end. */
export function cutLines(text: string, start: number, end: number): LinePlaces {
  const starts: number[] = []
  let at = start
  while (at < end) {
    starts.push(at)
    const newline = text.indexOf(NEWLINE, at)
    at = newline < 0 || newline >= end ? end + 1 : newline + 1
  }
  starts.push(at)
  return { text, starts }
}

/** The text of a line, without its newline. */
export const lineAt = ({ text, starts }: LinePlaces, line: number): string =>
  text.slice(starts[line], starts[line + 1]! - 1)

/** Size of the lines from `first` to before `end`, at least one, with their newlines, in bytes of UTF-8. */
export const bytesOfLines = ({ text, starts }: LinePlaces, first: number, end: number): number =>
  Buffer.byteLength(text.slice(starts[first], starts[end]! - 1)) + 1

/** The text of the lines with a number. */
export function lineOfNumber({ from, to }: Pick<NumberedLines, 'from' | 'to'>, number: number): string {
  const count = from.starts.length - 1
  return number < count ? lineAt(from, number) : lineAt(to, number - count)
}

/** More than the greatest number. */
export const numberCount = ({ fromNumbers, toNumbers }: NumberedLines): number =>
  fromNumbers.length + toNumbers.length

/**
 * Numbers the lines of `from` and those of `text[start, end)`. Most lines of the second text follow the same line as in
 * the first one. So it compares the texts, and cuts only lines that are not where they are expected.
 */
export function numberLines(from: LinePlaces, text: string, start: number, end: number): NumberedLines {
  const count = from.starts.length - 1
  const starts: number[] = []
  const to = { text, starts }
  const table = new LineTable({ from, to })
  const fromNumbers: number[] = []
  for (let n = 0; n < count; n++)
    fromNumbers.push(table.number(from.text, from.starts[n]!, from.starts[n + 1]! - 1, n))
  const toNumbers: number[] = []
  let expected = 0
  let at = start
  while (at < end) {
    if (expected < count) {
      const shift = at - from.starts[expected]!
      for (const last = expected + equalLines(from, expected, text, at, end); expected < last; expected++) {
        starts.push(from.starts[expected]! + shift)
        toNumbers.push(fromNumbers[expected]!)
      }
      at = from.starts[expected]! + shift
      if (at >= end) break
    }
    const newline = text.indexOf(NEWLINE, at)
    const lineEnd = newline < 0 || newline >= end ? end : newline
    const fresh = count + starts.length
    starts.push(at)
    const number = table.number(text, at, lineEnd, fresh)
    toNumbers.push(number)
    // A new line mostly replaces the expected one.
    expected = number < count ? number + 1 : expected + 1
    at = lineEnd + 1
  }
  starts.push(at)
  return { from, to, fromNumbers, toNumbers }
}

/** Number of whole lines, with their newlines, that are equal in `from` and in `text[at, end)`. */
function equalLines(
  { text: fromText, starts }: LinePlaces,
  first: number,
  text: string,
  at: number,
  end: number,
): number {
  const start = starts[first]!
  if (fromText.charCodeAt(start) !== text.charCodeAt(at)) return 0
  const limit = Math.min(fromText.length - start, end - at)
  const equalEnd = start + commonPrefix(fromText, start, text, at, limit, FIRST_BLOCK)
  let line = first
  while (line + 1 < starts.length && starts[line + 1]! <= equalEnd) line++
  return line - first
}

/**
 * Finds lines by a quick hash. Each slot holds the first line that came to it, and a Map holds the others. So a text
 * made of lines with equal hashes costs no more than the Map does.
 */
class LineTable {
  readonly #lines: Pick<NumberedLines, 'from' | 'to'>
  /** A line's number plus 1; 0 in free slots. */
  readonly #slots: Int32Array
  readonly #others = new Map<string, number>()

  constructor(lines: Pick<NumberedLines, 'from' | 'to'>) {
    this.#lines = lines
    let slots = LEAST_SLOTS
    while (slots < SLOTS_PER_LINE * lines.from.starts.length) slots *= 2
    this.#slots = new Int32Array(slots)
  }

  /** The number of the line `text[start, end)`: that of an equal line that came before, or else `fresh`. */
  number(text: string, start: number, end: number, fresh: number): number {
    const slot = quickHash(text, start, end) & (this.#slots.length - 1)
    const known = this.#slots[slot]! - 1
    if (known < 0) {
      this.#slots[slot] = fresh + 1
      return fresh
    }
    const line = text.slice(start, end)
    if (line === lineOfNumber(this.#lines, known)) return known
    const other = this.#others.get(line)
    if (other !== undefined) return other
    this.#others.set(line, fresh)
    return fresh
  }
}

/** A hash of a line's length and of some of its units. */
function quickHash(text: string, start: number, end: number): number {
  const length = end - start
  if (length === 0) return 0
  let hash = Math.imul(length ^ text.charCodeAt(end - 1), HASH_FACTOR)
  const step = Math.ceil(length / HASHED_UNITS)
  for (let at = start; at < end; at += step) hash = Math.imul(hash ^ text.charCodeAt(at), HASH_FACTOR)
  return hash ^ (hash >>> 15)
}
