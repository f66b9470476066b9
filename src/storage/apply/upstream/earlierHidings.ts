/** Marks the parts that operators hid before the store kept marks of that. */
import type { RevisionPart } from '../../entries/administration.js'
import { decodeEntry, decodeEntryHead } from '../../entries/entries.js'
import { markOwnParts } from '../../pages/hiddenParts.js'
import { decodeHistoryRow, revisionPageId, revisionTime } from '../../rows/rows.js'
import { type Tables, WHOLE_TABLE } from '../../tables/tables.js'

type Parts = { readonly [Part in RevisionPart]: boolean }

/**
 * Reads the whole log, once, when the store begins to follow a wiki. Parts that a dump has shown again are not marked.
 */
export function markEarlierHidings(tables: Tables): void {
  const asked = new Map<number, Parts>()
  for (const { value } of tables.log.getRange(WHOLE_TABLE)) {
    if (decodeEntryHead(value).kind !== 'hide') continue
    const entry = decodeEntry(value)
    if (entry.kind !== 'hide') continue
    const { revisionId, text, comment, user } = entry
    const before = asked.get(revisionId)
    asked.set(revisionId, {
      text: text ?? before?.text ?? false,
      comment: comment ?? before?.comment ?? false,
      user: user ?? before?.user ?? false,
    })
  }
  for (const [revisionId, parts] of asked) {
    const rev = tables.rev.getBinaryFast(revisionId)
    const row = rev && tables.history.getBinaryFast([revisionPageId(rev), revisionTime(rev), revisionId])
    if (row === undefined) continue
    const { textHidden, commentHidden, userHidden } = decodeHistoryRow(row)
    markOwnParts(tables, revisionId, {
      text: parts.text && textHidden,
      comment: parts.comment && commentHidden,
      user: parts.user && userHidden,
    })
  }
}
