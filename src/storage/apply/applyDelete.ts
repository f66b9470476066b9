/** Deletes pages, and brings them back. A deleted page keeps its rows and its file, and loses its title. */
import { sameTitle } from '../../domain/title.js'
import type { Entry, Verdict } from '../entries/entries.js'
import type { StatedProtection } from '../entries/pageActions.js'
import { dropUsesOf } from '../html/renderings.js'
import { writeProtection } from '../pages/protections.js'
import { moveTotals, NO_TOTALS, totalsOf } from './upstream/openPage.js'
import { nextTime } from './applyEdit.js'
import { dropUses, loadPage, savePage, unpublishPage, occupantOf } from './pageState.js'
import { bringFileBack, isFileAsStated, takeFileAway } from './pageFiles.js'
import { addEvent } from './publicLog.js'
import type { WriteContext } from './writeContext.js'

type DeleteEntry = Extract<Entry, { kind: 'delete' }>
type UndeleteEntry = Extract<Entry, { kind: 'undelete' }>

export function deletePage(context: WriteContext, entry: DeleteEntry): Verdict {
  const page = loadPage(context.tables, entry.pageId)
  if (page === undefined || page.untitled || !sameTitle(page, entry)) return { result: 'missing' }
  const { file } = entry
  if (!isFileAsStated(context.tables, page, file)) return { result: 'conflict', latestId: page.latestId }
  unpublishPage(context, page)
  if (file !== undefined) takeFileAway(context, page.id, file, entry.time)
  writeProtections(context, entry.protections)
  return { result: 'deleted', pageId: page.id, logId: tell(context, entry, 'delete') }
}

export function writeProtections(
  { tables, hasRenderings }: WriteContext,
  protections: readonly StatedProtection[],
): void {
  for (const { namespace, dbkey, edit, create, expires, move } of protections) {
    const own = { edit, create, expires, ...(move !== undefined && { move }) }
    const isChanged = writeProtection(tables, [namespace, dbkey], { own })
    if (isChanged && hasRenderings) dropUsesOf(tables, { namespace, dbkey }, 'protection')
  }
}

export function undeletePage(context: WriteContext, entry: UndeleteEntry): Verdict {
  const { tables } = context
  const page = loadPage(tables, entry.pageId)
  if (page === undefined || !page.untitled || !sameTitle(page, entry)) return { result: 'missing' }
  const occupant = occupantOf(tables, page)
  if (occupant !== undefined) return { result: 'exists', pageId: occupant }
  const { file } = entry
  const hasFile = tables.deletedFile.doesExist(page.id)
  if (hasFile !== (file !== undefined) || (file !== undefined && tables.file.doesExist(file)))
    return { result: 'conflict', latestId: page.latestId }
  if (file !== undefined) bringFileBack(context, page.id, file, entry.time)
  // With a title, the page has its latest text in the title row.
  if (page.latestText !== undefined) tables.text.removeSync(page.latestId)
  page.untitled = false
  moveTotals(context, NO_TOTALS, totalsOf(page))
  savePage(context, page)
  dropUses(context, page, 'existence')
  const { revisions } = page.counts
  const logId = tell(context, entry, 'restore', { ':assoc:count': { revisions, files: Number(hasFile) } })
  return { result: 'undeleted', pageId: page.id, revisions, logId }
}

function tell(
  context: WriteContext,
  { time, editor, reason, pageId, namespace, dbkey }: DeleteEntry | UndeleteEntry,
  action: string,
  params: NonNullable<Parameters<typeof addEvent>[1]['params']> = {},
): number {
  const timestamp = nextTime(context, time, undefined)
  const title = { namespace, dbkey }
  return addEvent(context, {
    timestamp,
    type: 'delete',
    action,
    editor,
    comment: reason,
    title,
    params,
    made: { pageIds: [pageId] },
  })
}
