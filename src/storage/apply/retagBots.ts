/** Marks the edits of users who are bots now, and unmarks those of former bots. */
import { decodeActor } from '../accounts/actors.js'
import { shownParts } from '../pages/hiddenParts.js'
import { type HistoryKey, MAX_U32 } from '../rows/keys.js'
import { decodeHistoryRow, decodePageRow, encodePageRow, historyActor } from '../rows/rows.js'
import { type Tables, WHOLE_TABLE } from '../tables/tables.js'
import { actorsNamed } from '../accounts/accounts.js'
import { readPlace } from '../upstream/place.js'
import type { WriteContext } from './writeContext.js'
import { putRevision } from './revisionRows.js'

/**
 * Walks the whole history, for the rare change of the list of bots. In a store that follows a wiki no two accounts have
 * one name, so it reads only the pages that these users edited. To find them it walks over the editors of all pages,
 * about a second for a million pairs of page and editor.
 */
export function retagBots(context: WriteContext, bots: ReadonlySet<string>): void {
  const { tables } = context
  const changed = new Set(
    [...context.bots, ...bots].filter((name) => context.bots.has(name) !== bots.has(name)),
  )
  const actors = actorsWith(tables, changed)
  if (actors.size === 0) return
  const differences = new Map<number, number>()
  for (const key of revisionsOf(tables, actors)) {
    const [pageId, timestamp, id] = key
    const row = decodeHistoryRow(tables.history.getBinaryFast(key)!)
    // Use the name in the revision: its actor may have another name since.
    const { user } = shownParts(row)
    if (user === undefined || !changed.has(user.name)) continue
    const bot = bots.has(user.name) || context.marks.isBot(user)
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

/** Ids of the actors that have, or had, one of the names. */
function actorsWith(tables: Tables, names: ReadonlySet<string>): ReadonlySet<number> {
  const actors = new Set<number>()
  for (const name of names) for (const id of actorsNamed(tables, name)) actors.add(id)
  for (const { key, value } of tables.actorName.getRange(WHOLE_TABLE)) {
    if (names.has(decodeActor(value).name)) actors.add(key)
  }
  return actors
}

/** Keys of revisions that may show one of the actors' names. The caller may write between two of them. */
function* revisionsOf(tables: Tables, actors: ReadonlySet<number>): Generator<HistoryKey> {
  const areNamesUnique = readPlace(tables) !== undefined
  const pageIds = areNamesUnique ? pagesOf(tables, actors) : tables.page.getKeys(WHOLE_TABLE)
  // An open range does not survive writes.
  for (const pageId of [...pageIds]) {
    for (const key of [
      ...tables.history.getKeys({ start: [pageId, 0, 0], end: [pageId, MAX_U32, MAX_U32] }),
    ]) {
      if (!areNamesUnique || actors.has(historyActor(tables.history.getBinaryFast(key)!))) yield key
    }
  }
}

function pagesOf(tables: Tables, actors: ReadonlySet<number>): ReadonlySet<number> {
  const pageIds = new Set<number>()
  for (const [pageId, actorId] of tables.editor.getKeys(WHOLE_TABLE))
    if (actors.has(actorId)) pageIds.add(pageId)
  return pageIds
}
