/** Finds the revisions of a page that look other than a state says. */
import { hash } from 'node:crypto'
import type { PresentPage, UpstreamRevision } from '../../../domain/upstream.js'
import type { Tables } from '../../tables/tables.js'
import { readTextBytes } from '../../pages/texts.js'
import { requireHistoryRow } from '../revisionRows.js'
import type { BatchTexts } from './batchTexts.js'
import type { Place } from './forgetPage.js'
import { placeIn } from './openPage.js'
import { type Shown, showsOther } from './showRevision.js'

export interface Change {
  readonly place: Place
  readonly shown: Shown
}

/** Only revisions of the page count; also those that the state adds, but the store has. */
export function listChanges(
  tables: Tables,
  { id: pageId, add, change }: PresentPage,
  texts: BatchTexts,
): Change[] {
  const states: { readonly id: number; readonly shown: () => Shown }[] = [
    ...add.map((revision) => ({ id: revision.id, shown: () => shownByAdded(revision, texts) })),
    ...change.map(({ id, editor, comment, isTextShown, text }) => {
      const shownText = text === undefined ? ('known' as const) : Buffer.from(text)
      return { id, shown: () => ({ editor, comment, text: isTextShown ? shownText : undefined }) }
    }),
  ]
  const changes: Change[] = []
  for (const { id, shown } of states) {
    const place = placeIn(tables, pageId, id)
    if (place === undefined) continue
    const parts = shown()
    if (showsOther(tables, place, parts)) changes.push({ place, shown: parts })
  }
  return changes
}

function shownByAdded(revision: UpstreamRevision, texts: BatchTexts): Shown {
  const { editor, comment } = revision
  return { editor, comment, text: texts.of(revision)?.utf8 }
}

/**
 * Tells if a stored revision is the incoming one with the same id: it has the same time, and the same text if both
 * sides have it.
 */
export function isSameRevision(
  tables: Tables,
  { pageId, timestamp, id }: Place,
  incoming: UpstreamRevision,
  texts: BatchTexts,
): boolean {
  if (incoming.timestamp !== timestamp) return false
  const text = texts.of(incoming)?.utf8
  if (text === undefined) return true
  const row = requireHistoryRow(tables, pageId, timestamp, id)
  if (row.textHidden) return readTextBytes(tables, id)?.equals(text) ?? true
  return hash('sha1', text, 'buffer').equals(row.sha1)
}
