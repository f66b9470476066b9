/** Keeps comments and users of revisions that are hidden after the store got them, so that they can be shown again. */
import type { Editor } from '../domain/revision.js'
import { readJson } from './accounts.js'
import type { HistoryRow } from './rows/rows.js'
import type { Tables } from './tables.js'

export interface ShownParts {
  readonly comment: string | undefined
  readonly user: Editor | undefined
}

/** Row of the table `hidden`: it has at least one part. */
export type HiddenParts = Partial<{ readonly comment: string; readonly user: Editor }>

/** Comment and user as a revision shows them. */
export function shownParts(row: HistoryRow): ShownParts {
  const { comment, user } = JSON.parse(row.json.toString()) as { comment: string | null; user: Editor | null }
  return { comment: comment ?? undefined, user: user ?? undefined }
}

/** The kept hidden parts of a revision. Most revisions have none. */
export function readHiddenParts(tables: Tables, revisionId: number): HiddenParts {
  return readJson<HiddenParts>(tables.hidden, revisionId) ?? {}
}

/** Keeps the parts of `before` that `after` hides, and parts that were kept earlier. */
export function keepHiddenParts(
  tables: Tables,
  revisionId: number,
  before: HistoryRow,
  after: HistoryRow,
): void {
  const shown = shownParts(before)
  const kept = readHiddenParts(tables, revisionId)
  const comment = after.commentHidden ? (shown.comment ?? kept.comment) : undefined
  const user = after.userHidden ? (shown.user ?? kept.user) : undefined
  if (comment === undefined && user === undefined) tables.hidden.removeSync(revisionId)
  else tables.hidden.putSync(revisionId, Buffer.from(JSON.stringify({ comment, user })))
}
