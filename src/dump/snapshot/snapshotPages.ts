/** The pages of a snapshot, as events of a dump. */
import type { DumpSource } from '../openDump.js'
import type { DumpEvent, DumpPage } from '../types.js'
import { readSnapshot, type SnapshotForm } from './readSnapshot.js'
import type { SnapshotRow } from './snapshotRow.js'

/** Reads site and pages of a snapshot. Leaves out rows without wikitext. Errors as those of `readSnapshot`. */
export async function* readSnapshotPages(
  source: DumpSource,
  form: SnapshotForm,
): AsyncGenerator<DumpEvent, void> {
  for await (const event of readSnapshot(source, form)) {
    if (event.type === 'site') yield event
    if (event.type !== 'row') continue
    const page = pageOfRow(event.row, event.line)
    if (page !== undefined) yield { type: 'page', page }
  }
}

/** The page with its revision; undefined if the row has no wikitext. */
export function pageOfRow(row: SnapshotRow, line: number): DumpPage | undefined {
  const { text, isTextHidden, title, namespace, pageId, redirects } = row
  if (text === undefined && !isTextHidden) return undefined
  const { revisionId: id, parentId, timestamp, editor, comment, minor, statedSizeBytes } = row
  const stated = { contentModel: '', statedSizeBytes, statedSha1: undefined, line }
  const revision = { id, parentId, timestamp, editor, comment, minor, text, ...stated }
  const part = { part: 0, last: true, line }
  return {
    title,
    namespace,
    id: pageId,
    redirectTarget: undefined,
    revisions: [revision],
    ...part,
    redirects,
  }
}
