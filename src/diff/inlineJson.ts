/** Writes entries as JSON, with the keys, blanks and order of wikidiff2's inline JSON. */
import type { DiffEntry, HighlightRange, MoveInfo } from './entries.js'

/** The JSON array of the entries, as UTF-8. */
export function writeEntries(entries: readonly DiffEntry[]): Buffer {
  return Buffer.from(`[${entries.map(writeEntry).join(',')}]`)
}

function writeEntry({ type, lineNumber, moveInfo, text, offset, highlightRanges }: DiffEntry): string {
  let json = `{"type": ${type}`
  // A moved line has a number only in the new text; the number precedes the partner's name.
  if (lineNumber !== undefined) json += `, "lineNumber": ${lineNumber}`
  if (moveInfo !== undefined) json += `, "moveInfo": ${writeMove(moveInfo)}`
  json += `, "text": ${JSON.stringify(text)}, "offset": {"from": ${offset.from},"to": ${offset.to}}`
  if (highlightRanges !== undefined)
    json += `, "highlightRanges": [${highlightRanges.map(writeRange).join(',')}]`
  return `${json}}`
}

function writeMove({ id, linkId, linkDirection }: MoveInfo): string {
  return `{"id": "${id}", "linkId": "${linkId}", "linkDirection": ${linkDirection}}`
}

function writeRange({ start, length, type }: HighlightRange): string {
  return `{"start": ${start}, "length": ${length}, "type": ${type} }`
}
