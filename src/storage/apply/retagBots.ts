/** Marks the edits of users who are bots now, and unmarks those of users who were. */
import { decodeHistoryRow, decodePageRow, encodePageRow } from '../rows.js'
import { WHOLE_TABLE } from '../tables.js'
import type { WriteContext } from './context.js'
import { putRevision } from './revisionRows.js'

/** Walks the whole history once: for the rare change of the list of bots. */
export function retagBots(context: WriteContext, bots: ReadonlySet<string>): void {
  const { tables } = context
  const changed = changedActors(context, bots)
  if (changed.size === 0) return
  const differences = new Map<number, number>()
  for (const key of [...tables.history.getKeys({ ...WHOLE_TABLE })]) {
    const [pageId, timestamp, id] = key
    const row = decodeHistoryRow(tables.history.getBinaryFast(key)!)
    const bot = changed.get(row.actorId)
    if (bot === undefined || bot === row.bot) continue
    putRevision(tables, pageId, { timestamp, id }, { ...row, bot }, row)
    differences.set(pageId, (differences.get(pageId) ?? 0) + (bot ? 1 : -1))
  }
  for (const [pageId, difference] of differences) {
    const page = decodePageRow(tables.page.getBinaryFast(pageId)!)
    const counts = { ...page.counts, bot: page.counts.bot + difference }
    tables.page.putSync(pageId, encodePageRow({ ...page, counts }))
  }
}

/** Actors that became bots (true) or ceased to be (false). */
function changedActors(context: WriteContext, bots: ReadonlySet<string>): Map<number, boolean> {
  const changed = new Map<number, boolean>()
  for (const { key, value } of context.tables.actorName.getRange({ ...WHOLE_TABLE })) {
    const name = value.toString('utf8', 4, value.length)
    if (context.bots.has(name) !== bots.has(name)) changed.set(key, bots.has(name))
  }
  return changed
}
