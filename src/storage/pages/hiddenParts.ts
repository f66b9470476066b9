/**
 * Keeps comments and users of revisions that are hidden after the store got them, so that they can be shown again. Also
 * tells which parts an operator hid here.
 */
import type { Editor } from '../../domain/revision.js'
import { REVISION_PARTS, type RevisionPart } from '../entries/administration.js'
import { readJson } from '../accounts/accounts.js'
import type { HistoryRow } from '../rows/rows.js'
import type { Tables } from '../tables/tables.js'
import { readTextBytes } from './texts.js'

export interface ShownParts {
  readonly comment: string | undefined
  readonly user: Editor | undefined
}

/** Row of the table `hidden`: it has at least one member. */
type HiddenParts = Partial<{
  readonly comment: string
  readonly user: Editor
  /** Parts that an operator hid, in the order of REVISION_PARTS. They stay hidden if a followed wiki shows them. */
  readonly own: readonly RevisionPart[]
}>

/** Comment and user as a revision shows them. */
export function shownParts(row: HistoryRow): ShownParts {
  const { comment, user } = JSON.parse(row.json.toString()) as { comment: string | null; user: Editor | null }
  return { comment: comment ?? undefined, user: user ?? undefined }
}

/** The kept hidden parts of a revision. Most revisions have none. */
export function readHiddenParts(tables: Tables, revisionId: number): HiddenParts {
  return readJson<HiddenParts>(tables.hidden, revisionId) ?? {}
}

/** What the store has of a revision as upstream showed it: also parts that an operator hid since. */
export interface StatedParts {
  readonly editor: Editor | undefined
  readonly comment: string | undefined
  readonly hasText: boolean
}

/** `row` is the history row of the revision. */
export function statedParts(tables: Tables, revisionId: number, row: HistoryRow): StatedParts {
  const shown = shownParts(row)
  const { own = [], comment, user } = readHiddenParts(tables, revisionId)
  return {
    editor: shown.user ?? (own.includes('user') ? user : undefined),
    comment: shown.comment ?? (own.includes('comment') ? comment : undefined),
    hasText: !row.textHidden || (own.includes('text') && readTextBytes(tables, revisionId) !== undefined),
  }
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
  const hidden = { text: after.textHidden, comment: after.commentHidden, user: after.userHidden }
  writeHiddenParts(tables, revisionId, { comment, user, own: kept.own?.filter((part) => hidden[part]) })
}

/** Writes the row of a revision, or removes an empty one. Returns whether that changed anything. */
export function writeHiddenParts(
  tables: Tables,
  revisionId: number,
  { comment, user, own = [] }: { [Part in keyof HiddenParts]: HiddenParts[Part] | undefined },
): boolean {
  const before = tables.hidden.getBinary(revisionId)
  if (comment === undefined && user === undefined && own.length === 0) {
    return before !== undefined && tables.hidden.removeSync(revisionId)
  }
  const row = Buffer.from(JSON.stringify({ comment, user, ...(own.length > 0 && { own }) }))
  if (before?.equals(row)) return false
  tables.hidden.putSync(revisionId, row)
  return true
}

/** Notes which parts an operator hides (true) or shows (false). */
export function markOwnParts(
  tables: Tables,
  revisionId: number,
  parts: { readonly [Part in RevisionPart]?: boolean },
): void {
  const kept = readHiddenParts(tables, revisionId)
  const own = REVISION_PARTS.filter((part) => parts[part] ?? kept.own?.includes(part) ?? false)
  writeHiddenParts(tables, revisionId, { ...kept, own })
}
