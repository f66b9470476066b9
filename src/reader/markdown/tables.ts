/** Tables: rows of a pipe table, boxes of facts as labels and values, and tables that only arrange a page. */
import type { Element } from './tree.js'
import { isDropped, type Walk } from './form.js'

const MAX_COLUMNS = 100
/** Of a page that a table arranges, cells hold more than this. */
const LONG_CELL = 400
const FACTS = /(?:^|\s)(?:infobox|infotaula|taxobox|sinottico|biota|vcard)/i
const DATA = /(?:^|\s)(?:wikitable|sortable|prettytable|bordered)/i
/** Cells of a first row that stands for headings. */
const BOLD = /^\*\*((?:[^*\\]|\\.)+)\*\*$/
const PARTS: ReadonlySet<string> = new Set(['thead', 'tbody', 'tfoot'])

export type TableKind = 'facts' | 'layout' | 'data'

export function rowsOf(table: Element): Element[] {
  return table.elements.flatMap((part) => {
    if (isDropped(part)) return []
    if (part.name === 'tr') return [part]
    return PARTS.has(part.name) ? part.elements.filter((row) => row.name === 'tr' && !isDropped(row)) : []
  })
}

export const cellsOf = (row: Element): Element[] =>
  row.elements.filter((cell) => (cell.name === 'td' || cell.name === 'th') && !isDropped(cell))

/** A table without headings arranges the page if it has one column, or cells with whole parts of the page. */
export function kindOf(table: Element): TableKind {
  const words = table.attribute('class')
  if (FACTS.test(words)) return 'facts'
  if (table.attribute('role') === 'presentation') return 'layout'
  if (DATA.test(words)) return 'data'
  const rows = rowsOf(table).map(cellsOf)
  if (rows.every((cells) => cells.length <= 1)) return 'layout'
  const cells = rows.flat()
  if (cells.some(({ name }) => name === 'th') || table.elements.some(({ name }) => name === 'caption'))
    return 'data'
  const holdsParts = (cell: Element): boolean =>
    cell.find(({ name }) => name === 'table' || /^h[1-6]$/.test(name)) !== undefined ||
    cell.text.length > LONG_CELL
  return cells.some(holdsParts) ? 'layout' : 'data'
}

/**
 * Rows of a pipe table. A cell over several rows is repeated in each, so that every row is whole. One over several
 * columns stands in the first, and the others are empty. `textOf` gives a cell in one line.
 */
export function pipeRows(table: Element, textOf: (cell: Element) => string, { form }: Walk): string[] {
  const rows = gridOf(table, textOf)
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0)
  if (width === 0) return []
  const line = (cells: readonly string[]): string => {
    const all = Array.from({ length: width }, (_, column) => cells[column] ?? '')
    return form === 'text' ? all.join(' | ').trim() : `| ${all.join(' | ')} |`
  }
  const written = rows.map(({ cells }) => line(cells))
  if (form === 'text') return written.filter((row) => /[^\s|]/.test(row))
  const [first] = rows
  const isBold = first?.isHead === false && first.cells.every((cell) => cell === '' || BOLD.test(cell))
  const head = first?.isHead === true || isBold ? written.shift()! : line([])
  const titles = isBold ? line(first.cells.map((cell) => cell.replace(BOLD, '$1'))) : head
  return [titles, `|${' --- |'.repeat(width)}`, ...written]
}

interface GridRow {
  readonly cells: string[]
  readonly isHead: boolean
}

function gridOf(table: Element, textOf: (cell: Element) => string): GridRow[] {
  const grid: GridRow[] = []
  /** Cells of rows above by column, and how many further rows they reach into. */
  const reaching = new Map<number, { text: string; rows: number }>()
  let own = 0
  /** Characters of repeated cells: at most as many as the table has itself. */
  let repeated = 0
  for (const row of rowsOf(table)) {
    const before = own
    const cells: string[] = []
    const elements = cellsOf(row)
    const takeReaching = (): void => {
      for (let above = reaching.get(cells.length); above; above = reaching.get(cells.length)) {
        repeated += above.text.length
        if (--above.rows <= 0) reaching.delete(cells.length)
        cells.push(repeated <= own ? above.text : '')
      }
    }
    for (const cell of elements) {
      takeReaching()
      if (cells.length >= MAX_COLUMNS) break
      const text = textOf(cell)
      own += text.length
      const [columns, rows] = [spanOf(cell, 'colspan', MAX_COLUMNS), spanOf(cell, 'rowspan', 65_534)]
      for (let column = 0; column < columns && cells.length < MAX_COLUMNS; column++) {
        const shown = column === 0 ? text : ''
        if (rows > 1) reaching.set(cells.length, { text: shown, rows: rows - 1 })
        cells.push(shown)
      }
    }
    takeReaching()
    // A row of nothing but repeated cells says nothing.
    if (own > before) grid.push({ cells, isHead: elements.every(({ name }) => name === 'th') })
  }
  return withoutEmptyColumns(grid)
}

/** Columns at the right edge that have no text come from wide headings. */
function withoutEmptyColumns(grid: GridRow[]): GridRow[] {
  const used = grid.reduce(
    (most, { cells }) => Math.max(most, cells.findLastIndex((cell) => cell !== '') + 1),
    0,
  )
  for (const { cells } of grid) cells.length = Math.min(cells.length, used)
  return grid
}

function spanOf(cell: Element, name: 'colspan' | 'rowspan', most: number): number {
  const span = Number.parseInt(cell.attribute(name), 10)
  return span >= 1 ? Math.min(span, most) : 1
}
