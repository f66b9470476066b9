/** Finds the revisions that name a user, shown or hidden. */
import { readHiddenParts } from '../pages/hiddenParts.js'
import { historyActor } from '../rows/rows.js'
import { MAX_U32, type Pair } from '../rows/keys.js'
import type { TableHolder, Tables } from '../tables/tables.js'
import type { ErasedUser } from '../apply/eraseRequests.js'

/** Revisions in one entry. */
const REVISIONS_AT_ONCE = 500
/** Rows of one step that finds nothing. */
const ROWS_AT_ONCE = 20_000

/** Yields ids in bounded steps; a step may have none. Between two steps the caller may write. */
export function* revisionsOfUser(store: TableHolder, user: ErasedUser): Generator<number[]> {
  yield* shownRevisions(store, new Set(user.actorIds))
  yield* hiddenRevisions(store, user)
}

function* shownRevisions({ tables }: TableHolder, actorIds: ReadonlySet<number>): Generator<number[]> {
  let next: Pair | undefined = [0, 0]
  while (next !== undefined) {
    const pageIds: number[] = []
    next = findPages(tables, next, actorIds, pageIds)
    if (pageIds.length === 0) yield []
    for (const pageId of pageIds) {
      const range = { start: [pageId, 0, 0], end: [pageId, MAX_U32, MAX_U32] } as const
      const ids = [...tables.history.getKeys(range)].filter((key) => {
        const row = tables.history.getBinaryFast(key)
        return row !== undefined && actorIds.has(historyActor(row))
      })
      for (let at = 0; at < ids.length; at += REVISIONS_AT_ONCE)
        yield ids.slice(at, at + REVISIONS_AT_ONCE).map(([, , id]) => id)
    }
  }
}

/** Adds the pages of a step that have one of the editors. Returns the key to go on from. */
function findPages(
  { editor }: Tables,
  start: Pair,
  actorIds: ReadonlySet<number>,
  pageIds: number[],
): Pair | undefined {
  let rows = 0
  for (const [pageId, actorId] of editor.getKeys({ start })) {
    if (rows++ >= ROWS_AT_ONCE) return [pageId, actorId]
    if (actorIds.has(actorId) && pageIds.at(-1) !== pageId) pageIds.push(pageId)
  }
  return undefined
}

function* hiddenRevisions({ tables }: TableHolder, { userId, names }: ErasedUser): Generator<number[]> {
  let next: number | undefined = 0
  while (next !== undefined) {
    const ids: number[] = [...tables.hidden.getKeys({ start: next, limit: REVISIONS_AT_ONCE })]
    next = ids.length < REVISIONS_AT_ONCE ? undefined : ids.at(-1)! + 1
    yield ids.filter((id) => {
      const user = readHiddenParts(tables, id).user
      if (user === undefined) return false
      return user.id === null ? names.includes(user.name) : user.id === userId
    })
  }
}
