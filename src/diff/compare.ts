/** Compares two texts line by line and word by word. The result equals wikidiff2 1.13's inline JSON byte for byte. */
import { editScript } from './editScript.js'
import type { DiffEntry, HighlightRange, MoveInfo } from './entries.js'
import { ItemTable, TOO_DIFFERENT } from './itemTable.js'
import { numberCount } from './lineNumbers.js'
import { type ChangedRange, cutWindow, findChangedRange, type LineWindow } from './lines.js'
import { type Operation, replacement } from './operations.js'
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

// Writes entries as JSON, with the keys, blanks and order of wikidiff2's inline JSON.

/** Units that a JSON string must not hold as they are. Texts have no lone surrogates. */
const ESCAPED = /["\\\u0000-\u001f]/

/** The JSON array of the entries. */
function writeEntries(entries: readonly DiffEntry[]): string {
  let json = '['
  for (const entry of entries) json += `${json === '[' ? '' : ','}${writeEntry(entry)}`
  return `${json}]`
}

function writeEntry({ type, lineNumber, moveInfo, text, offset, highlightRanges }: DiffEntry): string {
  let json = `{"type": ${type}`
  // A moved line has a number only in the new text; the number precedes the partner's name.
  if (lineNumber !== undefined) json += `, "lineNumber": ${lineNumber}`
  if (moveInfo !== undefined) json += `, "moveInfo": ${writeMove(moveInfo)}`
  json += `, "text": ${writeText(text)}, "offset": {"from": ${offset.from},"to": ${offset.to}}`
  if (highlightRanges !== undefined)
    json += `, "highlightRanges": [${highlightRanges.map(writeRange).join(',')}]`
  return `${json}}`
}

/** Most lines need no escapes. To look for them takes less than half of the time of JSON.stringify. */
const writeText = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`)

function writeMove({ id, linkId, linkDirection }: MoveInfo): string {
  return `{"id": "${id}", "linkId": "${linkId}", "linkDirection": ${linkDirection}}`
}

function writeRange({ start, length, type }: HighlightRange): string {
  return `{"start": ${start}, "length": ${length}, "type": ${type} }`
}

// Decides which replaced lines count as changed: similar lines at the same index of a change.

/** A replaced line above this similarity to its partner counts as changed. */
const CHANGE_THRESHOLD = 0.2

/**
 * The script with changes of lines split into pairs: the first old line with the first new one, and so on. A stretch of
 * similar pairs stays one change. A pair that is not similar becomes an addition followed by a deletion. Lines without
 * a partner are deleted or added after the pairs. `from` and `to` hold the line numbers of `words`.
 */
function pairLines(
  script: readonly Operation[],
  from: readonly number[],
  to: readonly number[],
  words: WordDiffs,
): Operation[] {
  const paired: Operation[] = []
  for (const operation of script) {
    if (operation.kind === 'change') pairChange(operation, from, to, words, paired)
    else paired.push(operation)
  }
  return paired
}

function pairChange(
  { fromStart, fromEnd, toStart, toEnd }: Operation,
  from: readonly number[],
  to: readonly number[],
  words: WordDiffs,
  paired: Operation[],
): void {
  const pairs = Math.min(fromEnd - fromStart, toEnd - toStart)
  for (let pair = 0; pair < pairs;) {
    const first = pair
    while (pair < pairs && words.isAlike(from[fromStart + pair]!, to[toStart + pair]!, CHANGE_THRESHOLD))
      pair++
    if (pair > first) {
      paired.push(replacement(fromStart + first, fromStart + pair, toStart + first, toStart + pair))
    } else {
      const oldLine = fromStart + pair
      const newLine = toStart + pair
      paired.push(replacement(oldLine, oldLine, newLine, newLine + 1))
      paired.push(replacement(oldLine, oldLine + 1, newLine + 1, newLine + 1))
      pair++
    }
  }
  if (fromStart + pairs < fromEnd || toStart + pairs < toEnd) {
    paired.push(replacement(fromStart + pairs, fromEnd, toStart + pairs, toEnd))
  }
}
