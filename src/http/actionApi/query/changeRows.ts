/**
 * Rows of recent changes: revisions and public entries of the log, merged by time, and what a mirror changed beside
 * revisions. MediaWiki has a table of them, with ids of their own. Here the id of a row follows from what it shows, so
 * that it is always the same: four times the id of a revision, of an entry of the log, or of a change of the mirror,
 * plus the number of the kind. Within a second they are ordered by kind, then by id.
 */
import { type Title, sameTitle } from '../../../domain/title.js'
import type { ListedEvent } from '../../../storage/changes/logEventReader.js'
import type { PageSummary, RevisionRow } from '../../../storage/store.js'
import type { MirrorChange } from '../../../storage/upstream/mirrorChanges.js'
import { merged } from '../../views/merged.js'
import { walkHistory } from './historyWalk.js'
import { MAX_READ } from './linkIndex.js'
import { revisionOf } from './logFields.js'
import type { QueryCall } from './module.js'
import type { TimePlace } from './timePlaces.js'

interface Placed {
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly changeId: number
}

interface RevisionChange extends Placed {
  readonly kind: 'revision'
  readonly revision: RevisionRow
  readonly page: PageSummary
}

interface EventChange extends Placed {
  readonly kind: 'event'
  readonly event: ListedEvent
}

interface MirroredChange extends Placed {
  readonly kind: 'mirror'
  readonly change: MirrorChange
}

export type ChangeRow = RevisionChange | EventChange | MirroredChange

export interface RowFilter {
  readonly revisions: boolean
  readonly events: boolean
  readonly title: Title | undefined
  readonly actorIds: readonly number[] | undefined
}

interface Range {
  /** Its id is that of a row. */
  readonly from: TimePlace | undefined
  readonly until: number | undefined
  readonly ascending: boolean
}

const LAST_ID = 0xffffffff
const REVISION = 0
const EVENT = 1
const MIRROR = 2
const KINDS = 4
/** Changes of one entry of a mirror: a batch has some hundred. */
const MAX_CHANGES = 1024

const idOfChange = (kind: number, id: number): number => KINDS * id + kind
/** Ids of rows by what they show. */
export const changeIds = {
  revision: (id: number): number => idOfChange(REVISION, id),
  event: (id: number): number => idOfChange(EVENT, id),
} as const
const kindOf = (changeId: number): number => changeId % KINDS
const subjectId = (changeId: number): number => Math.floor(changeId / KINDS)

/** Ids of revisions and entries have 32 bits. */
const highestId = (kind: number): number => (kind === MIRROR ? LAST_ID * MAX_CHANGES : LAST_ID)
/** The highest id of a row. */
export const HIGHEST_CHANGE_ID = KINDS * LAST_ID * MAX_CHANGES

/** Read as far as the caller iterates; other reads may come between. */
export function* changeRows(filter: RowFilter, range: Range, call: QueryCall): Generator<ChangeRow, void> {
  const sources: Iterator<ChangeRow, void>[] = []
  if (filter.revisions) {
    const named = new NamedRevisions(call)
    for (const rows of revisionSources(filter, partFor(REVISION, range), call))
      sources.push(onlyOwn(rows, named))
  }
  if (filter.events)
    for (const actorId of filter.actorIds ?? [undefined])
      sources.push(events({ title: filter.title, actorId }, partFor(EVENT, range), call))
  if (filter.events && filter.actorIds === undefined && filter.title === undefined)
    sources.push(mirrorChanges(partFor(MIRROR, range), call))
  yield* inOrder(sources, range.ascending)
}

/** The part of a range that rows of one kind have. */
function partFor(kind: number, { from, ...rest }: Range): Range {
  if (from === undefined) return { from, ...rest }
  const { timestamp, id } = from
  // A bare time stands before or after all rows of its second.
  if (id === 0 || id === LAST_ID) return { from, ...rest }
  const own = kindOf(id) === kind ? Math.min(subjectId(id), highestId(kind)) : kind < kindOf(id) ? LAST_ID : 0
  return { from: { timestamp, id: own }, ...rest }
}

const inOrder = <Row extends ChangeRow>(
  sources: readonly Iterator<Row, void>[],
  ascending: boolean,
): Generator<Row, void> => merged(sources, (one, other) => isBefore(one, other, ascending))

function isBefore(one: ChangeRow, other: ChangeRow, ascending: boolean): boolean {
  const order =
    one.timestamp - other.timestamp ||
    kindOf(one.changeId) - kindOf(other.changeId) ||
    one.changeId - other.changeId
  return ascending ? order < 0 : order > 0
}

// -- Revisions ---------------------------------------------------------------------------------------------------

function revisionSources(
  { title, actorIds }: Pick<RowFilter, 'title' | 'actorIds'>,
  range: Range,
  call: QueryCall,
): Generator<RevisionChange, void>[] {
  if (title !== undefined) {
    const isBy = (row: RevisionRow): boolean => actorIds?.includes(row.actorId) !== false
    return [revisionsOfPage(title, range, isBy, call)]
  }
  const { changes } = call.context.store
  const lists = actorIds?.map((actorId) => changes.byActor(actorId, range)) ?? [changes.byTime(range)]
  return lists.map((list) => revisionsIn(list, call))
}

/** All revisions, or those of some editors, by time and id. The place in the range is that of a revision. */
export function revisionRows(
  actorIds: readonly number[] | undefined,
  range: Range,
  call: QueryCall,
): Generator<RevisionChange, void> {
  const sources = revisionSources({ title: undefined, actorIds }, range, call)
  return inOrder(sources, range.ascending)
}

