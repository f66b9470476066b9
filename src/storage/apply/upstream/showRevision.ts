/** Makes a revision show what upstream shows of it, and nothing that an operator hid here. */
import { hash } from 'node:crypto'
import type { Editor } from '../../../domain/revision.js'
import { formatTimestamp } from '../../../domain/timestamp.js'
import { REVISION_PARTS, type RevisionPart } from '../../entries/administration.js'
import { readHiddenParts, statedParts, type StatedParts, writeHiddenParts } from '../../pages/hiddenParts.js'
import { type HistoryRow, revisionJson } from '../../rows/rows.js'
import type { Tables } from '../../tables/tables.js'
import { encodeFullText, readTextBytes } from '../../pages/texts.js'
import type { WriteContext } from '../writeContext.js'
import { putRevision, requireHistoryRow } from '../revisionRows.js'
import { forgetRendering, forgetText, type Place } from './forgetPage.js'

/** What upstream shows of a revision. Absent parts are hidden. */
export interface Shown {
  readonly editor: Editor | undefined
  readonly comment: string | undefined
  /** Bytes of the text: `known` if the store has them. */
  readonly text: Buffer | 'known' | undefined
}

/** Tells if the store shows other parts than upstream, or another name, apart from what an operator hid. */
export function showsOther(tables: Tables, place: Place, shown: Shown): boolean {
  const row = requireHistoryRow(tables, place.pageId, place.timestamp, place.id)
  const { editor, comment, hasText } = statedParts(tables, place.id, row)
  return (
    hasText !== (shown.text !== undefined) ||
    comment !== shown.comment ||
    editor?.id !== shown.editor?.id ||
    editor?.name !== shown.editor?.name
  )
}

/**
 * Rewrites a revision of an open page. Parts that upstream hides are not kept; parts that an operator hid are, as long
 * as upstream shows them. Byte changes, reverts and counts are left to `closePage`.
 */
export function showRevision(context: WriteContext, place: Place, shown: Shown): void {
  const { tables } = context
  const { pageId, timestamp, id } = place
  const before = requireHistoryRow(tables, pageId, timestamp, id)
  const had = statedParts(tables, id, before)
  const { own = [] } = readHiddenParts(tables, id)
  const editor = own.includes('user') ? undefined : shown.editor
  const comment = own.includes('comment') ? undefined : shown.comment
  const text = setText(tables, place, shown.text)
  const isTextShown = text !== undefined && !own.includes('text')
  const sizeBytes = before.hasOtherSlots ? before.sizeBytes : (text?.length ?? before.sizeBytes)
  const row: HistoryRow = {
    ...before,
    sizeBytes,
    sha1: isTextShown ? hash('sha1', text, 'buffer') : Buffer.alloc(0),
    actorId: editor === undefined ? 0 : context.actorId(editor),
    textHidden: !isTextShown,
    userHidden: editor === undefined,
    commentHidden: comment === undefined,
    anonymous: editor !== undefined && editor.id === null,
    bot: editor !== undefined && context.isBot(editor),
    json: revisionJson({
      id,
      time: formatTimestamp(timestamp),
      minor: before.minor,
      sizeBytes,
      comment,
      user: editor,
      delta: undefined,
    }),
  }
  putRevision(tables, pageId, place, row, before)
  writeHiddenParts(tables, id, {
    comment: own.includes('comment') ? shown.comment : undefined,
    user: own.includes('user') ? shown.editor : undefined,
    own,
  })
  forgetRendering(context, id)
  eraseHidden(context, place, had, shown)
}

/** Words that upstream hides now go from the log, too; also those that an operator hid before. */
function eraseHidden(context: WriteContext, { pageId, id }: Place, had: StatedParts, shown: Shown): void {
  const isGone: Readonly<Record<RevisionPart, boolean>> = {
    text: had.hasText && shown.text === undefined,
    comment: had.comment !== undefined && shown.comment === undefined,
    user: had.editor !== undefined && shown.editor === undefined,
  }
  const parts = REVISION_PARTS.filter((part) => isGone[part])
  if (parts.length > 0) context.erase({ of: 'revisions', pageId, revisionIds: [id], parts })
  if (isGone.user) context.forgetEditors([had.editor])
}

/** Stores or removes the text, and returns it. */
function setText(tables: Tables, place: Place, text: Shown['text']): Buffer | undefined {
  if (text === undefined) {
    forgetText(tables, place)
    return undefined
  }
  const known = readTextBytes(tables, place.id)
  if (known !== undefined || text === 'known') return known
  tables.text.putSync(place.id, encodeFullText(text, 0))
  return text
}
