/** Tells revisions that are new from those that the store has. */
import { revisionPageId, revisionTime } from '../rows/rows.js'
import { hash } from 'node:crypto'
import type { IncomingPage } from '../../domain/page.js'
import type { IncomingRevision } from '../../domain/revision.js'
import type { Tables } from '../tables.js'
import { readTextBytes } from '../texts.js'
import { type LinkedRow, requireHistoryRow } from './revisionRows.js'
import { visibilityDiffers } from './visibility.js'

export interface SortedRevisions {
  /** Under ids that are free; none twice. */
  readonly fresh: readonly IncomingRevision[]
  /** Of this page, as the store has them. */
  readonly known: readonly IncomingRevision[]
  /** Those of the known ones that show or hide other parts now. */
  readonly changed: readonly IncomingRevision[]
  /** Ids of revisions that the store has under another page. */
  readonly foreign: readonly number[]
  /** Ids under which the store, or the page itself before, has another revision. */
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
    if (!isSame(tables, stored, revision)) taken.push(id)
    else if (pageId !== incoming.id) foreign.push(id)
    else {
      known.push(revision)
      if (visibilityDiffers(stored, revision)) changed.push(revision)
    }
  }
  return { fresh: [...fresh.values()], known, changed, foreign, taken }
}

/**
 * An id alone does not make a revision: edits made here take ids that the mirrored wiki uses later. The same one has
 * the same time, and the same text where both have it, shown or not; editors may have been renamed since.
 */
function isSame(tables: Tables, stored: LinkedRow, { timestamp, text }: IncomingRevision): boolean {
  if (stored.timestamp !== timestamp) return false
  if (text === undefined) return true
  // Older texts may build on one that is hidden: it must not come back as another.
  if (stored.textHidden) return readTextBytes(tables, stored.id)?.equals(Buffer.from(text)) ?? true
  return hash('sha1', text, 'buffer').equals(stored.sha1)
}