function* revisionsIn(
  list: Iterable<{ readonly revisionId: number; readonly pageId: number }>,
  { context }: QueryCall,
): Generator<RevisionChange, void> {
  for (const { revisionId, pageId } of list) {
    const revision = context.store.getRevision(revisionId)
    const page = revision && context.store.getPageById(pageId)
    if (page !== undefined) yield changeOf(revision!, page)
  }
}

function* revisionsOfPage(
  title: Title,
  { from, until, ascending }: Range,
  isWanted: (revision: RevisionRow) => boolean,
  { context }: QueryCall,
): Generator<RevisionChange, void> {
  const page = context.store.getPageByTitle(title)
  if (page === undefined) return
  const walk = {
    pageId: page.pageId,
    isNewer: ascending,
    from: from && { timestamp: from.timestamp, id: Math.min(Math.max(from.id, 1), LAST_ID - 1) },
    to: until === undefined ? undefined : { timestamp: until },
    maxRows: 2 * MAX_READ,
  }
  for (const revision of walkHistory(context.store, walk))
    if (isWanted(revision)) yield changeOf(revision, page)
}

const changeOf = (revision: RevisionRow, page: PageSummary): RevisionChange => ({
  kind: 'revision',
  timestamp: revision.timestamp,
  changeId: idOfChange(REVISION, revision.id),
  revision,
  page,
})

/**
 * Without revisions that an entry of the log shows, as of moves and uploads, and without those that were deleted and
 * restored: MediaWiki forgets their rows.
 */
function* onlyOwn(rows: Iterable<RevisionChange>, named: NamedRevisions): Generator<RevisionChange, void> {
  for (const row of rows) if (!named.has(row) && !named.wasDeleted(row)) yield row
}

/** Seconds that an entry of the log and its revision may lie apart. */
const MAX_APART = 2
/** Entries of these seconds, as a bulk import may make. */
const MAX_NEAR = 200

/** Revisions that entries of the log stand for. */
class NamedRevisions {
  readonly #call: QueryCall
  /** Page id → time of its last deletion; 0: none. */
  readonly #deletions = new Map<number, number>()
  #time = -1
  #near: readonly ListedEvent[] = []

  constructor(call: QueryCall) {
    this.#call = call
  }

  has({ revision, page, timestamp }: RevisionChange): boolean {
    return this.#eventsNear(timestamp).some(
      (event) =>
        revisionOf(event) === revision.id ||
        // The redirect that a move leaves behind.
        (event.type === 'move' &&
          revision.parentId === 0 &&
          event.title !== undefined &&
          sameTitle(event.title, page)),
    )
  }

  wasDeleted({ page, timestamp }: RevisionChange): boolean {
    let time = this.#deletions.get(page.pageId)
    if (time === undefined) {
      const { logEvents } = this.#call.context.store
      const title = { namespace: page.namespace, dbkey: page.dbkey }
      const [event] = logEvents.list({ title, type: 'delete', action: 'delete' })
      // An entry that was made here may be of an earlier page.
      const isOfPage = event?.made?.pageIds.includes(page.pageId) !== false
      time = isOfPage ? (event?.timestamp ?? 0) : 0
      this.#deletions.set(page.pageId, time)
    }
    return timestamp < time
  }

  #eventsNear(time: number): readonly ListedEvent[] {
    if (time === this.#time) return this.#near
    const { logEvents } = this.#call.context.store
    const near: ListedEvent[] = []
    const range = { from: { timestamp: time + MAX_APART, id: LAST_ID }, until: time - MAX_APART }
    for (const event of logEvents.list({}, range)) {
      if (near.length === MAX_NEAR) break
      if (isPublic(event)) near.push(event)
    }
    this.#time = time
    this.#near = near
    return near
  }
}

// -- The log -----------------------------------------------------------------------------------------------------

/** Types of entries that MediaWiki does not show among the changes: a creation is a revision already. */
const UNSHOWN = new Set(['create', 'patrol', 'suppress'])

const isPublic = ({ type, action }: ListedEvent): boolean => !UNSHOWN.has(type) && action !== 'autocreate'

function* events(
  filter: { readonly title: Title | undefined; readonly actorId: number | undefined },
  range: Range,
  { context }: QueryCall,
): Generator<EventChange, void> {
  for (const event of context.store.logEvents.list(filter, range))
    if (isPublic(event))
      yield { kind: 'event', timestamp: event.timestamp, changeId: idOfChange(EVENT, event.id), event }
}

// -- Changes of a mirror -----------------------------------------------------------------------------------------

/** The id of such a change is the position of its entry and its number there. */
function* mirrorChanges({ from, ...rest }: Range, { context }: QueryCall): Generator<MirroredChange, void> {
  const { ascending } = rest
  const isBare = from === undefined || from.id === 0 || from.id === LAST_ID
  const start = isBare ? from : { timestamp: from.timestamp, id: Math.floor(from.id / MAX_CHANGES) }
  for (const { timestamp, sequence, changes } of context.store.mirror.changes({ from: start, ...rest })) {
    const rows = changes.slice(0, MAX_CHANGES).map((change, n): MirroredChange => {
      const changeId = idOfChange(MIRROR, sequence * MAX_CHANGES + n)
      return { kind: 'mirror', timestamp, changeId, change }
    })
    for (const row of ascending ? rows : rows.reverse()) {
      const id = subjectId(row.changeId)
      const isPassed = !isBare && timestamp === from.timestamp && (ascending ? id < from.id : id > from.id)
      if (!isPassed) yield row
    }
  }
}
