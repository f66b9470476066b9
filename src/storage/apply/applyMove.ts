/**
 * Moves a page: it gets another title, and a revision that tells of it. In one transaction with that, a redirect stays
 * behind, one at the new title goes, and file and protection come along.
 */
import { prefixedText, sameTitle } from '../../domain/title.js'
import type { Entry, Verdict } from '../entries/entries.js'
import { appendRevisions } from './appendRevisions.js'
import { nextTime, saveRevision } from './applyEdit.js'
import {
  dropTitle,
  dropUses,
  loadPage,
  type PageState,
  redirectInText,
  savePage,
  unpublishPage,
  occupantOf,
} from './pageState.js'
import { isFileAsStated, moveFile } from './pageFiles.js'
import { addEvent } from './publicLog.js'
import { writeProtections } from './applyDelete.js'
import { prepareRevision } from './revisionRows.js'
import type { Tables } from '../tables/tables.js'
import type { WriteContext } from './writeContext.js'

type MoveEntry = Extract<Entry, { kind: 'move' }>

export function movePage(context: WriteContext, entry: MoveEntry): Verdict {
  const { tables } = context
  const page = loadPage(tables, entry.pageId)
  if (page === undefined || page.untitled || !sameTitle(page, entry.from)) return { result: 'missing' }
  if (page.latestId !== entry.baseRevisionId) return { result: 'conflict', latestId: page.latestId }
  const replaced = replacedPage(tables, entry)
  const { redirect } = entry
  for (const title of redirect === null ? [entry] : [entry, redirect]) {
    const occupant = occupantOf(tables, title)
    if (occupant !== undefined && occupant !== page.id && occupant !== replaced?.id)
      return { result: 'exists', pageId: occupant }
  }
  const { file } = entry
  const isFree = file === undefined || !tables.file.doesExist(file.to)
  if (!isFree || !isFileAsStated(tables, page, file?.from))
    return { result: 'conflict', latestId: page.latestId }
  const timestamp = nextTime(context, entry.time, page)
  if (replaced !== undefined) makeWay(context, replaced, entry, timestamp)
  const revisionId = giveTitle(context, page, entry, timestamp)
  if (file !== undefined) moveFile(context, file, timestamp)
  const left = redirect && leaveRedirect(context, entry, redirect)
  const logId = addEvent(context, {
    timestamp,
    type: 'move',
    action: replaced === undefined ? 'move' : 'move_redir',
    editor: entry.editor,
    comment: entry.reason,
    title: entry.from,
    revisionId,
    params: {
      '4::target': prefixedText(entry, context.namespaces),
      '5::noredir': left === null ? '1' : '0',
    },
    made: { pageIds: [page.id], further: { namespace: entry.namespace, dbkey: entry.dbkey } },
  })
  carryProtection(context, entry, timestamp)
  return {
    result: 'moved',
    pageId: page.id,
    revisionId,
    timestamp,
    logId,
    ...(left && { redirect: left }),
  }
}

/** The redirect that goes: it is as the mover saw it. In a redacted entry, the new title may be another one. */
function replacedPage(tables: Tables, { replaced }: MoveEntry): PageState | undefined {
  const page = replaced === null ? undefined : loadPage(tables, replaced.pageId)
  return page?.untitled === false && page.latestId === replaced?.latestId ? page : undefined
}

function makeWay(context: WriteContext, redirect: PageState, entry: MoveEntry, timestamp: number): void {
  const { editor, replaced, pageId, from } = entry
  const { namespace, dbkey } = replaced!
  unpublishPage(context, redirect)
  addEvent(context, {
    timestamp,
    type: 'delete',
    action: 'delete_redir',
    editor,
    comment: replaced!.reason,
    title: { namespace, dbkey },
    // The reason names the page that is moved.
    made: { pageIds: [redirect.id, pageId], further: from },
  })
}

/** Returns the id of the revision that tells of the move. */
function giveTitle(context: WriteContext, page: PageState, entry: MoveEntry, timestamp: number): number {
  const { tables, counters } = context
  const { editor, comment, minor, contentModel, lostText } = entry
  tables.title.removeSync([page.namespace, page.dbkey])
  dropTitle(context, page)
  page.namespace = entry.namespace
  page.dbkey = entry.dbkey
  const id = counters.nextRevisionId
  const revision = {
    id,
    parentId: page.latestId,
    timestamp,
    editor,
    comment,
    minor,
    contentModel,
    text: lostText === undefined ? entry.text : undefined,
    statedSizeBytes: lostText?.sizeBytes,
    statedSha1: undefined,
    madeHere: true,
  } as const
  context.noteIds(page.id, id)
  appendRevisions(context, page, [prepareRevision(context, revision)])
  const redirectBefore = page.redirectTarget !== undefined
  page.redirectTarget = redirectInText(page)
  counters.revisions++
  counters.redirects += Number(page.redirectTarget !== undefined) - Number(redirectBefore)
  savePage(context, page)
  dropUses(context, page, 'existence')
  return id
}

type Saved = NonNullable<Extract<Verdict, { result: 'moved' }>['redirect']>

function leaveRedirect(
  context: WriteContext,
  { editor, time }: MoveEntry,
  { namespace, dbkey, ...text }: NonNullable<MoveEntry['redirect']>,
): Saved {
  const change = { time, editor, minor: false, contentModel: 'wikitext', ...text }
  const page = { id: context.counters.nextPageId, namespace, dbkey }
  const { pageId, revisionId, timestamp } = saveRevision(context, change, page)
  return { pageId, revisionId, timestamp }
}

/** The protection of the page comes along. The entry says what becomes of each title. */
function carryProtection(context: WriteContext, entry: MoveEntry, timestamp: number): void {
  const { from, editor, namespace, dbkey, pageId, protections } = entry
  writeProtections(context, protections)
  if (protections.every(({ edit, move = 'none' }) => edit === 'none' && move === 'none')) return
  const [oldName, newName] = [from, entry].map((title) => prefixedText(title, context.namespaces))
  addEvent(context, {
    timestamp,
    type: 'protect',
    action: 'move_prot',
    editor,
    comment: `[[${oldName}]] moved to [[${newName}]]`,
    title: { namespace, dbkey },
    params: { '4::oldtitle': oldName! },
    made: { pageIds: [pageId], further: from },
  })
}
