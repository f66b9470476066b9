/** Gives ids to pages and revisions of dumps without ids, such as exports that other programs write. */
import { type IncomingPage, NO_ID } from '../../domain/page.js'
import type { IncomingRevision } from '../../domain/revision.js'
import { MAX_U32 } from '../rows/keys.js'
import { titleRowPageId } from '../rows/rows.js'
import type { Tables } from '../tables/tables.js'
import type { WriteContext } from './writeContext.js'
import { requireHistoryRow } from './revisionRows.js'
import { isSameRevision } from './sortRevisions.js'

/**
 * A page without an id is the one that has its title, or gets the next free id. A revision without an id is the one of
 * that page with the same time and text, or gets the next free id. So the same dump again changes nothing.
 */
export function giveIds({ tables, counters }: WriteContext, page: IncomingPage): IncomingPage {
  if (page.id !== NO_ID && page.revisions.every(({ id }) => id !== NO_ID)) return page
  const id = page.id === NO_ID ? (pageOfTitle(tables, page) ?? counters.nextPageId) : page.id
  const used = new Set(page.revisions.map((revision) => revision.id))
  let next = counters.nextRevisionId
  for (const stated of used) next = Math.max(next, stated + 1)
  const revisions = page.revisions.map((revision): IncomingRevision => {
    if (revision.id !== NO_ID) return revision
    const given = findKnown(tables, id, revision, used) ?? next++
    used.add(given)
    // A stated parent would be the number of another wiki.
    return { ...revision, id: given, parentId: undefined, madeHere: true }
  })
  return { ...page, id, revisions }
}

function pageOfTitle(tables: Tables, { namespace, dbkey }: IncomingPage): number | undefined {
  const row = tables.title.getBinaryFast([namespace, dbkey])
  return row && titleRowPageId(row)
}

/** Several equal revisions of one second are as many in the store, so each of these counts once. */
function findKnown(
  tables: Tables,
  pageId: number,
  revision: IncomingRevision,
  used: ReadonlySet<number>,
): number | undefined {
  const { timestamp } = revision
  const range = { start: [pageId, timestamp, 0], end: [pageId, timestamp, MAX_U32] } as const
  // All keys at once: an open cursor does not survive other reads.
  for (const [, , id] of [...tables.history.getKeys(range)]) {
    const stored = { ...requireHistoryRow(tables, pageId, timestamp, id), id, timestamp }
    if (!used.has(id) && isSameRevision(tables, stored, revision)) return id
  }
  return undefined
}
