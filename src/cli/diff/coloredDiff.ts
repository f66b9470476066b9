/** Formats a comparison for people: one line per entry, and a heading after every gap. */
import { type DiffEntry, ENTRY, type EntryType } from '../../diff/entries.js'

interface Style {
  readonly start: string
  readonly end: string
}

interface Look {
  /** The start of each kind of line. */
  readonly margins: Readonly<Record<EntryType, string>>
  readonly heading: Style
  readonly line: Readonly<Partial<Record<EntryType, Style>>>
  readonly added: Style
  readonly deleted: Style
}

const RESET = '\x1b[0m'
const NO_STYLE: Style = { start: '', end: '' }
const GREEN: Style = { start: '\x1b[32m', end: RESET }
const RED: Style = { start: '\x1b[31m', end: RESET }
const CYAN: Style = { start: '\x1b[36m', end: RESET }
const MAGENTA: Style = { start: '\x1b[35m', end: RESET }

const MARGINS: Look['margins'] = {
  [ENTRY.context]: '  ',
  [ENTRY.added]: '+ ',
  [ENTRY.deleted]: '- ',
  [ENTRY.changed]: '~ ',
  [ENTRY.movedAway]: '< ',
  [ENTRY.movedHere]: '> ',
}

const PLAIN: Look = {
  margins: MARGINS,
  heading: NO_STYLE,
  line: {},
  added: { start: '{+', end: '+}' },
  deleted: { start: '[-', end: '-]' },
}

const COLORED: Look = {
  margins: MARGINS,
  heading: CYAN,
  line: { [ENTRY.added]: GREEN, [ENTRY.deleted]: RED, [ENTRY.movedAway]: MAGENTA },
  added: { start: '\x1b[1;32m', end: RESET },
  deleted: { start: '\x1b[9;31m', end: RESET },
}

/**
 * One line per entry, with a mark: `+` added, `-` deleted, `~` changed, `<` moved away, `>` moved here, blank for equal
 * text. Changed and moved lines mark words as `[-deleted-]` and `{+added+}`, or in colour when `colors` is set.
 */
export function layOutDiff(entries: readonly DiffEntry[], colors: boolean): string {
  const look = colors ? COLORED : PLAIN
  let laidOut = ''
  let expectedLine = 0
  for (const entry of entries) {
    const { lineNumber } = entry
    if (lineNumber !== undefined) {
      if (lineNumber !== expectedLine) laidOut += `${paint(`@@ line ${lineNumber} @@`, look.heading)}\n`
      expectedLine = lineNumber + 1
    }
    const line = look.margins[entry.type] + markRanges(entry, look)
    laidOut += `${paint(line, look.line[entry.type] ?? NO_STYLE)}\n`
  }
  return laidOut
}

function markRanges({ text, highlightRanges = [] }: DiffEntry, look: Look): string {
  if (highlightRanges.length === 0) return text
  const bytes = Buffer.from(text)
  let marked = ''
  let at = 0
  for (const { start, length, type } of highlightRanges) {
    marked += bytes.toString('utf8', at, start)
    at = start + length
    marked += paint(bytes.toString('utf8', start, at), type === 0 ? look.added : look.deleted)
  }
  return marked + bytes.toString('utf8', at)
}

function paint(text: string, { start, end }: Style): string {
  return `${start}${text}${end}`
}
