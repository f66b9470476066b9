/** Applies entries that take words out of the wiki for good. erase/eraser.ts takes them out of the log and the file. */
import { FILE } from '../../domain/namespaceIds.js'
import { IndexWriter } from '../../index/write/indexWriter.js'
import type { EraseChange, RevisionPart } from '../entries/administration.js'
import type { Verdict } from '../entries/entries.js'
import { writeCategories } from '../categories/categoryIndexing.js'
import { isRevisionErased, markPage } from '../pages/erased.js'
import { pseudonymOfPage } from '../accounts/pseudonyms.js'
import { readFile } from '../pages/files.js'
import { raiseTally } from '../tables/meta.js'
import { revisionPageId } from '../rows/rows.js'
import { forgetPage } from './upstream/forgetPage.js'
import { moveTotals, NO_TOTALS, totalsOf } from './upstream/totals.js'
import { applyFile } from './applyFile.js'
import type { WriteContext } from './writeContext.js'
import { eraseParts } from './eraseParts.js'
import { eraseUser } from './eraseUser.js'
import { otherSet, readIndexState } from '../search/indexState.js'
import { loadPage } from './pageState.js'

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
  const { namespace, dbkey } = page
  context.erase({ of: 'title', pageId, title: { namespace, dbkey } })
  // In a replay, entries that named the title name the pseudonym.
  for (const name of [dbkey, pseudonymOfPage(pageId)]) {
    tables.protection.removeSync([namespace, name])
    if (namespace === FILE) eraseFile(context, name, time)
  }
  forgetInSpareIndex(context, pageId)
  moveTotals(context, totalsOf(page), NO_TOTALS)
  const revisions = forgetPage(context, page)
  markPage(tables, pageId)
  return { result: 'erased', revisions }
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
  new IndexWriter(tables.indexes[spare]).remove(pageId)
  writeCategories(tables.indexes[spare], tables.indexes[spare], [[pageId, undefined]])
}
