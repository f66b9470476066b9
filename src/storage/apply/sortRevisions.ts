/** Separates new revisions from those that the store has. */
import { revisionPageId, revisionTime } from '../rows/rows.js'
import { hash } from 'node:crypto'
import type { IncomingPage } from '../../domain/page.js'
import type { IncomingRevision } from '../../domain/revision.js'
import type { Tables } from '../tables/tables.js'
import { readTextBytes } from '../pages/texts.js'
import { type LinkedRow, requireHistoryRow } from './revisionRows.js'
import { visibilityDiffers } from './visibility.js'

export interface SortedRevisions {
  /** Revisions with free ids, each once. */
  readonly fresh: readonly IncomingRevision[]
  /** Revisions of this page that the store has. */
  readonly known: readonly IncomingRevision[]
  /** Known revisions that now show or hide other parts. */
  readonly changed: readonly IncomingRevision[]
  /** Ids of revisions that belong to another page in the store. */
  readonly foreign: readonly number[]
  /** Ids that already belong to another revision, in the store or earlier in the incoming page. */
  readonly taken: readonly number[]
}

export function sortRevisions(tables: Tables, incoming: IncomingPage): SortedRevisions {
  const fresh = new Map<number, IncomingRevision>()
  const known: IncomingRevision[] = []
  const changed: IncomingRevision[] = []
  const foreign: number[] = []
  const taken: number[] = []
  for (const revision of incoming.revisions) {
    const { id } = revision
    const rev = tables.rev.getBinaryFast(id)
    if (rev === undefined) {
      const first = fresh.get(id)
      if (first === undefined) fresh.set(id, revision)
      else if (first.timestamp !== revision.timestamp || first.text !== revision.text) taken.push(id)
      continue
    }
    const [pageId, timestamp] = [revisionPageId(rev), revisionTime(rev)]
    const stored = { ...requireHistoryRow(tables, pageId, timestamp, id), id, timestamp }
    if (!isSameRevision(tables, stored, revision)) taken.push(id)
    else if (pageId !== incoming.id) foreign.push(id)
    else {
      known.push(revision)
      if (visibilityDiffers(stored, revision)) changed.push(revision)
    }
  }
  return { fresh: [...fresh.values()], known, changed, foreign, taken }
}

/**
 * The id alone does not identify a revision: edits made here take ids that the mirrored wiki uses later. The same
 * revision has the same time. It also has the same text if both sides have it, shown or hidden. The editor may have
 * another name since.
 */
export function isSameRevision(
  tables: Tables,
  stored: LinkedRow,
  { timestamp, text }: IncomingRevision,
): boolean {
  if (stored.timestamp !== timestamp) return false
  if (text === undefined) return true
  // Older texts may be deltas against a hidden text, so it must not come back changed.
  if (stored.textHidden) return readTextBytes(tables, stored.id)?.equals(Buffer.from(text)) ?? true
  return hash('sha1', text, 'buffer').equals(stored.sha1)
}
