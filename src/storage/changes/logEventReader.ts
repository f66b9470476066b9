/** `Store.logEvents`: the wiki's public log. */
import type { LogEvent } from '../../domain/logEvent.js'
import { titleId, type Title } from '../../domain/title.js'
import { decodeActor } from '../accounts/actors.js'
import { MAX_U32 } from '../rows/keys.js'
import {
  decodeLogEvent,
  EVENT_KINDS,
  type EventIndexKey,
  type LogEventRow,
  type MadeEvent,
} from '../rows/logEventRows.js'
import { type Tables, WHOLE_TABLE } from '../tables/tables.js'
import { endOf, type PlaceRange, walk } from '../tables/walk.js'

/** Which entries to list. The index answers for one of these, others are compared entry by entry. */
export interface EventFilter {
  readonly type?: string | undefined
  /** With `type`. */
  readonly action?: string | undefined
  readonly title?: Title | undefined
  readonly actorId?: number | undefined
}

export interface ListedEvent extends LogEvent {
  /** 0: hidden. */
  readonly actorId: number
  /** Of an entry that was made here. */
  readonly made?: MadeEvent
}

export class LogEventReader {
  readonly #tables: Tables

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** False: no dump of log entries was imported. */
  hasAny(): boolean {
    return [...this.#tables.logEvent.getKeys({ ...WHOLE_TABLE, limit: 1 })].length > 0
  }

  get(id: number): ListedEvent | undefined {
    const row = this.#tables.logEvent.getBinaryFast(id)
    return row === undefined ? undefined : this.#event(id, decodeLogEvent(row))
  }

  /**
   * Entries by time, then by id, newest first by default. It is read as far as the caller iterates; other reads may
   * come between. Entries whose title is hidden are not found by their title, those with a hidden performer not by it.
   */
  *list(
    filter: EventFilter = {},
    { from, until, ascending = false }: PlaceRange = {},
  ): Generator<ListedEvent, void> {
    const [kind, name] = indexOf(filter)
    const { timestamp = ascending ? 0 : MAX_U32, id = ascending ? 0 : MAX_U32 } = from ?? {}
    const start: EventIndexKey = [kind, name, timestamp, id]
    const end: EventIndexKey = [kind, name, ...endOf(until, ascending)]
    for (const [, , , each] of walk(this.#tables.eventIndex, { start, end, ascending })) {
      const event = this.get(each)
      if (event !== undefined && fits(event, filter)) yield event
    }
  }

  #event(id: number, { actorId, comment, title, ...event }: LogEventRow): ListedEvent {
    const actor = actorId === 0 ? undefined : this.#tables.actorName.getBinary(actorId)
    // The name of an erased actor is empty.
    const performer = actor === undefined || actor.length === 0 ? undefined : decodeActor(actor)
    return { id, ...event, actorId, performer, comment: comment ?? undefined, title: title ?? undefined }
  }
}

/** The index with the fewest entries, as a rule. */
function indexOf({ title, actorId, type, action }: EventFilter): readonly [kind: number, name: string] {
  if (title !== undefined) return [EVENT_KINDS.title, titleId(title)]
  if (actorId !== undefined) return [EVENT_KINDS.actor, String(actorId)]
  if (type === undefined) return [EVENT_KINDS.all, '']
  return action === undefined ? [EVENT_KINDS.type, type] : [EVENT_KINDS.action, `${type}/${action}`]
}

const fits = (event: ListedEvent, { type, action, title, actorId }: EventFilter): boolean =>
  (type === undefined || event.type === type) &&
  (action === undefined || event.action === action) &&
  (actorId === undefined || event.actorId === actorId) &&
  (title === undefined || (event.title !== undefined && titleId(event.title) === titleId(title)))
