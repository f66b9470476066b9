/** Applies entries that protect titles or hide parts of single revisions. */
import type { IncomingRevision } from '../../domain/revision.js'
import { timeDigits } from '../../domain/timestamp.js'
import { type HideChange, type ProtectChange, REVISION_PARTS } from '../entries/administration.js'
import type { Entry, Verdict } from '../entries/entries.js'
import { markOwnParts, readHiddenParts, type ShownParts, shownParts } from '../pages/hiddenParts.js'
import { raiseTally } from '../tables/meta.js'
import { getProtectionRow, writeProtection } from '../pages/protections.js'
import { dropUsesOf } from '../html/renderings.js'
import { decodePageRow, encodePageRow, type HistoryRow, revisionPageId, revisionTime } from '../rows/rows.js'
import { readTextBytes } from '../pages/texts.js'
import { readPlace } from '../upstream/place.js'
import { writeProtections } from './applyDelete.js'
import { nextTime } from './applyEdit.js'
import { applyPage } from './applyPage.js'
import type { WriteContext } from './writeContext.js'
import { loadPage } from './pageState.js'
import { addEvent } from './publicLog.js'
import { requireHistoryRow } from './revisionRows.js'

/** Pages show protections: HTML that used the title is dropped, and none that is being made is kept. */
export function applyProtection(context: WriteContext, entry: ProtectChange): Verdict {
  const { tables } = context
  const { namespace, dbkey, edit, create, expires } = entry
  const isAny = edit !== 'none' || create !== 'none'
  const move = isAny ? getProtectionRow(tables, [namespace, dbkey])?.move : undefined
  const own = { edit, create, expires, ...(move !== undefined && { move }) }
  writeProtection(tables, [namespace, dbkey], { own })
  raiseTally(tables, 'visibility')
  if (context.hasRenderings) dropUsesOf(tables, { namespace, dbkey }, 'protection')
  return { result: 'done' }
}

type RestrictEntry = Extract<Entry, { kind: 'restrict' }>

/** The same by somebody whom the public log names. */
export function restrictTitle(context: WriteContext, entry: RestrictEntry): Verdict {
  const { action, pageId, namespace, dbkey, editor, reason, time } = entry
  writeProtections(context, [entry])
  raiseTally(context.tables, 'visibility')
  const logId = addEvent(context, {
    timestamp: nextTime(context, time, undefined),
    type: 'protect',
    action,
    editor,
    comment: reason,
    title: { namespace, dbkey },
    params: action === 'unprotect' ? {} : paramsOf(entry),
    made: { pageIds: pageId === null ? [] : [pageId] },
  })
  return { result: 'restricted', logId }
}

/** As MediaWiki keeps them, under its names of levels. */
function paramsOf({ edit, create, move = 'none', expires, description, pageId }: RestrictEntry) {
  const levels = pageId === null ? { create } : { edit, move }
  const expiry = expires === null ? 'infinity' : timeDigits(expires)
  const details = Object.entries(levels)
    .filter(([, level]) => level !== 'none')
    .map(([type, level]) => ({
      type,
      level: level === 'user' ? 'autoconfirmed' : level,
      expiry,
      ...(pageId !== null && { cascade: false }),
    }))
  return { '4::description': description, '5:bool:cascade': false, details }
}

/** Hides or shows parts as a dump would: applies the revision again with the wanted parts hidden. */
export function applyHiding(context: WriteContext, entry: HideChange & { readonly time: number }): Verdict {
  const { tables } = context
  const { revisionId } = entry
  const rev = tables.rev.getBinaryFast(revisionId)
  if (rev === undefined) return { result: 'missing' }
  const [pageId, timestamp] = [revisionPageId(rev), revisionTime(rev)]
  const page = loadPage(tables, pageId)
  if (page === undefined || page.untitled) return { result: 'missing' }
  if (entry.text === true && revisionId === page.latestId) return { result: 'latest-text' }
  const row = requireHistoryRow(tables, pageId, timestamp, revisionId)
  const known = knownParts(context, revisionId, row)
  const hidden = {
    text: entry.text ?? row.textHidden,
    comment: entry.comment ?? row.commentHidden,
    user: entry.user ?? row.userHidden,
  }
  const lost = REVISION_PARTS.find((part) => !hidden[part] && known[part] === undefined)
  if (lost !== undefined) return { result: 'part-unknown', part: lost }
  const revision: IncomingRevision = {
    id: revisionId,
    parentId: row.parentId === 0 ? undefined : row.parentId,
    timestamp,
    editor: hidden.user ? undefined : known.user,
    comment: hidden.comment ? undefined : known.comment,
    minor: row.minor,
    contentModel: row.contentModel,
    text: hidden.text ? undefined : known.text,
    statedSizeBytes: row.sizeBytes,
    statedSha1: undefined,
  }
  const { namespace, dbkey } = page
  // A followed wiki states the target, which need not be that of the text.
  const redirectTarget = readPlace(tables) === undefined ? undefined : (page.redirectTarget ?? null)
  applyPage(context, { id: pageId, namespace, dbkey, redirectTarget, revisions: [revision] })
  markOwnParts(tables, revisionId, entry)
  const pageRow = decodePageRow(tables.page.getBinaryFast(pageId)!)
  tables.page.putSync(pageId, encodePageRow({ ...pageRow, hidingTime: entry.time }))
  return { result: 'done' }
}

/** All parts of a revision that the store has, hidden or not. */
function knownParts(
  { tables }: WriteContext,
  revisionId: number,
  row: HistoryRow,
): ShownParts & { readonly text: string | undefined } {
  const shown = shownParts(row)
  const kept = readHiddenParts(tables, revisionId)
  return {
    text: readTextBytes(tables, revisionId)?.toString(),
    comment: shown.comment ?? kept.comment,
    user: shown.user ?? kept.user,
  }
}
