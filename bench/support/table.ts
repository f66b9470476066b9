/** Aligned tables, which are also valid Markdown for commit messages. */
import type { Summary } from './statistics.js'

/** Prints a table. The first column is aligned left, the others right. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: readonly string[]): string => {
    const padded = widths.map((width, column) => {
      const cell = cells[column] ?? ''
      return column === 0 ? cell.padEnd(width) : cell.padStart(width)
    })
    return `| ${padded.join(' | ')} |`
  }
  const rule = widths.map(
    (width, column) => '-'.repeat(column === 0 ? width : width - 1) + (column === 0 ? '' : ':'),
  )
  console.log([line(header), line(rule), ...rows.map(line)].join('\n'))
}

/** `7.12 (6.90 to 8.40)`: median and span. Only the value if it has no span, and `-` without a measurement. */
export function formatSummary({ median, min, max }: Summary, digits: number): string {
  const span = `(${formatNumber(min, digits)} to ${formatNumber(max, digits)})`
  return min === max || Number.isNaN(median)
    ? formatNumber(median, digits)
    : `${formatNumber(median, digits)} ${span}`
}

/** `12,345.6`, or `-` without a measurement. */
export function formatNumber(value: number | undefined, digits: number): string {
  if (value === undefined || Number.isNaN(value)) return '-'
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
