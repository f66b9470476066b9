/**
 * Remembers what was erased, by ids alone, so that a dump that still has it does not bring it again.
 *
 *     erased     1, revision u32 → u8: 1 text, 2 comment, 4 user
 *                2, page u32     → nothing
 */
import type { IncomingPage } from '../../domain/page.js'
import type { IncomingRevision } from '../../domain/revision.js'
import type { RevisionPart } from '../entries/administration.js'
import { type Tables, WHOLE_TABLE } from '../tables/tables.js'

const REVISION = 1
const PAGE = 2
const BITS: Readonly<Record<RevisionPart, number>> = { text: 1, comment: 2, user: 4 }

export function markRevision(tables: Tables, revisionId: number, parts: readonly RevisionPart[]): void {
  const bits = parts.reduce((sum, part) => sum | BITS[part], bitsOf(tables, revisionId))
  tables.erased.putSync([REVISION, revisionId], Buffer.from([bits]))
}

export function isRevisionErased(
  tables: Tables,
  revisionId: number,
  parts: readonly RevisionPart[],
): boolean {
  const bits = bitsOf(tables, revisionId)
  return parts.every((part) => (bits & BITS[part]) !== 0)
}

export function markPage(tables: Tables, pageId: number): void {
  tables.erased.putSync([PAGE, pageId], Buffer.alloc(0))
}

export const isPageErased = (tables: Tables, pageId: number): boolean =>
  tables.erased.doesExist([PAGE, pageId])

/** Tells if anything was ever erased. Nothing else need be looked up otherwise. */
export function hasErased(tables: Tables): boolean {
  for (const _key of tables.erased.getKeys({ ...WHOLE_TABLE, limit: 1 })) return true
  return false
}

/** An incoming page without the words that were erased; undefined if the whole page was. */
export function withoutErased(tables: Tables, page: IncomingPage): IncomingPage | undefined {
  if (isPageErased(tables, page.id)) return undefined
  const revisions = page.revisions.map((revision) => masked(revision, bitsOf(tables, revision.id)))
  return revisions.every((revision, n) => revision === page.revisions[n]) ? page : { ...page, revisions }
}

function masked(revision: IncomingRevision, bits: number): IncomingRevision {
  if (bits === 0) return revision
  const { text, comment, editor, statedSizeBytes } = revision
  const isGone = (part: RevisionPart): boolean => (bits & BITS[part]) !== 0
  return {
    ...revision,
    text: isGone('text') ? undefined : text,
    statedSizeBytes: text === undefined ? statedSizeBytes : Buffer.byteLength(text),
    comment: isGone('comment') ? undefined : comment,
    editor: isGone('user') ? undefined : editor,
  }
}

function bitsOf(tables: Tables, revisionId: number): number {
  return tables.erased.getBinaryFast([REVISION, revisionId])?.[0] ?? 0
}
