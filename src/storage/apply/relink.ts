/** Walks a page's whole history again after revisions were inserted. */
import { encodeNumber } from '../rows/rows.js'
import { MAX_U32, type HistoryKey } from '../rows/keys.js'
import type { HistoryRow } from '../rows/rows.js'
import { StatedMarks } from '../sqlTables/statedMarks.js'
import type { Tables } from '../tables.js'
import { HistoryWalk } from './derive.js'
import { countRevision, editsByActor } from './pageCounts.js'
import type { PageState } from './pageState.js'
import { putRevision, requireHistoryRow } from './revisionRows.js'

/**
 * Recomputes byte changes and reverts of all revisions, rewrites the rows that changed, and recounts the page. It reads
 * every revision of the page, so it is for the rare writes that are not at the end. Returns the place of the newest
 * revision; undefined if there is none.
 */
export function relinkHistory(tables: Tables, page: PageState): HistoryKey | undefined {
  const walk = new HistoryWalk(() => undefined, new StatedMarks(tables))
  const rows: HistoryRow[] = []
  const counts = { revisions: 0, edits: 0, editors: 0, anonymous: 0, bot: 0, minor: 0, reverted: 0 }
  const keys = listKeys(tables, page.id)
  for (const [, timestamp, id] of keys) {
    const row = requireHistoryRow(tables, page.id, timestamp, id)
    const derived = walk.step({ ...row, id, timestamp })
    const linked = withDerived(row, derived)
    if (linked !== row) putRevision(tables, page.id, { timestamp, id }, linked, row)
    countRevision(counts, linked)
    rows.push({ ...linked, json: NO_JSON })
  }
  counts.editors = replaceEditors(tables, page.id, editsByActor(rows))
  page.counts = counts
  return keys.at(-1)
}

const NO_JSON = Buffer.alloc(0)

/** All keys of a history, read before any row: the caller rewrites rows, which an open cursor does not survive. */
function listKeys(tables: Tables, pageId: number): HistoryKey[] {
  return [...tables.history.getKeys({ start: [pageId, 0, 0], end: [pageId, MAX_U32, MAX_U32] })]
}

/** The row with its recomputed facts; the same object if nothing changed. */
function withDerived(row: HistoryRow, derived: { delta: number | undefined; reverted: boolean }): HistoryRow {
  const object = JSON.parse(row.json.toString()) as { delta: number | null }
  const delta = derived.delta ?? null
  if (object.delta === delta && row.reverted === derived.reverted) return row
  return { ...row, reverted: derived.reverted, json: Buffer.from(JSON.stringify({ ...object, delta })) }
}

/** Makes the page's editor rows equal to `edits`, and returns their number. */
function replaceEditors(tables: Tables, pageId: number, edits: ReadonlyMap<number, number>): number {
  for (const key of [...tables.editor.getKeys({ start: [pageId, 0], end: [pageId, MAX_U32] })]) {
    if (!edits.has(key[1])) tables.editor.removeSync(key)
  }
  for (const [actorId, count] of edits) tables.editor.putSync([pageId, actorId], encodeNumber(count))
  return edits.size
}
