/** Tells revisions and pages made here from imported ones, by a mark in each history row. */
import { MAX_U32 } from '../rows/keys.js'
import { isMadeHere, revisionPageId, revisionTime } from '../rows/rows.js'
import type { Tables } from '../tables/tables.js'

export function isRevisionMadeHere(tables: Tables, revisionId: number): boolean {
  const rev = tables.rev.getBinaryFast(revisionId)
  if (rev === undefined) return false
  const [pageId, timestamp] = [revisionPageId(rev), revisionTime(rev)]
  const row = tables.history.getBinaryFast([pageId, timestamp, revisionId])
  return row !== undefined && isMadeHere(row)
}

/** Tells if the page has revisions and all of them were made here. */
export function isPageMadeHere(tables: Tables, pageId: number): boolean {
  let count = 0
  const range = { start: [pageId, 0, 0], end: [pageId, MAX_U32, MAX_U32] } as const
  for (const { value } of tables.history.getRange(range)) {
    if (!isMadeHere(value)) return false
    count++
  }
  return count > 0
}
