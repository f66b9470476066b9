/**
 * What a mirror changed beside new revisions: pages that went, hidden parts, protections, files. Those who follow the
 * mirror learn of it from here. The entries of the log say what changed, as long as the log has them.
 *
 *     mirrorChange   time u32, position u32 → nothing
 *
 * The time is the newest in the store. So a follower that goes on from the newest row it saw never misses one.
 */
import { presentPages } from '../../domain/upstream.js'
import type { Title } from '../../domain/title.js'
import { FILE } from '../../domain/namespaceIds.js'
import type { UpstreamPosition } from '../../domain/upstreamPosition.js'
import { decodeEntryHead, type UpstreamEntry } from '../entries/entries.js'
import { logKey } from '../entries/logReader.js'
import { MAX_U32, type Pair } from '../rows/keys.js'
import { EVENT_KINDS } from '../rows/logEventRows.js'
import { readPosition } from '../tables/meta.js'
import { type Table, type Tables } from '../tables/tables.js'
import { endOf, type PlaceRange, walk } from '../tables/walk.js'

const NOTHING = Buffer.alloc(0)
/** Revisions that are older than the newest one by so many seconds may be missed among the changes. */
const LATE_SECONDS = 120

/** Where to look. */
export type MirrorChange =
  | { readonly kind: 'gone'; readonly pageId: number }
  /** Revisions came late, went, or belong to another page now. */
  | { readonly kind: 'history'; readonly pageId: number }
  | { readonly kind: 'parts'; readonly pageId: number; readonly revisionIds: readonly number[] }
  | { readonly kind: 'protection' | 'file'; readonly title: Title }
  | { readonly kind: 'bots' }

/** Notes the entry that is being applied. The first comparison of everything fills the mirror, and is left out. */
export function noteMirrorChange(tables: Tables, entry: UpstreamEntry): void {
  if ((entry.to as UpstreamPosition).sweep?.isFirst === true) return
  const time = newestTime(tables)
  if (changesIn(entry, time).length === 0) return
  tables.mirrorChange.putSync([time, readPosition(tables).sequence + 1], NOTHING)
}

/** Seconds since 1970: of revisions, of the public log, and of earlier rows. */
function newestTime({ revisionTime, eventIndex, mirrorChange }: Tables): number {
  const lastOf = (table: Table<Pair>): number => {
    const [key] = [...table.getKeys({ start: [MAX_U32, MAX_U32], end: [0, 0], reverse: true, limit: 1 })]
    return key?.[0] ?? 0
  }
  const { all } = EVENT_KINDS
  const [event] = [
    ...eventIndex.getKeys({
      start: [all, '', MAX_U32, MAX_U32],
      end: [all, '', 0, 0],
      reverse: true,
      limit: 1,
    }),
  ]
  return Math.max(lastOf(revisionTime), lastOf(mirrorChange), event?.[2] ?? 0)
}

/** What an entry changed, always in the same order. `time` is the newest in the store; 0: no revision is late. */
export function changesIn(entry: UpstreamEntry, time: number): MirrorChange[] {
  const changes: MirrorChange[] = []
  for (const page of entry.pages) if ('gone' in page) changes.push({ kind: 'gone', pageId: page.id })
  for (const { id: pageId, add, take, remove, change } of presentPages(entry.pages)) {
    const isLate = add.some(({ timestamp }) => timestamp < time - LATE_SECONDS)
    const isBare = add.length === 0 && change.length === 0
    if (isLate || isBare || take.length > 0 || remove.length > 0) changes.push({ kind: 'history', pageId })
    if (change.length > 0) changes.push({ kind: 'parts', pageId, revisionIds: change.map(({ id }) => id) })
  }
  for (const title of entry.protections) changes.push({ kind: 'protection', title })
  for (const { dbkey } of entry.files) changes.push({ kind: 'file', title: { namespace: FILE, dbkey } })
  if (entry.bots !== undefined) changes.push({ kind: 'bots' })
  return changes
}

export interface ListedChange {
  /** Seconds since 1970. */
  readonly timestamp: number
  /** Position of the entry in the log. */
  readonly sequence: number
  readonly changes: readonly MirrorChange[]
}

/** Entries by time and position. Those that were cut off the log are left out. */
export function* walkMirrorChanges(
  { mirrorChange, log }: Tables,
  { from, until, ascending = false }: PlaceRange,
): Generator<ListedChange, void> {
  const { timestamp = ascending ? 0 : MAX_U32, id = ascending ? 0 : MAX_U32 } = from ?? {}
  const range = { start: [timestamp, id] as Pair, end: endOf(until, ascending), ascending }
  for (const [time, sequence] of walk(mirrorChange, range)) {
    const row = log.getBinaryFast(logKey(sequence))
    const entry = row && (decodeEntryHead(row) as UpstreamEntry)
    if (entry?.kind === 'upstream') yield { timestamp: time, sequence, changes: changesIn(entry, time) }
  }
}
