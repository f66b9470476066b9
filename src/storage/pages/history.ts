/** Ranges of a page's history: segments, filters, counts between two revisions; marks of revisions made here. */
import type { HistoryFilter } from '../../domain/revision.js'
import { StoreError } from '../tables/errors.js'
import { MAX_U32 } from '../rows/keys.js'
import {
  decodeHistoryRow,
  decodePageRow,
  historyActor,
  historyJson,
  type HistoryRow,
  isMadeHere,
  type PageEntry,
  revisionPageId,
  revisionTime,
} from '../rows/rows.js'
import type { Tables } from '../tables/tables.js'

/** A revision's place in its page's history, which is ordered by time, then id. */
export interface RevisionAnchor {
  readonly id: number
  readonly pageId: number
  readonly timestamp: number
}

export interface RevisionQuery {
  /** List revisions before this one. Not with `newerThan`. */
  readonly olderThan?: RevisionAnchor | undefined
  /** List the revisions directly after this one. */
  readonly newerThan?: RevisionAnchor | undefined
  readonly filter?: HistoryFilter | undefined
  readonly limit: number
}

export interface RevisionSegment {
  /** Ready JSON objects, newest first. */
  readonly revisions: Buffer[]
  readonly newestId: number | undefined
  readonly oldestId: number | undefined
  readonly hasOlder: boolean
  readonly hasNewer: boolean
}

/** A segment with unpacked revisions, for readers who need facts that the JSON lacks, such as hidden texts. */
export interface RevisionRowSegment extends Omit<RevisionSegment, 'revisions'> {
  readonly rows: readonly (HistoryRow & RevisionAnchor)[]
}

type Place = readonly [timestamp: number, revisionId: number]

/** A place in a history. Without a filter, it comes with its row. */
interface Found {
  readonly place: Place
  readonly row: Buffer | undefined
}

const FIRST: Place = [0, 0]
const LAST: Place = [MAX_U32, MAX_U32]

export function listRevisions(tables: Tables, pageId: number, query: RevisionQuery): RevisionSegment {
  const { found, ...segment } = findSegment(tables, pageId, query)
  return {
    revisions: found.map(({ place, row }) => historyJson(row ?? readRow(tables, pageId, place))),
    ...segment,
  }
}

/** Like `listRevisions`. Unpacking takes about 2 µs a revision. */
export function listRevisionRows(tables: Tables, pageId: number, query: RevisionQuery): RevisionRowSegment {
  const { found, ...segment } = findSegment(tables, pageId, query)
  const rows = found.map(({ place, row }) => {
    const [timestamp, id] = place
    return { id, pageId, timestamp, ...decodeHistoryRow(row ?? readRow(tables, pageId, place)) }
  })
  return { rows, ...segment }
}

type FoundSegment = Omit<RevisionSegment, 'revisions'> & { readonly found: readonly Found[] }

function findSegment(tables: Tables, pageId: number, query: RevisionQuery): FoundSegment {
  const { olderThan, newerThan, filter, limit } = query
  const forward = newerThan !== undefined
  const places = forward
    ? listPlaces(tables, pageId, filter, {
        start: after(newerThan),
        end: LAST,
        reverse: false,
        limit: limit + 1,
      })
    : listPlaces(tables, pageId, filter, {
        start: olderThan === undefined ? LAST : before(olderThan),
        end: FIRST,
        reverse: true,
        limit: limit + 1,
      })
  const more = places.length > limit
  if (more) places.pop()
  if (forward) places.reverse()
  if (filter === undefined && !forward && olderThan === undefined) requireWhole(tables, pageId, places, limit)
  return {
    found: places,
    newestId: places[0]?.place[1],
    oldestId: places.at(-1)?.place[1],
    hasOlder: forward || more,
    hasNewer: forward ? more : olderThan !== undefined,
  }
}

/**
 * Throws a StoreError if the newest segment does not begin with the page's newest revision, or has too few rows. A
 * damaged page of LMDB's tree can lead a walk past rows that are themselves undamaged.
 */
function requireWhole(
  tables: Tables,
  pageId: number,
  places: readonly { readonly place: Place }[],
  limit: number,
): void {
  const page = tables.page.getBinaryFast(pageId)
  if (page === undefined) return
  const { latestId, latestIsNewest, counts } = decodePageRow(page)
  const isLatestInPlace = (places[0]?.place[1] === latestId) === latestIsNewest
  if (places.length === Math.min(limit, counts.revisions) && isLatestInPlace) return
  throw new StoreError(`the history of page ${pageId} is not whole: run "palimpsest verify"`)
}

/** Where a walk continues after a revision. LMDB leaves out the end of a range, so a range may end at a revision. */
const after = (anchor: RevisionAnchor): Place =>
  anchor.id === MAX_U32 ? [anchor.timestamp + 1, 0] : [anchor.timestamp, anchor.id + 1]
const before = (anchor: RevisionAnchor): Place => [anchor.timestamp, anchor.id - 1]

/**
 * Places in the order of the range. Without a filter, each comes with its row. The range options are
 * spelled out: spreading them from an object left most of a walk's garbage until a full collection.
 */
