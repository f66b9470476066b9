/** Writing one revision's rows: history, pointer, tags. */
import { hash } from 'node:crypto'
import { sha1Base36 } from '../../domain/file.js'
import type { IncomingRevision } from '../../domain/revision.js'
import { formatTimestamp } from '../../domain/timestamp.js'
import { MAX_U32 } from '../rows/keys.js'
import {
  decodeHistoryRow,
  encodeHistoryRow,
  encodeRevisionPlace,
  type HistoryRow,
  revisionJson,
  revisionPageId,
  revisionTime,
} from '../rows/rows.js'
import { listRevision } from '../changes/changeLists.js'
import type { Tables } from '../tables/tables.js'
import { tagsOf } from '../pages/history.js'
import { type SourceText, sourceText } from '../pages/texts.js'
import type { WriteContext } from './writeContext.js'

/** A revision ready to be written: its text in bytes, and facts that depend on it alone. */
export interface NewRevision {
  readonly id: number
  readonly timestamp: number
  readonly text: SourceText | undefined
  readonly incoming: IncomingRevision
  /** The row without its predecessors: no delta, not reverted. */
  readonly row: HistoryRow
}

/** `text` is the revision's text where the incoming one does not have it itself. */
export function prepareRevision(
  context: WriteContext,
  incoming: IncomingRevision,
  text: SourceText | undefined = incoming.text === undefined ? undefined : sourceText(incoming.text),
): NewRevision {
  const { id, timestamp, editor, comment } = incoming
  const { statedSizeBytes: stated, otherSlotsBytes } = incoming
  const ownBytes = text?.utf8.length ?? (stated !== undefined && stated >= 0 ? stated : undefined)
  const sizeBytes = ownBytes === undefined ? undefined : ownBytes + (otherSlotsBytes ?? 0)
  const row: HistoryRow = {
    parentId: incoming.parentId ?? 0,
    sizeBytes,
    actorId: editor === undefined ? 0 : context.actorId(editor),
    minor: incoming.minor,
    textHidden: text === undefined,
    userHidden: editor === undefined,
    commentHidden: comment === undefined,
    anonymous: editor !== undefined && editor.id === null,
    bot: editor !== undefined && context.isBot(editor),
    reverted: false,
    madeHere: incoming.madeHere ?? false,
    hasOtherSlots: otherSlotsBytes !== undefined,
    contentModel: incoming.contentModel,
    sha1: text === undefined ? Buffer.alloc(0) : hash('sha1', text.utf8, 'buffer'),
    json: Buffer.alloc(0),
  }
  return { id, timestamp, text, incoming, row }
}

/** Tells if the text differs from the SHA-1 that its source states (base 36, 31 digits). */
export function hasWrongSha1({ incoming, row }: NewRevision): boolean {
  if (incoming.statedSha1 === undefined || row.textHidden) return false
  return sha1Base36(row.sha1.toString('hex')) !== incoming.statedSha1
}

/** The row with the facts that follow from earlier revisions. */
export function deriveRow(
  revision: NewRevision,
  derived: { delta: number | undefined; reverted: boolean },
): HistoryRow {
  const { incoming, row } = revision
  const json = revisionJson({
    id: revision.id,
    time: formatTimestamp(revision.timestamp),
    minor: row.minor,
    sizeBytes: row.sizeBytes,
    comment: incoming.comment,
    user: incoming.editor,
    delta: derived.delta,
  })
  return { ...row, reverted: derived.reverted, json }
}

/** Writes a revision's rows. `before` is the row to replace. */
export function putRevision(
  tables: Tables,
  pageId: number,
  at: { readonly timestamp: number; readonly id: number },
  row: HistoryRow,
  before?: HistoryRow,
): void {
  const { timestamp, id } = at
  tables.history.putSync([pageId, timestamp, id], encodeHistoryRow(row))
  const tags = tagsOf(row)
  const oldTags = before === undefined ? [] : tagsOf(before)
  for (const tag of tags)
    if (!oldTags.includes(tag)) tables.tag.putSync([tag, pageId, timestamp, id], NOTHING)
  for (const tag of oldTags) if (!tags.includes(tag)) tables.tag.removeSync([tag, pageId, timestamp, id])
  if (before === undefined) tables.rev.putSync(id, encodeRevisionPlace(pageId, timestamp))
  listRevision(tables, at, row.actorId, before?.actorId)
}

const NOTHING = Buffer.alloc(0)

export function requireHistoryRow(tables: Tables, pageId: number, timestamp: number, id: number): HistoryRow {
  const bytes = tables.history.getBinaryFast([pageId, timestamp, id])
  if (bytes === undefined) throw new Error(`page ${pageId} has no history row for revision ${id}`)
  return decodeHistoryRow(bytes)
}

/** A revision's facts with its place in the history. */
export type LinkedRow = HistoryRow & { readonly id: number; readonly timestamp: number }

/**
 * Size of a revision that comes before `child` in the page's history. Undefined if it does not, or if its size is
 * unknown.
 */
export function findEarlierSize(
  tables: Tables,
  pageId: number,
  revisionId: number,
  child: { readonly id: number; readonly timestamp: number },
): number | undefined {
  const rev = tables.rev.getBinaryFast(revisionId)
  if (rev === undefined || revisionPageId(rev) !== pageId) return undefined
  const timestamp = revisionTime(rev)
  if (timestamp > child.timestamp || (timestamp === child.timestamp && revisionId > child.id))
    return undefined
  return requireHistoryRow(tables, pageId, timestamp, revisionId).sizeBytes
}

/** The last `count` revisions of a page's history, oldest first. */
export function lastLinks(tables: Tables, pageId: number, count: number): LinkedRow[] {
  const range = {
    start: [pageId, MAX_U32, MAX_U32],
    end: [pageId, 0, 0],
    reverse: true,
    limit: count,
  } as const
  const links: LinkedRow[] = []
  for (const { key, value } of tables.history.getRange(range)) {
    links.push({ ...decodeHistoryRow(value), id: key[2], timestamp: key[1] })
  }
  return links.reverse()
}
