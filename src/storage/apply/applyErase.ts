/** Applies entries that take words out of the wiki for good. erase/eraser.ts takes them out of the log and the file. */
import { FILE } from '../../domain/namespaceIds.js'
import type { Title } from '../../domain/title.js'
import { IndexWriter } from '../../index/write/indexWriter.js'
import type { EraseChange, RevisionPart } from '../entries/administration.js'
import type { Verdict } from '../entries/entries.js'
import { writeCategories } from '../categories/categoryIndexing.js'
import { deletedUnder, titlesOf } from '../changes/madeEvents.js'
import { writeLinks } from '../links/linkIndexing.js'
import { isRevisionErased, markPage, markRevision } from '../pages/erased.js'
import { pseudonymOfPage } from '../accounts/pseudonyms.js'
import { readFile } from '../pages/files.js'
import { raiseTally } from '../tables/meta.js'
import { type HistoryRow, revisionPageId } from '../rows/rows.js'
import { forgetPage, forgetRendering, forgetText } from './upstream/forgetPage.js'
import { closePage, moveTotals, NO_TOTALS, openPage, placeIn, totalsOf } from './upstream/openPage.js'
import { applyFile } from './applyFile.js'
import type { WriteContext } from './writeContext.js'
import { eraseUser } from './eraseUser.js'
import { countErasure, otherSet, readIndexState } from '../search/indexState.js'
import { loadPage, requirePage, occupantOf } from './pageState.js'
import { hideEventParts, hideEventsNaming } from './publicLog.js'
import { readHiddenParts, writeHiddenParts } from '../pages/hiddenParts.js'
import type { Tables } from '../tables/tables.js'
import { putRevision, requireHistoryRow } from './revisionRows.js'

export function applyErase(context: WriteContext, entry: EraseChange & { readonly time: number }): Verdict {
  raiseTally(context.tables, 'visibility')
  if (entry.action === 'user') return eraseUser(context, entry)
  return entry.action === 'page' ? erasePage(context, entry) : eraseRevisions(context, entry)
}

interface ErasedRevisions {
  readonly revisionIds: readonly number[]
  readonly parts: readonly RevisionPart[]
  readonly time: number
}

/** The latest text of a page may go, too: the page then shows no text. */
function eraseRevisions(context: WriteContext, { revisionIds, parts, time }: ErasedRevisions): Verdict {
  let revisions = 0
  for (const [pageId, ids] of byPage(context, revisionIds, parts)) {
    eraseParts(context, { pageId, revisionIds: ids, parts, time })
    if (parts.includes('text')) forgetInSpareIndex(context, pageId)
    revisions += ids.length
  }
  return revisions === 0 ? { result: 'missing' } : { result: 'erased', revisions }
}

/** Revisions of which something is left to erase. */
function byPage(
  { tables }: WriteContext,
  revisionIds: readonly number[],
  parts: readonly RevisionPart[],
): Map<number, number[]> {
  const pages = new Map<number, number[]>()
  for (const id of new Set(revisionIds)) {
    const rev = tables.rev.getBinaryFast(id)
    if (rev === undefined) continue
    const pageId = revisionPageId(rev)
    if (isRevisionErased(tables, id, parts)) continue
    const ids = pages.get(pageId)
    if (ids === undefined) pages.set(pageId, [id])
    else ids.push(id)
  }
  return pages
}

/** Nothing of the page stays: neither its revisions, nor the protection of its title, nor a file of that name. */
function erasePage(
  context: WriteContext,
  { pageId, time }: { readonly pageId: number; readonly time: number },
): Verdict {
  const { tables } = context
  const page = loadPage(tables, pageId)
  if (page === undefined) return { result: 'missing' }
  // The entries that tell of them are emptied with the page.
  const titles = titlesOf(tables, page)
  forgetInSpareIndex(context, pageId)
  moveTotals(context, totalsOf(page), NO_TOTALS)
  const revisions = forgetPage(context, page)
  for (const [number, title] of titles.entries()) {
    if (isUsedByOthers(tables, title, pageId)) continue
    const { namespace, dbkey } = title
    context.erase({ of: 'title', pageId, title, number })
    // In a replay, entries that named the title name the pseudonym.
    for (const name of [dbkey, pseudonymOfPage(pageId, number)]) {
      hideEventsNaming(tables, { namespace, dbkey: name })
      tables.protection.removeSync([namespace, name])
      if (namespace === FILE) eraseFile(context, name, time)
    }
  }
  markPage(tables, pageId)
  return { result: 'erased', revisions }
}

/** Another page has the title, or had it when it was deleted. */
function isUsedByOthers(tables: Tables, title: Title, pageId: number): boolean {
  const occupant = occupantOf(tables, title)
  if (occupant !== undefined && occupant !== pageId) return true
  return deletedUnder(tables, title).some((other) => other.pageId !== pageId)
}

function eraseFile(context: WriteContext, dbkey: string, time: number): void {
  const facts = readFile(context.tables, dbkey)
  if (facts === undefined) return
  if (facts.sha256 !== null) context.erase({ of: 'contents', sha256: facts.sha256 })
  applyFile(context, { kind: 'file', id: '', time, dbkey, facts: null })
}

/** The spare index may hold the page, too: a rebuild that was killed leaves its rows. */
function forgetInSpareIndex({ tables }: WriteContext, pageId: number): void {
  const spare = otherSet(readIndexState(tables).set)
  countErasure(tables)
  new IndexWriter(tables.indexes[spare]).remove(pageId)
  writeCategories(tables.indexes[spare], tables.indexes[spare], [[pageId, undefined]])
  writeLinks(tables.indexes[spare], tables.indexes[spare], [[pageId, undefined]])
}

interface ErasedParts {
  readonly pageId: number
  /** Revisions of the page. */
  readonly revisionIds: readonly number[]
  readonly parts: readonly RevisionPart[]
  /** Seconds since 1970. */
  readonly time: number
}

type IsGone = (part: RevisionPart) => boolean

/** Erases texts, comments and users of a page's revisions. The revisions stay, with these parts hidden. */
function eraseParts(context: WriteContext, { pageId, revisionIds, parts, time }: ErasedParts): void {
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
  hideEventParts(tables, { pageId, revisionIds }, parts)
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
