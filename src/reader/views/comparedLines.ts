/** The lines of a comparison as a table of two columns: the older text beside the newer one. */
import { type Html, html, trusted } from '../html.js'
import { text } from '../messages.js'
import { formatNumber } from './revision.js'

/** Kinds of lines, as the comparison numbers them. */
export const KIND = { context: 0, added: 1, deleted: 2, changed: 3, movedAway: 4, movedHere: 5 } as const

/** A marked range of a line, in bytes of UTF-8. */
export interface MarkedRange {
  readonly start: number
  readonly length: number
  /** 0: only in the newer text. 1: only in the older text. */
  readonly type: 0 | 1
}

/** A line of a comparison. A changed line has the words of both texts. */
export interface ComparedLine {
  readonly type: number
  /** Number of the line in the older text, from 1; undefined if that text lacks it. */
  readonly fromLine: number | undefined
  /** Number of the line in the newer text, from 1; undefined if that text lacks it. */
  readonly lineNumber?: number
  readonly text: string
  readonly highlightRanges?: readonly MarkedRange[]
  readonly moveInfo?: { readonly id: string; readonly linkId: string }
}

/** More HTML than this is of no use to a reader. The rest of the lines is counted. */
const MAX_LENGTH = 3 * 2 ** 20

/** How a table writes its rows. */
export interface RowWriter {
  /** Numbers of the next lines in both texts, after a gap. */
  readonly numbers: (from: number, to: number) => Html
  readonly line: (line: ComparedLine) => Html
  /** In place of so many lines at the end. */
  readonly cut: (count: number) => Html
}

/** Links to the other ends of moved lines begin with `path`, the path of the page with its query. */
export function comparedLines(lines: readonly ComparedLine[], path: string): Html {
  const rows = rowsOf(lines, { numbers: numberRow, line: (line) => lineRow(line, path), cut: cutRow })
  return html`<table class="diff">
    <colgroup>
      <col class="diff-marker" />
      <col class="diff-text" />
      <col class="diff-marker" />
      <col class="diff-text" />
    </colgroup>
    <thead class="visually-hidden">
      <tr>
        <th colspan="2" scope="col">${text('before-column')}</th>
        <th colspan="2" scope="col">${text('after-column')}</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

export function rowsOf(lines: readonly ComparedLine[], write: RowWriter): Html {
  let rows = ''
  let [from, to] = [0, 0]
  for (const [n, line] of lines.entries()) {
    const { fromLine, lineNumber } = line
    // Lines in between were left out.
    const isApart = n === 0 || (fromLine ?? from + 1) !== from + 1 || (lineNumber ?? to + 1) !== to + 1
    if (isApart) rows += write.numbers(fromLine ?? from + 1, lineNumber ?? to + 1).text
    from = fromLine ?? from
    to = lineNumber ?? to
    rows += write.line(line).text
    if (rows.length <= MAX_LENGTH || n === lines.length - 1) continue
    rows += write.cut(lines.length - n - 1).text
    break
  }
  return trusted(rows)
}

export const cutRow = (count: number): Html =>
  html`<tr class="diff-cut">
    <td colspan="4">${text('comparison-cut', formatNumber(count))}</td>
  </tr>`

function numberRow(from: number, to: number): Html {
  const cell = (line: number, side: string): Html =>
    html`<td class="diff-number ${side}" colspan="2">${text('line-number', formatNumber(line))}</td>`
  return html`<tr class="diff-numbers">
    ${cell(from, 'old')}${cell(to, 'new')}
  </tr> `
}

/** A cell of a line, with the column for its sign. */
interface Cell {
  readonly side: 'old' | 'new'
  readonly kind: string
  readonly sign: Html | string
  readonly content: Html | string
}

const EMPTY_OLD = trusted('<td class="diff-none old" colspan="2"></td>')
const EMPTY_NEW = trusted('<td class="diff-none new" colspan="2"></td>')

function lineRow(line: ComparedLine, path: string): Html {
  const { type } = line
  const removed = (content: Html | string): Html => cell({ side: 'old', kind: 'deleted', sign: '−', content })
  const added = (content: Html | string): Html => cell({ side: 'new', kind: 'added', sign: '+', content })
  switch (type) {
    case KIND.added:
      return row('added', EMPTY_OLD, added(line.text))
    case KIND.deleted:
      return row('deleted', removed(line.text), EMPTY_NEW)
    case KIND.changed:
      return row('changed', removed(markedLine(line, [1])), added(markedLine(line, [0])))
    case KIND.movedAway: {
      const sign = moveLink(line, path, text('moved-away'))
      return row('moved', cell({ side: 'old', kind: 'deleted', sign, content: line.text }), EMPTY_NEW)
    }
    case KIND.movedHere: {
      const sign = moveLink(line, path, text('moved-here'))
      const content = markedLine(line, [0])
      return row('moved', EMPTY_OLD, cell({ side: 'new', kind: 'added', sign, content }))
    }
    default: {
      const context = (place: 'old' | 'new'): Html =>
        cell({ side: place, kind: 'context', sign: '', content: line.text })
      return row('context', context('old'), context('new'))
    }
  }
}

const row = (kind: string, older: Html, newer: Html): Html =>
  trusted(`<tr class="diff-${kind}">${older.text}${newer.text}</tr>\n`)

/** Blanks and line breaks of the text show as they are, so the formatter must not add any. */
function cell({ side, kind, sign, content }: Cell): Html {
  const [shownSign, line] = [html`${sign}`.text, html`${content}`.text]
  return trusted(
    `<td class="diff-sign ${side}">${shownSign}</td><td class="diff-line diff-${kind} ${side}"><div dir="auto">${line}</div></td>`,
  )
}

/** Both ends of a move have an id, and lead to each other. */
function moveLink({ moveInfo }: ComparedLine, path: string, label: string): Html | string {
  if (moveInfo === undefined) return '↕'
  const { id, linkId } = moveInfo
  return html`<a id="${id}" class="diff-move" href="${path}#${linkId}" title="${label}" aria-label="${label}"
    >↕</a
  >`
}

/**
 * A line that has the words of both texts, with those marked that only one has. `shown` are the types of marked words
 * that are not left out.
 */
export function markedLine(
  { text: line, highlightRanges = [] }: Pick<ComparedLine, 'text' | 'highlightRanges'>,
  shown: readonly (0 | 1)[],
  attributes = '',
): Html {
  const bytes = Buffer.from(line)
  const part = (start: number, end: number): string => html`${bytes.toString('utf8', start, end)}`.text
  let result = ''
  let end = 0
  for (const { start, length, type } of highlightRanges) {
    result += part(end, start)
    end = start + length
    const element = type === 0 ? 'ins' : 'del'
    if (shown.includes(type)) result += `<${element}${attributes}>${part(start, end)}</${element}>`
  }
  return trusted(result + part(end, bytes.length))
}
