/** Compares two texts line by line and word by word. The result equals wikidiff2 1.13's inline JSON byte for byte. */
import { editScript } from './editScript.js'
import type { DiffEntry } from './entries.js'
import { writeEntries } from './inlineJson.js'
import { ItemTable, TOO_DIFFERENT } from './itemTable.js'
import { numberCount } from './lineNumbers.js'
import { type ChangedRange, cutWindow, findChangedRange, type LineWindow } from './lines.js'
import type { Operation } from './operations.js'
import { pairLines } from './pairing.js'
import type { ThaiBreaker } from './thaiBreaks.js'
import { segmenterBreaker } from './thaiSegmenter.js'
import { CONTEXT_LINES, listEntries } from './walk.js'
import { WordDiffs } from './wordDiff.js'

/**
 * Equal lines included before the first difference, since changes can slide upwards. Each retry multiplies the number
 * by this factor.
 */
const LINES_BEFORE = 8
/** Changed lines of both texts. Each takes 2 µs at least, and 75 bytes of the answer. */
const MAX_CHANGED_LINES = 1_500_000

export interface CompareOptions {
  /** Cuts runs of Thai characters into words; `Intl.Segmenter` by default. */
  readonly thaiBreaker?: ThaiBreaker
}

/**
 * The JSON array of the differences, as UTF-8. Texts must be well-formed Unicode. Throws the error TOO_DIFFERENT,
 * before most of the work, if it would take many seconds.
 */
export function compare(from: string, to: string, options: CompareOptions = {}): Buffer {
  return Buffer.from(compareJson(from, to, options))
}

/** The same as a string. */
export function compareJson(from: string, to: string, options: CompareOptions = {}): string {
  return writeEntries(compareLines(from, to, options))
}

/** The differences as entries; an empty list for texts with equal lines. */
export function compareLines(from: string, to: string, options: CompareOptions = {}): DiffEntry[] {
  if (from === to) return []
  const table = new ItemTable()
  const [window, script] = compareWindow(from, to, findChangedRange(from, to), table)
  if (!script.some(({ kind }) => kind !== 'copy')) return []
  if (countChanged(script) > MAX_CHANGED_LINES) throw new Error(TOO_DIFFERENT)
  const words = new WordDiffs(window, table, options.thaiBreaker ?? segmenterBreaker())
  return listEntries(window, pairLines(script, window.fromNumbers, window.toNumbers, words), words)
}

/**
 * The lines around the differences, and the edit script over them. That is the script of the whole texts without the
 * equal lines at their ends. A change can slide up over equal lines and needs context above it, so the window grows
 * until it holds both.
 */
function compareWindow(
  from: string,
  to: string,
  range: ChangedRange,
  table: ItemTable,
): [LineWindow, Operation[]] {
  for (let linesBefore = LINES_BEFORE; ; linesBefore *= LINES_BEFORE) {
    const window = cutWindow(from, to, range, linesBefore, CONTEXT_LINES)
    table.reserve(numberCount(window))
    const script = editScript(window.fromNumbers, window.toNumbers, table)
    const [first] = script
    const equalBefore = first?.kind === 'copy' ? first.fromEnd : 0
    if (window.linesBefore === 0 || equalBefore >= CONTEXT_LINES) return [window, script]
  }
}

function countChanged(script: readonly Operation[]): number {
  let count = 0
  for (const { kind, fromStart, fromEnd, toStart, toEnd } of script)
    if (kind !== 'copy') count += fromEnd - fromStart + toEnd - toStart
  return count
}
