/** Marks revisions again after an imported SQL table says other things of bots or reverts. */
import { actorKey } from '../../accounts/actors.js'
import { HistoryWalk } from '../derive.js'
import { putRevision, requireHistoryRow } from '../revisionRows.js'
import { shownParts } from '../../pages/hiddenParts.js'
import { raiseTally, readBots } from '../../tables/meta.js'
import { MAX_U32 } from '../../rows/keys.js'
import { decodeNumber, decodePageRow, encodePageRow, type HistoryRow } from '../../rows/rows.js'
import type { Tables } from '../../tables/tables.js'
import { compareSets } from '../../sqlTables/sqlTables.js'
import { StatedMarks } from '../../sqlTables/statedMarks.js'

interface Marks {
  readonly bot: boolean
  readonly reverted: boolean
}

/** Finds the marks of a revision; `derived` is what the texts before it tell. */
type FindMarks = (row: HistoryRow, derived: { readonly reverted: boolean }) => Marks

/**
 * Marks the revisions of pages from `from` on, until it has read about `maxRows` rows. Returns the page to continue
 * from; undefined at the end. A page is marked as a whole.
 */
export function remarkPages(
  tables: Tables,
  table: 'user_groups' | 'change_tag',
  from: number,
  maxRows: number,
): number | undefined {
  const actors = table === 'user_groups' ? changedActors(tables) : undefined
  if (actors?.size === 0) return undefined
  const marks = new StatedMarks(tables)
  const names = readBots(tables)
  const find: FindMarks =
    actors === undefined
      ? ({ bot }, { reverted }) => ({ bot, reverted })
      : (row) => ({ bot: isBotEdit(row, names, marks), reverted: row.reverted })
  const ids = [...tables.page.getKeys({ start: from, limit: maxRows })]
  let read = 0
  let isChanged = false
  let next = ids.length < maxRows ? undefined : ids.at(-1)! + 1
  for (const id of ids) {
    if (read >= maxRows) {
      next = id
      break
    }
    const editors = actors === undefined ? undefined : readEditors(tables, id)
    read += 1 + (editors?.length ?? 0)
    if (editors?.some((actorId) => actors!.has(actorId)) === false) continue
    const page = remarkPage(tables, id, marks, find)
    read += page.read
    isChanged ||= page.isChanged
  }
  if (isChanged) raiseTally(tables, 'pastChanges')
  return next
}

function remarkPage(
  tables: Tables,
  pageId: number,
  marks: StatedMarks,
  find: FindMarks,
): { readonly read: number; readonly isChanged: boolean } {
  const walk = new HistoryWalk(() => undefined, marks)
  const difference = { bot: 0, reverted: 0 }
  let isChanged = false
  // Rows are rewritten, which an open cursor does not survive.
  const keys = [...tables.history.getKeys({ start: [pageId, 0, 0], end: [pageId, MAX_U32, MAX_U32] })]
  for (const [, timestamp, id] of keys) {
    const row = requireHistoryRow(tables, pageId, timestamp, id)
    const { bot, reverted } = find(row, walk.step({ ...row, id, timestamp }))
    if (bot === row.bot && reverted === row.reverted) continue
    putRevision(tables, pageId, { timestamp, id }, { ...row, bot, reverted }, row)
    difference.bot += Number(bot) - Number(row.bot)
    difference.reverted += Number(reverted) - Number(row.reverted)
    isChanged = true
  }
  if (isChanged) {
    const page = decodePageRow(tables.page.getBinary(pageId)!)
    const { bot, reverted } = page.counts
    const counts = { ...page.counts, bot: bot + difference.bot, reverted: reverted + difference.reverted }
    tables.page.putSync(pageId, encodePageRow({ ...page, counts }))
  }
  return { read: keys.length, isChanged }
}

/** Ids of the actors who became bots, or no longer are. */
function changedActors(tables: Tables): ReadonlySet<number> {
  const actors = new Set<number>()
  for (const { id, isSame } of compareSets(tables, 'user_groups')) {
    const row = isSame ? undefined : tables.actor.getBinary(actorKey({ id: Number(id), name: '' }))
    if (row !== undefined) actors.add(decodeNumber(row))
  }
  return actors
}

const readEditors = (tables: Tables, pageId: number): number[] =>
  [...tables.editor.getKeys({ start: [pageId, 0], end: [pageId, MAX_U32] })].map(([, actorId]) => actorId)

function isBotEdit(row: HistoryRow, names: ReadonlySet<string>, marks: StatedMarks): boolean {
  const { user } = shownParts(row)
  return user !== undefined && (names.has(user.name) || marks.isBot(user))
}