function listPlaces(
  tables: Tables,
  pageId: number,
  filter: HistoryFilter | undefined,
  range: { readonly start: Place; readonly end: Place; readonly reverse: boolean; readonly limit: number },
): Found[] {
  const { start, end, reverse, limit } = range
  const found: Found[] = []
  if (filter === undefined) {
    for (const { key, value } of tables.history.getRange({
      reverse,
      limit,
      start: [pageId, ...start],
      end: [pageId, ...end],
    })) {
      found.push({ place: [key[1], key[2]], row: value })
    }
    return found
  }
  const tag = TAG_IDS[filter]
  // The values are empty apart from their seals.
  for (const { key } of tables.tag.getRange({
    reverse,
    limit,
    start: [tag, pageId, ...start],
    end: [tag, pageId, ...end],
  })) {
    found.push({ place: [key[2], key[3]], row: undefined })
  }
  return found
}

function readRow(tables: Tables, pageId: number, place: Place): Buffer {
  const row = tables.history.getBinary([pageId, ...place])
  if (row === undefined)
    throw new StoreError(`revision ${place[1]} has no history row: run "palimpsest verify"`)
  return row
}

/** The open range between two revisions, whichever is older. */
function between(a: RevisionAnchor, b: RevisionAnchor): { start: Place; end: Place } {
  const aFirst = a.timestamp < b.timestamp || (a.timestamp === b.timestamp && a.id < b.id)
  const [older, newer] = aFirst ? [a, b] : [b, a]
  return { start: after(older), end: [newer.timestamp, newer.id] }
}

export function countEditsBetween(tables: Tables, a: RevisionAnchor, b: RevisionAnchor, cap: number): number {
  const { start, end } = between(a, b)
  const hiddenRange = {
    start: [TAG_TEXT_HIDDEN, a.pageId, ...start],
    end: [TAG_TEXT_HIDDEN, a.pageId, ...end],
  } as const
  const hidden = tables.tag.getKeysCount(hiddenRange)
  const all = tables.history.getKeysCount({
    start: [a.pageId, ...start],
    end: [a.pageId, ...end],
    limit: cap + hidden,
  })
  return Math.min(cap, all - hidden)
}

export function countEditorsBetween(
  tables: Tables,
  a: RevisionAnchor,
  b: RevisionAnchor,
  cap: number,
  maxRows: number,
): number | undefined {
  const { start, end } = between(a, b)
  const actors = new Set<number>()
  let rows = 0
  for (const { value } of tables.history.getRange({ start: [a.pageId, ...start], end: [a.pageId, ...end] })) {
    if (++rows > maxRows) return undefined
    const actor = historyActor(value)
    if (actor !== 0) actors.add(actor)
    if (actors.size >= cap) break
  }
  return actors.size
}

/** Tags: the ranges of the table `tag` behind the filters of a history and its counts. */
export const TAG_IDS = { anonymous: 1, bot: 2, minor: 3, reverted: 4 } as const satisfies Record<
  HistoryFilter,
  number
>
/** Not a filter: marks revisions that the counter `edits` leaves out. */
const TAG_TEXT_HIDDEN = 5

/** Ids of a revision's tags, ascending. */
export function tagsOf(row: HistoryRow): number[] {
  const tags: number[] = []
  if (row.anonymous) tags.push(TAG_IDS.anonymous)
  if (row.bot) tags.push(TAG_IDS.bot)
  if (row.minor) tags.push(TAG_IDS.minor)
  if (row.reverted) tags.push(TAG_IDS.reverted)
  if (row.textHidden) tags.push(TAG_TEXT_HIDDEN)
  return tags
}

/** Tells a revision made here from an imported one, by a mark in its history row. */
export function isRevisionMadeHere(tables: Tables, revisionId: number): boolean {
  const rev = tables.rev.getBinaryFast(revisionId)
  if (rev === undefined) return false
  const [pageId, timestamp] = [revisionPageId(rev), revisionTime(rev)]
  const row = tables.history.getBinaryFast([pageId, timestamp, revisionId])
  return row !== undefined && isMadeHere(row)
}

/** The page of a revision, if the revision is its latest one and the page is not deleted. */
export function pageOfLatest(
  tables: Tables,
  revisionId: number,
): (PageEntry & { readonly pageId: number }) | undefined {
  const rev = tables.rev.getBinaryFast(revisionId)
  const pageId = rev && revisionPageId(rev)
  const row = pageId && tables.page.getBinaryFast(pageId)
  if (!row) return undefined
  const page = decodePageRow(row)
  return page.latestId === revisionId && !page.deleted ? { ...page, pageId } : undefined
}

/** Tells if imported tables may have news of a page: it exists, and has not changed here since it was imported. */
export function isLatestImported(tables: Tables, pageId: number): boolean {
  const row = tables.page.getBinary(pageId)
  return row !== undefined && !isRevisionMadeHere(tables, decodePageRow(row).latestId)
}

/** Tells if the page has revisions and all of them were made here. */
export function isPageMadeHere(tables: Tables, pageId: number): boolean {
  let count = 0
  const range = { start: [pageId, 0, 0], end: [pageId, MAX_U32, MAX_U32] } as const
  for (const { value } of tables.history.getRange(range)) {
    if (!isMadeHere(value)) return false
    count++
  }
  return count > 0
}
