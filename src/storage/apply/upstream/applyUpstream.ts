/**
 * Makes the store equal to a batch of states of the wiki that it follows. Pages come first and settings last, so that a
 * change of settings rewrites the pages of the batch too.
 */
import { presentPages } from '../../../domain/upstream.js'
import {
  decodeEntry,
  decodeEntryHead,
  NO_FOLLOW_COUNTS,
  type UpstreamEntry,
  type Verdict,
} from '../../entries/entries.js'
import { raiseTally, writeMeta } from '../../tables/meta.js'
import { noteMirrorChange } from '../../upstream/mirrorChanges.js'
import { placeHash, readPlace } from '../../upstream/place.js'
import type { WriteContext } from '../writeContext.js'
import { BatchTexts } from './batchTexts.js'
import { MirrorPages, type MutableCounts } from './mirrorPages.js'
import { mirrorFiles, mirrorProtections, renameUsers } from './mirrorFacts.js'
import { mirrorSettings, settingsRefusal } from './mirrorSettings.js'
import type { RevisionPart } from '../../entries/administration.js'
import { markOwnParts } from '../../pages/hiddenParts.js'
import { decodeHistoryRow, revisionPageId, revisionTime } from '../../rows/rows.js'
import { type Tables, WHOLE_TABLE } from '../../tables/tables.js'

export function applyUpstream(context: WriteContext, entry: UpstreamEntry): Verdict {
  const { tables } = context
  const place = readPlace(tables)
  if (placeHash(place) !== entry.from) return { result: 'elsewhere' }
  const present = presentPages(entry.pages)
  const texts = new BatchTexts(tables, present)
  const missing = texts.firstMissing(present)
  if (missing !== undefined) return { result: 'invalid', reason: `revision ${missing} has no text` }
  const reason = settingsRefusal(context, entry)
  if (reason !== undefined) return { result: 'site-refused', reason }
  if (place === undefined) markEarlierHidings(tables)
  texts.hold()
  const counts: MutableCounts = { ...NO_FOLLOW_COUNTS }
  const pages = new MirrorPages(context, texts, counts)
  counts.usersRenamed = renameUsers(context, entry.renames)
  pages.write(entry.pages, entry.time)
  counts.filesChanged = mirrorFiles(context, entry)
  counts.protectionsChanged = mirrorProtections(context, entry.protections)
  counts.settingsChanged = mirrorSettings(context, entry)
  noteMirrorChange(tables, entry)
  const changesPast = pages.changesPast || counts.protectionsChanged + counts.settingsChanged > 0
  if (changesPast) raiseTally(tables, 'pastChanges')
  const isMoved = placeHash(entry.to) !== entry.from
  if (isMoved) writeMeta(tables, 'upstream', entry.to)
  const isEffective = isMoved || Object.values(counts).some((count) => count > 0)
  return { result: 'followed', isEffective, ...counts }
}

type Parts = { readonly [Part in RevisionPart]: boolean }

/**
 * Marks the parts that operators hid before the store kept marks of that.
 * Reads the whole log, once, when the store begins to follow a wiki. Parts that a dump has shown again are not marked.
 */
function markEarlierHidings(tables: Tables): void {
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
