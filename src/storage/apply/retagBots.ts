/** Marks the edits of users who are bots now, and unmarks those of former bots. */
import { findUserId } from '../accounts.js'
import { actorKey, decodeActor } from '../actors.js'
import { shownParts } from '../hiddenParts.js'
import { decodeHistoryRow, decodePageRow, encodePageRow } from '../rows/rows.js'
import { type Tables, WHOLE_TABLE } from '../tables.js'
import type { WriteContext } from './context.js'
import { putRevision } from './revisionRows.js'

/** Walks the whole history once, for the rare change of the list of bots. */
export function retagBots(context: WriteContext, bots: ReadonlySet<string>): void {
  const { tables } = context
  const changed = new Set(
    [...context.bots, ...bots].filter((name) => context.bots.has(name) !== bots.has(name)),
  )
  if (!haveEdited(tables, changed)) return
  const differences = new Map<number, number>()
  for (const key of [...tables.history.getKeys({ ...WHOLE_TABLE })]) {
    const [pageId, timestamp, id] = key
    const row = decodeHistoryRow(tables.history.getBinaryFast(key)!)
    // Use the name in the revision: its actor may have another name since.
    const name = shownParts(row).user?.name
    if (name === undefined || !changed.has(name)) continue
    const bot = bots.has(name)
    if (bot === row.bot) continue
    putRevision(tables, pageId, { timestamp, id }, { ...row, bot }, row)
    differences.set(pageId, (differences.get(pageId) ?? 0) + (bot ? 1 : -1))
  }
  for (const [pageId, difference] of differences) {
    const page = decodePageRow(tables.page.getBinaryFast(pageId)!)
    const counts = { ...page.counts, bot: page.counts.bot + difference }
    tables.page.putSync(pageId, encodePageRow({ ...page, counts }))
  }
}

/** Tells if a user with one of the names may have edited. Avoids the walk for a new bot. */
function haveEdited(tables: Tables, names: ReadonlySet<string>): boolean {
  for (const name of names) {
    const userId = findUserId(tables, name)
    if (userId !== undefined && tables.actor.doesExist(actorKey({ id: userId, name }))) return true
  }
  for (const { value } of tables.actorName.getRange({ ...WHOLE_TABLE })) {
    if (names.has(decodeActor(value).name)) return true
  }
  return false
}
