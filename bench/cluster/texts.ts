/**
 * Texts of hot pages. Each client has a part of its own, so that edits of different clients can be merged. Some edits
 * change the first line, which all share.
 */

const SHARED = /^shared .*/

export function pageText(parts: number): string {
  const sections = Array.from({ length: parts }, (_, n) => `== Part ${n} ==\n\nnothing yet\n\n`)
  return `shared start.\n\n${sections.join('')}`.trimEnd()
}

/** Finds the markers of a text. In races for a title, the number of the node comes first. */
export const MARKER = /\d?m\d+x\d+x\d+\./g

/** Unique, and no part of another. */
export const markerOf = (client: number, round: number, operation: number): string =>
  `m${client}x${round}x${operation}.`

export function editPart(text: string, part: number, marker: string): string {
  const lines = text.split('\n')
  const at = lines.indexOf(`== Part ${part} ==`)
  if (at < 0) throw new Error(`the page has no part ${part}`)
  lines[at + 2] = marker
  return lines.join('\n')
}

/** Two such edits with the same base conflict. */
export const editShared = (text: string, marker: string): string => text.replace(SHARED, `shared ${marker}`)
