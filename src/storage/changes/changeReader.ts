/** `Store.changes`: revisions of all pages by time, and those of one editor. */
import type { Editor } from '../../domain/revision.js'
import { findUserId } from '../accounts/accounts.js'
import { actorKey } from '../accounts/actors.js'
import { type HistoryKey, MAX_U32, type Pair } from '../rows/keys.js'
import { decodeNumber, decodePageRow, revisionPageId } from '../rows/rows.js'
import type { Tables } from '../tables/tables.js'
import { areListsComplete } from './changeLists.js'
import { endOf, type PlaceRange, walk } from '../tables/walk.js'

/** A revision that readers may see, though parts of it may be hidden. `Store.getRevision` has the rest. */
export interface Change {
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly revisionId: number
  readonly pageId: number
}

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
  *byTime({ from, until, ascending = false }: PlaceRange = {}): Generator<Change, void> {
    const { timestamp = ascending ? 0 : MAX_U32, id = ascending ? 0 : MAX_U32 } = from ?? {}
    const start: Pair = [timestamp, id]
    const range = { start, end: endOf(until, ascending), ascending }
    for (const [time, each] of walk(this.#tables.revisionTime, range)) yield* this.#change(time, each)
  }

  /** Revisions of an editor. Those whose editor is hidden are not found. */
  *byActor(actorId: number, { from, until, ascending = false }: PlaceRange = {}): Generator<Change, void> {
    const { timestamp = ascending ? 0 : MAX_U32, id = ascending ? 0 : MAX_U32 } = from ?? {}
    const start: HistoryKey = [actorId, timestamp, id]
    const end: HistoryKey = [actorId, ...endOf(until, ascending)]
    for (const [, time, each] of walk(this.#tables.actorRevision, { start, end, ascending }))
      yield* this.#change(time, each)
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

  /** Number of an actor's revisions, at most `cap`. It walks over their keys, some million a second. */
  countOf(actorId: number, cap?: number): number {
    return this.#tables.actorRevision.getKeysCount({
      start: [actorId, 0, 0],
      end: [actorId, MAX_U32, MAX_U32],
      ...(cap !== undefined && { limit: cap }),
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
