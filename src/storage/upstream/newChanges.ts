/** Changes that entries of the log made, for streams of changes. */
import type { UpstreamPosition } from '../../domain/upstreamPosition.js'
import { presentPages } from '../../domain/upstream.js'
import { decodeEntryHead, type UpstreamEntry, type Verdict } from '../entries/entries.js'
import { decodeVerdict, findEntryRow, logKey, positionOf, sequenceOf } from '../entries/logReader.js'
import type { Tables } from '../tables/tables.js'
import { changesIn, type MirrorChange } from './mirrorChanges.js'

/** A change, with the id of its entry. */
export type NewChange = { readonly sequence: number; readonly entryId: string } & (
  | { readonly kind: 'revision'; readonly revisionId: number }
  /** An entry of the public log. */
  | { readonly kind: 'event'; readonly eventId: number }
  | { readonly kind: 'mirror'; readonly change: MirrorChange }
)

export interface NewChanges {
  /** Position of the last entry that was read. */
  readonly last: number
  readonly changes: readonly NewChange[]
}

/** Changes of at most `limit` entries after a position. Imports bring none. */
export function newChanges(tables: Tables, after: number, limit: number): NewChanges {
  let last = after
  const changes: NewChange[] = []
  for (const { key, value } of tables.log.getRange({ start: logKey(after + 1), limit })) {
    last = sequenceOf(key)
    const entry = decodeEntryHead(value)
    const row = findEntryRow(tables, entry.id)
    // A repeated entry had its effect the first time.
    if (row === undefined || positionOf(row) !== last) continue
    const head = { sequence: last, entryId: entry.id }
    if (entry.kind === 'upstream') changes.push(...ofStates(entry as UpstreamEntry, head))
    else changes.push(...ofVerdict(decodeVerdict(row), head))
  }
  return { last, changes }
}

type Head = Pick<NewChange, 'sequence' | 'entryId'>

function ofVerdict(verdict: Verdict, head: Head): NewChange[] {
  if (verdict.result === 'saved') return [{ ...head, kind: 'revision', revisionId: verdict.revisionId }]
  return 'logId' in verdict ? [{ ...head, kind: 'event', eventId: verdict.logId }] : []
}

/** The first comparison of everything fills the mirror, and is left out. */
function ofStates(entry: UpstreamEntry, head: Head): NewChange[] {
  if ((entry.to as UpstreamPosition).sweep?.isFirst === true) return []
  const added = presentPages(entry.pages).flatMap(({ add }) => add.map(({ id }) => id))
  return [
    ...added.map((revisionId) => ({ ...head, kind: 'revision', revisionId }) as const),
    ...changesIn(entry, 0).map((change) => ({ ...head, kind: 'mirror', change }) as const),
  ]
}
