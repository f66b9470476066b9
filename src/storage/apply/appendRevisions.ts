/** Adds revisions at the end of a page's history. Their facts follow from the last rows. */
import type { HistoryRow } from '../rows/rows.js'
import type { WriteContext } from './writeContext.js'
import { HistoryWalk, REVERT_RADIUS } from './derive.js'
import { countEditors, countRevision } from './pageCounts.js'
import type { PageState } from './pageState.js'
import { deriveRow, findEarlierSize, lastLinks, type NewRevision, putRevision } from './revisionRows.js'
import { appendTexts } from './textChain.js'

/** Tells if revisions, which are in order, all come after the page's latest one. */
export function followsLatest(page: PageState, added: readonly NewRevision[]): boolean {
  const first = added[0]
  if (first === undefined) return true
  const { latestTimestamp, latestId } = page
  return first.timestamp > latestTimestamp || (first.timestamp === latestTimestamp && first.id > latestId)
}

export function appendRevisions(context: WriteContext, page: PageState, added: readonly NewRevision[]): void {
  if (added.length === 0) return
  const { tables } = context
  const walk = new HistoryWalk((id, child) => findEarlierSize(tables, page.id, id, child), context.marks)
  // A new page has no rows. Skip the range read, which costs as much as all other lookups.
  if (!page.isNew) for (const link of lastLinks(tables, page.id, REVERT_RADIUS)) walk.skip(link)
  const rows: HistoryRow[] = []
  for (const revision of added) {
    const { id, timestamp } = revision
    const { parentId, sizeBytes, sha1, madeHere } = revision.row
    // Not a copy of the row with more fields, which takes a microsecond.
    const derived = walk.step({ id, timestamp, parentId, sizeBytes, sha1, madeHere })
    const row = deriveRow(revision, derived)
    putRevision(tables, page.id, revision, row)
    countRevision(page.counts, row)
    rows.push(row)
  }
  countEditors(tables, page, rows)
  appendTexts(tables, page, added)
}
