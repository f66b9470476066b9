/** Takes pages and revisions out of the store, with all that belongs to them. */
import { editorsOf } from '../../accounts/actors.js'
import { readHiddenParts, shownParts } from '../../pages/hiddenParts.js'
import { REVISION_PARTS } from '../../entries/administration.js'
import { titlesOf } from '../../changes/madeEvents.js'
import { unlistRevision } from '../../changes/changeLists.js'
import { raiseTally } from '../../tables/meta.js'
import { dropRendering } from '../../html/renderings.js'
import { MAX_U32 } from '../../rows/keys.js'
import { listLanguages } from '../../sqlTables/languagePages.js'
import { forgetSqlRows, readSqlRow } from '../../sqlTables/sqlTables.js'
import { tagsOf } from '../../pages/history.js'
import type { WriteContext } from '../writeContext.js'
import { forgetDeletedFile } from '../pageFiles.js'
import { dropUses, type PageState } from '../pageState.js'
import { hideEventsOfPage } from '../publicLog.js'
import { requireHistoryRow } from '../revisionRows.js'
import type { Tables } from '../../tables/tables.js'
import {
  encodeDeltaText,
  encodeFullText,
  readTextBytes,
  textPacking,
  type TextPacking,
} from '../../pages/texts.js'

/** Keys of one step through the history of a page that goes. */
const STEP = 1000

/**
 * Everything that a revision says goes: its text, comment and user. The page must be open. Its counts are left to
 * `closePage`.
 */
export function forgetRevision(context: WriteContext, place: Place): void {
  const { tables } = context
  const row = requireHistoryRow(tables, place.pageId, place.timestamp, place.id)
  context.forgetEditors([shownParts(row).user, readHiddenParts(tables, place.id).user])
  forgetText(tables, place)
  tables.hidden.removeSync(place.id)
  context.erase({ of: 'revisions', pageId: place.pageId, revisionIds: [place.id], parts: REVISION_PARTS })
  forgetRow(context, place)
  forgetRendering(context, place.id)
}

/** Removes the row of a revision, and those that lead to it. Its text and hidden parts stay. */
export function forgetRow({ tables }: WriteContext, { pageId, timestamp, id }: Place): void {
  const row = requireHistoryRow(tables, pageId, timestamp, id)
  for (const tag of tagsOf(row)) tables.tag.removeSync([tag, pageId, timestamp, id])
  tables.history.removeSync([pageId, timestamp, id])
  tables.rev.removeSync(id)
  unlistRevision(tables, { id, timestamp }, row.actorId)
}

/** HTML of a revision names its users, and is not kept for one that shows other parts, or is of another page. */
export function forgetRendering({ tables, hasRenderings }: WriteContext, revisionId: number): void {
  raiseTally(tables, 'visibility')
  if (hasRenderings) dropRendering(tables, revisionId)
}

/** A page goes with all its revisions. It must not be counted any more. Returns how many revisions went. */
export function forgetPage(context: WriteContext, page: PageState): number {
  const { tables } = context
  context.erase({ of: 'page', pageId: page.id, titles: titlesOf(tables, page) })
  let revisions = 0
  const range = { start: [page.id, 0, 0], end: [page.id, MAX_U32, MAX_U32], limit: STEP } as const
  for (;;) {
    // An open range does not survive writes.
    const keys = [...tables.history.getKeys(range)]
    if (keys.length === 0) break
    const revisionIds = keys.map(([, , id]) => id)
    context.erase({ of: 'revisions', pageId: page.id, revisionIds, parts: REVISION_PARTS })
    for (const [, timestamp, id] of keys) {
      // All texts of the page go, so none needs another base.
      tables.text.removeSync(id)
      context.forgetEditors([readHiddenParts(tables, id).user])
      tables.hidden.removeSync(id)
      forgetRow(context, { pageId: page.id, timestamp, id })
      forgetRendering(context, id)
    }
    revisions += keys.length
  }
  const keys = [...tables.editor.getKeys({ start: [page.id, 0], end: [page.id, MAX_U32] })]
  context.forgetEditors(
    editorsOf(
      tables,
      keys.map(([, actorId]) => actorId),
    ),
  )
  for (const key of keys) tables.editor.removeSync(key)
  listLanguages(tables, [[page.id, readSqlRow(tables, 'langlinks', page.id), undefined]])
  forgetSqlRows(tables, page.id)
  forgetDeletedFile(context, page.id)
  hideEventsOfPage(tables, page.id)
  tables.page.removeSync(page.id)
  if (!page.untitled) {
    tables.title.removeSync([page.namespace, page.dbkey])
    context.indexing.pageGone(page.id)
    dropUses(context, page, 'existence')
  }
  return revisions
}

/** A revision's place in the history of a page. */
export interface Place {
  readonly pageId: number
  readonly timestamp: number
  readonly id: number
}

/**
 * Removes a row of the table `text`, if there is one. A text that builds on it gets the base of the removed one, or is
 * packed in full.
 */
export function forgetText(tables: Tables, place: Place): void {
  const packing = textPacking(tables, place.id)
  if (packing === undefined) return
  const dependant = packing.run === 0 ? undefined : findDependant(tables, place)
  if (dependant !== undefined) repack(tables, dependant, packing)
  tables.text.removeSync(place.id)
}

function repack(tables: Tables, { id, run }: Dependant, { baseId }: TextPacking): void {
  const text = readTextBytes(tables, id)!
  const row =
    baseId === undefined
      ? encodeFullText(text, run)
      : encodeDeltaText(text, run, baseId, readTextBytes(tables, baseId)!)
  tables.text.putSync(id, row)
}

interface Dependant {
  readonly id: number
  readonly run: number
}

/**
 * The revision whose text builds on that of another one: at most one does. It is mostly the one before. Revisions that
 * came out of order can put it anywhere in the page's history.
 */
function findDependant(tables: Tables, { pageId, timestamp, id }: Place): Dependant | undefined {
  const older = { start: [pageId, timestamp, id], end: [pageId, 0, 0], reverse: true } as const
  const newer = { start: [pageId, timestamp, id], end: [pageId, MAX_U32, MAX_U32] } as const
  for (const range of [older, newer]) {
    for (const [, , otherId] of tables.history.getKeys(range)) {
      const packing = textPacking(tables, otherId)
      if (packing?.baseId === id) return { id: otherId, run: packing.run }
    }
  }
  return undefined
}
