/** Tags: the ranges of the table `tag` behind the filters of a history and its counts. */
import type { HistoryFilter } from '../../domain/revision.js'
import type { HistoryRow } from '../rows/rows.js'

export const TAG_IDS = { anonymous: 1, bot: 2, minor: 3, reverted: 4 } as const satisfies Record<
  HistoryFilter,
  number
>
/** Not a filter: marks revisions that the counter `edits` leaves out. */
export const TAG_TEXT_HIDDEN = 5

/** Ids of a revision's tags, ascending. */
export function tagsOf(row: HistoryRow): number[] {
  const tags: number[] = []
  if (row.anonymous) tags.push(TAG_IDS.anonymous)
  if (row.bot) tags.push(TAG_IDS.bot)
  if (row.minor) tags.push(TAG_IDS.minor)
  if (row.reverted) tags.push(TAG_IDS.reverted)
  if (row.textHidden) tags.push(TAG_TEXT_HIDDEN)
  return tags
}
