/** The counters of a page, and its editors with their numbers of edits. */
import { decodeNumber, encodeNumber } from '../rows/rows.js'
import type { HistoryRow, PageCounts } from '../rows/rows.js'
import type { Tables } from '../tables/tables.js'
import type { PageState } from './pageState.js'

type MutableCounts = { -readonly [K in keyof PageCounts]: PageCounts[K] }

/** Adds one revision to the counts, except `editors`, which depends on the other revisions too. */
export function countRevision(counts: MutableCounts, row: HistoryRow): void {
  counts.revisions++
  if (!row.textHidden) counts.edits++
  if (row.anonymous && !row.textHidden) counts.anonymous++
  if (row.bot) counts.bot++
  if (row.minor) counts.minor++
  if (row.reverted) counts.reverted++
}

/** Adds the editors of new revisions to the page's editors. */
export function countEditors(tables: Tables, page: PageState, rows: readonly HistoryRow[]): void {
  for (const [actorId, edits] of editsByActor(rows)) {
    const row = page.isNew ? undefined : tables.editor.getBinaryFast([page.id, actorId])
    const before = row === undefined ? 0 : decodeNumber(row)
    if (before === 0) page.counts.editors++
    tables.editor.putSync([page.id, actorId], encodeNumber(before + edits))
  }
}

/** Number of edits of each visible editor. */
export function editsByActor(rows: Iterable<HistoryRow>): Map<number, number> {
  const edits = new Map<number, number>()
  for (const { actorId } of rows) countActor(edits, actorId)
  return edits
}

/** Adds an edit to those of an editor, unless the editor is hidden. */
export function countActor(edits: Map<number, number>, actorId: number): void {
  if (actorId !== 0) edits.set(actorId, (edits.get(actorId) ?? 0) + 1)
}
