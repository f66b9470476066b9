/** `Store.changes`: revisions of all pages by time, and those of one editor. */
import type { Editor } from '../../domain/revision.js'
import { findUserId } from '../accounts/accounts.js'
import { actorKey } from '../accounts/actors.js'
import { type HistoryKey, MAX_U32, type Pair } from '../rows/keys.js'
import { decodeNumber, decodePageRow, revisionPageId } from '../rows/rows.js'
import type { Table, Tables } from '../tables/tables.js'
import { areListsComplete } from './changeLists.js'

/** A place in a list. */
interface ChangePlace {
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly revisionId: number
}

/** A revision that readers may see, though parts of it may be hidden. `Store.getRevision` has the rest. */
export interface Change extends ChangePlace {
  readonly pageId: number
}

export interface ChangeRange {
  /** The first entry, or where it would be. */
  readonly from?: ChangePlace | undefined
  /** The time of the last entry. */
  readonly until?: number | undefined
  /** Newest first, by default. */
  readonly ascending?: boolean
}

/** Keys to read at once. Further ones are read when the caller iterates so far. */
const KEYS_AT_ONCE = 50

/**
 * Lists are read as far as the caller iterates, and other reads may come between. Revisions of deleted pages are left
 * out.
 */
export class ChangeReader {
  readonly #tables: Tables

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** False while a store of an older version is being filled: lists then lack revisions. */
  isComplete(): boolean {
    return areListsComplete(this.#tables)
  }

  /** Revisions by time, then by id. */
  *byTime({ from, until, ascending = false }: ChangeRange = {}): Generator<Change, void> {
    const { timestamp = ascending ? 0 : MAX_U32, revisionId = ascending ? 0 : MAX_U32 } = from ?? {}
    const start: Pair = [timestamp, revisionId]
    const range = { start, end: endOf(until, ascending), ascending }
    for (const [time, id] of walk(this.#tables.revisionTime, range)) yield* this.#change(time, id)
  }

  /** Revisions of an editor. Those whose editor is hidden are not found. */
  *byActor(actorId: number, { from, until, ascending = false }: ChangeRange = {}): Generator<Change, void> {
    const { timestamp = ascending ? 0 : MAX_U32, revisionId = ascending ? 0 : MAX_U32 } = from ?? {}
    const start: HistoryKey = [actorId, timestamp, revisionId]
    const end: HistoryKey = [actorId, ...endOf(until, ascending)]
    for (const [, time, id] of walk(this.#tables.actorRevision, { start, end, ascending }))
      yield* this.#change(time, id)
  }

  /** The actors that a name means: its user, and edits under the name without an id. */
  actorsNamed(name: string): number[] {
    const userId = findUserId(this.#tables, name)
    const editors: Editor[] = [...(userId === undefined ? [] : [{ id: userId, name }]), { id: null, name }]
    return editors.flatMap((editor) => this.#actorOf(editor) ?? [])
  }

  /** The actor of a user id. */
  actorOfUser(userId: number): number | undefined {
    return this.#actorOf({ id: userId, name: '' })
  }

  /** Number of an actor's revisions. It walks over their keys, some million a second. */
  countOf(actorId: number): number {
    return this.#tables.actorRevision.getKeysCount({
      start: [actorId, 0, 0],
      end: [actorId, MAX_U32, MAX_U32],
    })
  }

  #actorOf(editor: Editor): number | undefined {
    const row = this.#tables.actor.getBinaryFast(actorKey(editor))
    return row && decodeNumber(row)
  }

  /** Nothing for a revision of a deleted page. */
  *#change(timestamp: number, revisionId: number): Generator<Change, void> {
    const rev = this.#tables.rev.getBinaryFast(revisionId)
    const pageId = rev && revisionPageId(rev)
    const page = pageId === undefined ? undefined : this.#tables.page.getBinaryFast(pageId)
    if (pageId === undefined || page === undefined || decodePageRow(page).deleted) return
    yield { timestamp, revisionId, pageId }
  }
}

/** Where a range ends, which is not part of it: no revision has the greatest id, or the id 0. */
function endOf(until: number | undefined, ascending: boolean): Pair {
  if (ascending) return [until ?? MAX_U32, MAX_U32]
  return until === undefined || until <= 0 ? [0, 0] : [until - 1, MAX_U32]
}

interface Walk<K> {
  readonly start: K
  /** Not part of the list. */
  readonly end: K
  readonly ascending: boolean
}

function* walk<K extends readonly number[]>(
  table: Table<K>,
  { start, end, ascending }: Walk<K>,
): Generator<K, void> {
  let [from, skips] = [start, false]
  for (;;) {
    const limit = KEYS_AT_ONCE + Number(skips)
    // An open cursor would not survive other reads.
    const keys = [...table.getKeys({ start: from, end, reverse: !ascending, limit })]
    // The last key of the batch before may have gone.
    const isRepeated = skips && keys[0]?.every((part, n) => part === from[n]) === true
    yield* isRepeated ? keys.slice(1) : keys
    if (keys.length < limit) return
    from = keys.at(-1)!
    skips = true
  }
}
