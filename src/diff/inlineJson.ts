/** Writes entries as JSON, with the keys, blanks and order of wikidiff2's inline JSON. */
import type { DiffEntry, HighlightRange, MoveInfo } from './entries.js'

/** Units that a JSON string must not hold as they are. Texts have no lone surrogates. */
const ESCAPED = /["\\\u0000-\u001f]/

/** The JSON array of the entries. */
export function writeEntries(entries: readonly DiffEntry[]): string {
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
