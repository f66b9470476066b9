/** Formats the summary of an import. */
import type { ImportCounts } from '../../import/importer.js'
import type { HtmlCounts } from '../../import/snapshots/htmlImporter.js'
import type { TableCounts } from '../../import/tables/importTables.js'
import type { KindCount } from './noticeLog.js'
import { NOTICE_KINDS } from '../../import/notices.js'
import { formatCount } from './progress.js'

export interface ImportResult {
  readonly name: string
  readonly counts: ImportCounts
  /** Notices by kind, those of omissions first. */
  readonly kinds: readonly KindCount[]
  readonly seconds: number
  readonly xmlBytes: number
  /** For a snapshot of rendered pages. */
  readonly html?: HtmlCounts | undefined
  /** For a file of SQL tables. */
  readonly sql?: TableCounts | undefined
}

/** A line with counts, time and speed, and a line per kind of notice. */
export function summarize({ name, counts, kinds, seconds, xmlBytes, html, sql }: ImportResult): string {
  const {
    pages,
    revisions,
    newPages,
    newRevisions,
    changedRevisions,
    renamedPages,
    skippedPages,
    skippedRevisions,
    skippedFiles,
    files,
    logEvents,
    newLogEvents,
    skippedLogEvents,
    warnings,
  } = counts
  const hasPages = (sql === undefined && logEvents === 0) || pages > 0 || newPages > 0
  const parts = hasPages
    ? [
        `${formatCount(pages)} pages and ${formatCount(revisions)} revisions read`,
        `${formatCount(newPages)} pages and ${formatCount(newRevisions)} revisions added`,
      ]
    : []
  if (logEvents > 0)
    parts.push(`${formatCount(logEvents)} log entries read, ${formatCount(newLogEvents)} of them taken`)
  if (html !== undefined) parts.push(...htmlParts(html))
  if (sql !== undefined) parts.push(...tableParts(sql))
  if (changedRevisions > 0) parts.push(`${formatCount(changedRevisions)} revisions hidden or shown`)
  if (renamedPages > 0) parts.push(`${formatCount(renamedPages)} pages renamed`)
  if (files > 0) parts.push(`${formatCount(files)} files added or changed`)
  if (skippedPages > 0) parts.push(`${formatCount(skippedPages)} pages left out`)
  if (skippedRevisions > 0) parts.push(`${formatCount(skippedRevisions)} revisions left out`)
  if (skippedFiles > 0) parts.push(`${formatCount(skippedFiles)} files left out`)
  if (skippedLogEvents > 0) parts.push(`${formatCount(skippedLogEvents)} log entries left out`)
  if (warnings > 0) parts.push(`${formatCount(warnings)} warnings`)
  const speed = (xmlBytes / 1e6 / Math.max(0.001, seconds)).toFixed(1)
  const first = `${name}: ${parts.join(', ')} in ${seconds.toFixed(1)} s (${speed} MB/s)`
  return [first, ...kinds.map(kindLine)].join('\n')
}

function htmlParts({ kept, known, unused }: HtmlCounts): string[] {
  const parts = [`HTML of ${formatCount(kept)} pages taken`]
  if (known > 0) parts.push(`of ${formatCount(known)} known before`)
  if (unused > 0) parts.push(`of ${formatCount(unused)} without use here`)
  return parts
}

function tableParts({ rows, foreignRows, skippedRows, changedTables }: TableCounts): string[] {
  const parts = [`${formatCount(rows)} rows read`, `${formatCount(changedTables)} tables changed`]
  if (foreignRows > 0) parts.push(`${formatCount(foreignRows)} rows without use here`)
  if (skippedRows > 0) parts.push(`${formatCount(skippedRows)} rows left out`)
  return parts
}

/** The sums over all dumps. The lines of single dumps contain the rest. */
export function summarizeAll(results: readonly ImportResult[]): string {
  const counts = { ...results[0]!.counts }
  const kinds = new Map<string, KindCount>()
  for (const [n, result] of results.entries()) {
    for (const kind of result.kinds) {
      const before = kinds.get(kind.kind)
      kinds.set(kind.kind, { ...kind, count: kind.count + (before?.count ?? 0) })
    }
    if (n === 0) continue
    for (const name of Object.keys(counts) as (keyof ImportCounts)[]) counts[name] += result.counts[name]
  }
  const sum = (of: (result: ImportResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0)
  return summarize({
    name: `all ${results.length} dumps`,
    counts,
    kinds: [...kinds.values()],
    seconds: sum(({ seconds }) => seconds),
    xmlBytes: sum(({ xmlBytes }) => xmlBytes),
    html: sumOfHtml(results),
    sql: sumOfTables(results),
  })
}

function sumOfHtml(results: readonly ImportResult[]): HtmlCounts | undefined {
  const all = results.flatMap(({ html }) => html ?? [])
  if (all.length === 0) return undefined
  const sum = (name: keyof HtmlCounts): number => all.reduce((total, each) => total + each[name], 0)
  return { kept: sum('kept'), known: sum('known'), unused: sum('unused'), skipped: sum('skipped') }
}

function sumOfTables(results: readonly ImportResult[]): TableCounts | undefined {
  const all = results.flatMap(({ sql }) => sql ?? [])
  if (all.length === 0) return undefined
  const sum = (of: (counts: TableCounts) => number): number =>
    all.reduce((total, each) => total + of(each), 0)
  return {
    rows: sum(({ rows }) => rows),
    foreignRows: sum(({ foreignRows }) => foreignRows),
    skippedRows: sum(({ skippedRows }) => skippedRows),
    changedTables: sum(({ changedTables }) => changedTables),
  }
}

/** Whether the import left out a part of the dump. */
export const lacksSomething = ({ counts, html, sql }: ImportResult): boolean => {
  const { skippedPages, skippedRevisions, skippedFiles, skippedLogEvents } = counts
  const skipped = skippedPages + skippedRevisions + skippedFiles + skippedLogEvents
  return skipped + (html?.skipped ?? 0) + (sql?.skippedRows ?? 0) > 0
}

const kindLine = ({ kind, count, isLeftOut }: KindCount): string =>
  `  ${isLeftOut ? 'left out' : 'noted'}: ${formatCount(count)} ${NOTICE_KINDS[kind]}`
