/** Hides and shows parts of revisions that the store already has. */
import { type HistoryRow, revisionTime } from '../rows/rows.js'
import type { IncomingRevision } from '../../domain/revision.js'
import { keepHiddenParts } from '../pages/hiddenParts.js'
import type { Tables } from '../tables/tables.js'
import { encodeFullText, readTextBytes, type SourceText, textRun } from '../pages/texts.js'
import type { WriteContext } from './writeContext.js'
import type { PageState } from './pageState.js'
import { deriveRow, prepareRevision, putRevision, requireHistoryRow } from './revisionRows.js'

/** Tells if a known revision now shows or hides other parts than in the store. */
export function visibilityDiffers(row: HistoryRow, incoming: IncomingRevision): boolean {
  return (
    row.textHidden !== (incoming.text === undefined) ||
    row.userHidden !== (incoming.editor === undefined) ||
    row.commentHidden !== (incoming.comment === undefined)
  )
}

/**
 * Rewrites a known revision with its new visibility. A hidden text stays in the store, since older texts may be deltas
 * against it. Hidden comments and users go to the table `hidden`. Byte changes and counts are left to `relinkHistory`.
 */
export function updateVisibility(context: WriteContext, page: PageState, incoming: IncomingRevision): void {
  const { tables } = context
  const timestamp = revisionTime(tables.rev.getBinaryFast(incoming.id)!)
  const before = requireHistoryRow(tables, page.id, timestamp, incoming.id)
  const prepared = prepareRevision(context, incoming)
  const { sizeBytes, hasOtherSlots } = prepared.row.sizeBytes === undefined ? before : prepared.row
  const { madeHere } = before
  const revision = { ...prepared, timestamp, row: { ...prepared.row, sizeBytes, hasOtherSlots, madeHere } }
  const row: HistoryRow = deriveRow(revision, { delta: undefined, reverted: before.reverted })
  putRevision(tables, page.id, { timestamp, id: incoming.id }, row, before)
  keepHiddenParts(tables, incoming.id, before, row)
  if (before.textHidden === row.textHidden) return
  if (incoming.id === page.latestId) swapLatestText(tables, page, prepared.text)
  else if (prepared.text !== undefined && readTextBytes(tables, incoming.id) === undefined) {
    tables.text.putSync(incoming.id, encodeFullText(prepared.text.utf8, 0))
  }
}

/** Moves the latest text into the title row if it is shown, or into its own row if it is hidden. */
function swapLatestText(tables: Tables, page: PageState, text: SourceText | undefined): void {
  if (text === undefined) {
    if (page.latestText !== undefined) {
      tables.text.putSync(page.latestId, encodeFullText(page.latestText.utf8, page.latestRun))
    }
    page.latestRun = 0
  } else {
    page.latestRun = textRun(tables, page.latestId)
    tables.text.removeSync(page.latestId)
  }
  page.latestText = text
}
