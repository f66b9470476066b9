/** Uploads a file: its facts, a revision of its page and an entry in the public log, in one transaction. */
import { sameTitle } from '../../domain/title.js'
import type { FileFacts } from '../../domain/file.js'
import { timeDigits } from '../../domain/timestamp.js'
import type { Entry, Verdict } from '../entries/entries.js'
import { readOwnFile } from '../pages/files.js'
import { saveRevision } from './applyEdit.js'
import { writeFile } from './applyFile.js'
import { noteUnused } from './pageFiles.js'
import { loadPage, occupantOf } from './pageState.js'
import { addEvent } from './publicLog.js'
import type { WriteContext } from './writeContext.js'

type UploadEntry = Extract<Entry, { kind: 'upload' }>

export function uploadFile(context: WriteContext, entry: UploadEntry): Verdict {
  const { tables, counters } = context
  const { pageId, namespace, dbkey, editor, comment, file } = entry
  const page = pageId === null ? undefined : loadPage(tables, pageId)
  if (pageId === null) {
    const occupant = occupantOf(tables, entry)
    if (occupant !== undefined) return { result: 'exists', pageId: occupant }
  } else {
    if (page?.untitled !== false || !sameTitle(page, entry)) return { result: 'missing' }
    if (page.latestId !== entry.baseRevisionId) return { result: 'conflict', latestId: page.latestId }
  }
  const place = page ?? { id: counters.nextPageId, namespace, dbkey }
  const saved = saveRevision(context, entry, place, page)
  const { timestamp } = saved
  const before = readOwnFile(context, file.dbkey)
  const facts: FileFacts = { ...file.facts, timestamp }
  writeFile(context, file.dbkey, facts, timestamp)
  if (before !== undefined) noteUnused(context, before, facts)
  const logId = addEvent(context, {
    timestamp,
    type: 'upload',
    action: before === undefined ? 'upload' : 'overwrite',
    editor,
    comment,
    title: { namespace, dbkey },
    revisionId: saved.revisionId,
    params: { img_sha1: facts.sha1, img_timestamp: timeDigits(timestamp) },
    made: { pageIds: [saved.pageId] },
  })
  return { ...saved, result: 'uploaded', logId }
}
