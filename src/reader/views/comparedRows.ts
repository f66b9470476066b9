/** The lines of a comparison as rows of MediaWiki's table, for clients that style its classes. */
import { type Html, html, trusted } from '../html.js'
import { type ComparedLine, cutRow, KIND, markedLine, rowsOf, type RowWriter } from './comparedLines.js'

export type RowForm = 'table' | 'inline'

/** `table` has the older text beside the newer one, `inline` has both in one column. */
export function comparedRows(lines: readonly ComparedLine[], form: RowForm): Html {
  if (lines.length === 0) return trusted('')
  if (form === 'table') {
    const ends = endsOfMoves(lines)
    return rowsOf(lines, { numbers: numberRow, line: (line) => tableRow(line, ends), cut: cutRow })
  }
  return trusted(`<tr><td colspan="4">${rowsOf(lines, INLINE).text}</td></tr>\n`)
}

const MARKS = ' class="diffchange diffchange-inline"'

/** Moved lines at their new place, by id. They have the words of both places. */
function endsOfMoves(lines: readonly ComparedLine[]): ReadonlyMap<string, ComparedLine> {
  const moved = lines.filter(({ type }) => type === KIND.movedHere)
  return new Map(moved.flatMap((line) => (line.moveInfo === undefined ? [] : [[line.moveInfo.id, line]])))
}

const numberRow = (from: number, to: number): Html =>
  trusted(`<tr>\n${numberCell(from)}${numberCell(to)}</tr>\n`)

const numberCell = (line: number): string => `  <td colspan="2" class="diff-lineno">Line ${line}:</td>\n`

type Side = 'added' | 'deleted'
const NO_CELL: Readonly<Record<Side, string>> = {
  deleted: '  <td colspan="2" class="diff-empty diff-side-deleted"></td>\n',
  added: '  <td colspan="2" class="diff-empty diff-side-added"></td>\n',
}
const SIGNS: Readonly<Record<Side, string>> = { deleted: '−', added: '+' }

function tableRow(line: ComparedLine, ends: ReadonlyMap<string, ComparedLine>): Html {
  const whole = html`${line.text}`
  switch (line.type) {
    case KIND.added:
      return row(NO_CELL.deleted, changedCell('added', whole))
    case KIND.deleted:
      return row(changedCell('deleted', whole), NO_CELL.added)
    case KIND.changed:
      return row(
        changedCell('deleted', markedLine(line, [1], MARKS)),
        changedCell('added', markedLine(line, [0], MARKS)),
      )
    case KIND.movedAway: {
      const end = ends.get(line.moveInfo?.linkId ?? '')
      const content = end === undefined ? whole : markedLine(end, [1], MARKS)
      return row(changedCell('deleted', content, line), NO_CELL.added)
    }
    case KIND.movedHere:
      return row(NO_CELL.deleted, changedCell('added', markedLine(line, [0], MARKS), line))
    default:
      return row(contextCell('deleted', whole), contextCell('added', whole))
  }
}

const row = (older: string, newer: string): Html => trusted(`<tr>\n${older}${newer}</tr>\n`)

/** An empty line needs some height. */
const block = (content: Html): string =>
  content.text === '' ? '<br />' : `<div>${withQuotes(content)}</div>`

/** Quotation marks need no escapes in a text, and wikitext has many. */
const withQuotes = ({ text }: Html): string => text.replaceAll('&#039;', "'").replaceAll('&quot;', '"')

const contextCell = (side: Side, content: Html): string =>
  `  <td class="diff-marker"></td>\n  <td class="diff-context diff-side-${side}">${block(content)}</td>\n`

function changedCell(side: Side, content: Html, moved?: ComparedLine): string {
  const { moveInfo } = moved ?? {}
  const sign =
    moveInfo === undefined
      ? `<td class="diff-marker" data-marker="${SIGNS[side]}"></td>`
      : `<td class="diff-marker">${moveLink(side, moveInfo)}</td>`
  const anchor = moveInfo === undefined ? '' : html`<a name="${moveInfo.id}"></a>`.text
  const shown = anchor === '' ? block(content) : `<div>${anchor}${withQuotes(content)}</div>`
  return `  ${sign}\n  <td class="diff-${side}line diff-side-${side}">${shown}</td>\n`
}

function moveLink(side: Side, { linkId }: { readonly linkId: string }): string {
  const [place, other] = side === 'deleted' ? ['left', 'new'] : ['right', 'old']
  const label = `Paragraph was moved. Click to jump to ${other} location.`
  return html`<a class="mw-diff-movedpara-${place}" title="${label}" href="#${linkId}">⚫</a>`.text
}

const INLINE: RowWriter = {
  numbers: (from, to) => trusted(`<div class="mw-diff-inline-header"><!-- LINES ${from},${to} --></div>\n`),
  line: inlineLine,
  cut: (count) => html`<div class="mw-diff-inline-context">… ${String(count)}</div>`,
}

function inlineLine(line: ComparedLine): Html {
  const whole = html`${line.text}`.text
  switch (line.type) {
    case KIND.added:
      return inline('added', `<ins>${whole}</ins>`)
    case KIND.deleted:
      return inline('deleted', `<del>${whole}</del>`)
    case KIND.changed:
      return inline('changed', markedLine(line, [0, 1]).text)
    case KIND.movedAway:
      return inline('moved mw-diff-inline-deleted', `<del>${whole}</del>`)
    case KIND.movedHere:
      return inline('moved mw-diff-inline-added', `<ins>${markedLine(line, [0]).text}</ins>`)
    default:
      return inline('context', whole)
  }
}

const inline = (kind: string, content: string): Html =>
  trusted(`<div class="mw-diff-inline-${kind}">${content}</div>\n`)
