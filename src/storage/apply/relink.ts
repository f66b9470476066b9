/** Walks a page's whole history again after revisions were inserted. */
import { encodeNumber, type HistoryRow } from '../rows/rows.js'
import { MAX_U32, type HistoryKey } from '../rows/keys.js'
import { StatedMarks } from '../sqlTables/statedMarks.js'
import type { Tables } from '../tables/tables.js'
import { countActor, countRevision, HistoryWalk } from './derive.js'
import type { PageState } from './pageState.js'
import { putRevision, requireHistoryRow } from './revisionRows.js'

/**
 * Recomputes byte changes and reverts of all revisions, rewrites the rows that changed, and recounts the page. It reads
 * every revision of the page, so it is for the rare writes that are not at the end. Returns the place of the newest
 * revision; undefined if there is none.
 */
export function relinkHistory(tables: Tables, page: PageState): HistoryKey | undefined {
  const walk = new HistoryWalk(() => undefined, new StatedMarks(tables))
  const edits = new Map<number, number>()
  const counts = { revisions: 0, edits: 0, editors: 0, anonymous: 0, bot: 0, minor: 0, reverted: 0 }
  const keys = listKeys(tables, page.id)
  for (const [, timestamp, id] of keys) {
    const row = requireHistoryRow(tables, page.id, timestamp, id)
    // Objects with few fields: spreads took half of the time for a long history.
    const { parentId, sizeBytes, sha1, madeHere, actorId } = row
    const derived = walk.step({ id, timestamp, parentId, sizeBytes, sha1, madeHere })
    const linked = withDerived(row, derived)
    if (linked !== row) putRevision(tables, page.id, { timestamp, id }, linked, row)
    countRevision(counts, linked)
    countActor(edits, actorId)
  }
  counts.editors = replaceEditors(tables, page.id, edits)
  page.counts = counts
  return keys.at(-1)
}

/** All keys of a history, read before any row: the caller rewrites rows, which an open cursor does not survive. */
function listKeys(tables: Tables, pageId: number): HistoryKey[] {
  return [...tables.history.getKeys({ start: [pageId, 0, 0], end: [pageId, MAX_U32, MAX_U32] })]
}

/** The row with its recomputed facts; the same object if nothing changed. */
function withDerived(row: HistoryRow, derived: { delta: number | undefined; reverted: boolean }): HistoryRow {
  const delta = String(derived.delta ?? null)
  const start = row.json.lastIndexOf(COLON) + 1
  const isSame = row.json.toString('latin1', start, row.json.length - 1) === delta
  if (isSame && row.reverted === derived.reverted) return row
  const json = Buffer.concat([row.json.subarray(0, start), Buffer.from(`${delta}}`)])
  return { ...row, reverted: derived.reverted, json }
}

/** The byte changes are the last field of a revision's object, so the last colon is before them. */
const COLON = 0x3a

/** Makes the page's editor rows equal to `edits`, and returns their number. */
function replaceEditors(tables: Tables, pageId: number, edits: ReadonlyMap<number, number>): number {
  for (const key of [...tables.editor.getKeys({ start: [pageId, 0], end: [pageId, MAX_U32] })]) {
    if (!edits.has(key[1])) tables.editor.removeSync(key)
  }
  for (const [actorId, count] of edits) tables.editor.putSync([pageId, actorId], encodeNumber(count))
  return edits.size
}
