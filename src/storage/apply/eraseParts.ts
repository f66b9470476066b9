/** Erases texts, comments and users of a page's revisions. The revisions stay, with these parts hidden. */
import type { RevisionPart } from '../entries/administration.js'
import { markRevision } from '../pages/erased.js'
import { readHiddenParts, writeHiddenParts } from '../pages/hiddenParts.js'
import type { HistoryRow } from '../rows/rows.js'
import type { Tables } from '../tables/tables.js'
import { forgetRendering } from './upstream/forgetPage.js'
import { forgetText } from './upstream/forgetText.js'
import { closePage, openPage, placeIn } from './upstream/openPage.js'
import type { WriteContext } from './writeContext.js'
import { requirePage } from './pageState.js'
import { putRevision, requireHistoryRow } from './revisionRows.js'

interface ErasedParts {
  readonly pageId: number
  /** Revisions of the page. */
  readonly revisionIds: readonly number[]
  readonly parts: readonly RevisionPart[]
  /** Seconds since 1970. */
  readonly time: number
}

type IsGone = (part: RevisionPart) => boolean

export function eraseParts(context: WriteContext, { pageId, revisionIds, parts, time }: ErasedParts): void {
  const { tables } = context
  const isGone: IsGone = (part) => parts.includes(part)
  const open = openPage(context, requirePage(tables, pageId))
  const { page } = open
  context.erase({ of: 'revisions', pageId, revisionIds, parts })
  for (const id of revisionIds) {
    const place = placeIn(tables, pageId, id)!
    const before = requireHistoryRow(tables, pageId, place.timestamp, id)
    putRevision(tables, pageId, place, withoutParts(before, isGone), before)
    if (isGone('text')) forgetText(tables, place)
    forgetHidden(tables, id, isGone)
    forgetRendering(context, id)
    markRevision(tables, id, parts)
  }
  if (isGone('text') && revisionIds.includes(page.latestId)) page.redirectTarget = undefined
  closePage(context, open, { stated: undefined, time })
}

function withoutParts(row: HistoryRow, isGone: IsGone): HistoryRow {
  const object = JSON.parse(row.json.toString()) as { comment: unknown; user: unknown }
  if (isGone('comment')) object.comment = null
  if (isGone('user')) object.user = null
  return {
    ...row,
    ...(isGone('text') && { textHidden: true, sha1: Buffer.alloc(0) }),
    ...(isGone('comment') && { commentHidden: true }),
    ...(isGone('user') && { userHidden: true, actorId: 0, anonymous: false, bot: false }),
    json: Buffer.from(JSON.stringify(object)),
  }
}

function forgetHidden(tables: Tables, revisionId: number, isGone: IsGone): void {
  const { comment, user, own } = readHiddenParts(tables, revisionId)
  writeHiddenParts(tables, revisionId, {
    comment: isGone('comment') ? undefined : comment,
    user: isGone('user') ? undefined : user,
    own,
  })
}
