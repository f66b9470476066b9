/**
 * Lists of all revisions: by time, and by editor. They are derived from the histories, and written with them.
 *
 *     revisionTime    time u32, revision u32 → nothing
 *     actorRevision   actor u32, time u32, revision u32 → nothing; no revision whose editor is hidden
 */
import { historyActor, revisionPageId, revisionTime } from '../rows/rows.js'
import { readMeta, writeMeta } from '../tables/meta.js'
import type { DerivedWriter, Tables } from '../tables/tables.js'

const NOTHING = Buffer.alloc(0)
/** Revisions of one step, in some 50 ms. */
const STEP_ROWS = 5000

interface ListedRevision {
  readonly id: number
  readonly timestamp: number
}

/** Lists a revision. `actorBefore`: that of the row which it replaces; undefined for a new revision. */
export function listRevision(
  { revisionTime: byTime, actorRevision }: Tables,
  { id, timestamp }: ListedRevision,
  actorId: number,
  actorBefore?: number,
): void {
  if (actorBefore === undefined) byTime.putSync([timestamp, id], NOTHING)
  if (actorBefore === actorId) return
  if (actorBefore !== undefined && actorBefore !== 0) actorRevision.removeSync([actorBefore, timestamp, id])
  if (actorId !== 0) actorRevision.putSync([actorId, timestamp, id], NOTHING)
}

/** Takes a revision that goes off the lists. */
export function unlistRevision(
  { revisionTime: byTime, actorRevision }: Tables,
  { id, timestamp }: ListedRevision,
  actorId: number,
): void {
  byTime.removeSync([timestamp, id])
  if (actorId !== 0) actorRevision.removeSync([actorId, timestamp, id])
}

/** Whether the lists have all revisions. Those of a store that an older version made are filled step by step. */
export const areListsComplete = (tables: Tables): boolean => readMeta(tables, 'changeLists') === 'complete'

/** Lists some more revisions of an older store. Returns false if nothing is left. */
export function fillStep(store: DerivedWriter): boolean {
  const { tables } = store
  if (areListsComplete(tables)) return false
  store.transactDerived(() => {
    // Another process may have done the step.
    const state = readMeta(tables, 'changeLists')
    if (state === 'complete') return
    const ids = [...tables.rev.getKeys({ start: state ?? 0, limit: STEP_ROWS })]
    for (const id of ids) {
      const rev = tables.rev.getBinary(id)!
      const [pageId, timestamp] = [revisionPageId(rev), revisionTime(rev)]
      const row = tables.history.getBinaryFast([pageId, timestamp, id])
      if (row !== undefined) listRevision(tables, { id, timestamp }, historyActor(row))
    }
    writeMeta(tables, 'changeLists', ids.length < STEP_ROWS ? 'complete' : ids.at(-1)! + 1)
  })
  return true
}
