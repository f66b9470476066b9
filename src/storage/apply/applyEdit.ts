/** Saving an edit: a new page, or a new revision on top of the latest one. */
import { hash } from 'node:crypto'
import type { CreateEntry, EditEntry, Verdict } from '../entries/entries.js'
import type { TextFields } from '../entries/pageActions.js'
import { StoreError } from '../tables/errors.js'
import { applyPage } from './applyPage.js'
import type { WriteContext } from './writeContext.js'
import { loadPage, occupantOf } from './pageState.js'
import { requireHistoryRow } from './revisionRows.js'

export function createPage(context: WriteContext, entry: CreateEntry): Verdict {
  const { tables, counters } = context
  const { namespace, dbkey } = entry
  const occupant = occupantOf(tables, entry)
  if (occupant !== undefined) return { result: 'exists', pageId: occupant }
  return saveRevision(context, entry, { id: counters.nextPageId, namespace, dbkey })
}

export function editPage(context: WriteContext, entry: EditEntry): Verdict {
  const { tables } = context
  const page = loadPage(tables, entry.pageId)
  if (page === undefined || page.untitled) return { result: 'missing' }
  if (page.latestId !== entry.baseRevisionId) return { result: 'conflict', latestId: page.latestId }
  const latest = requireHistoryRow(tables, page.id, page.latestTimestamp, page.latestId)
  const sha1 = hash('sha1', entry.text, 'buffer')
  // A redacted entry that changed nothing has its verdict with it.
  const isSame = entry.lostText === undefined && latest.sha1.equals(sha1)
  if (isSame && latest.contentModel === entry.contentModel) {
    return { result: 'unchanged', pageId: page.id, revisionId: page.latestId }
  }
  return saveRevision(context, entry, page, page)
}

/** The time of a revision that an entry makes, on top of the latest one. It never runs backwards. */
export function nextTime(
  { counters }: WriteContext,
  time: number,
  latest: { readonly latestTimestamp: number } | undefined,
): number {
  counters.time = Math.max(counters.time, time)
  // A dump may bring revisions with times in the future. New edits to their page follow those times; other pages do
  // not.
  return Math.max(counters.time, latest?.latestTimestamp ?? 0)
}

type SavedVerdict = Extract<Verdict, { result: 'saved' }>

/** Throws a StoreError unless it added exactly this revision. The transaction is then rolled back. */
export function saveRevision(
  context: WriteContext,
  entry: TextFields & { readonly time: number },
  page: { readonly id: number; readonly namespace: number; readonly dbkey: string },
  latest?: { readonly latestId: number; readonly latestTimestamp: number },
): SavedVerdict {
  const { counters } = context
  const timestamp = nextTime(context, entry.time, latest)
  const { id: pageId, namespace, dbkey } = page
  const revisionId = counters.nextRevisionId
  const { editor, comment, minor, contentModel, lostText } = entry
  const text = lostText === undefined ? entry.text : undefined
  const facts = {
    id: revisionId,
    parentId: latest?.latestId,
    timestamp,
    editor,
    comment,
    minor,
    contentModel,
    text,
  }
  const revision = {
    ...facts,
    statedSizeBytes: lostText?.sizeBytes,
    statedSha1: undefined,
    madeHere: true,
  } as const
  const incoming = { id: pageId, namespace, dbkey, redirectTarget: undefined, revisions: [revision] }
  const { addedRevisions, newPage, renamed } = applyPage(context, incoming)
  if (addedRevisions !== 1 || renamed || newPage !== (latest === undefined)) {
    throw new StoreError(`page ${pageId}, revision ${revisionId} cannot be added: run "palimpsest verify"`)
  }
  return { result: 'saved', pageId, revisionId, timestamp }
}
