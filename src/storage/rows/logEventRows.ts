/**
 * Rows of the wiki's public log. The entries are state, the index is derived from them.
 *
 *     logEvent   id u32 → JSON: see LogEventRow
 *     eventIndex kind u8, name, 0, time u32, id u32 → nothing
 *
 *     kinds      0 all entries (no name)   1 type   2 type/action   3 namespace:dbkey of the title   4 actor id
 *                of entries made here: 5 page id   6 namespace:dbkey of a further title
 */
import type { EventValue, LogEvent } from '../../domain/logEvent.js'
import { titleId, type Title } from '../../domain/title.js'
import type { KeyCodec } from './keys.js'

/** An entry as it is kept. The name of its performer is that of the actor. */
export interface LogEventRow extends Pick<LogEvent, 'timestamp' | 'type' | 'action'> {
  /** 0: hidden. */
  readonly actorId: number
  /** Null: hidden. */
  readonly comment: string | null
  /** Null: hidden. */
  readonly title: Title | null
  readonly params: EventValue
  /** Present if the entry was made here. */
  readonly made?: MadeEvent
}

/** Pages and titles of an entry, so that erasing finds it. */
export interface MadeEvent {
  /** The first is its subject. */
  readonly pageIds: readonly number[]
  /** A title that the parameters name. */
  readonly further?: Title | undefined
}

export type EventIndexKey = readonly [kind: number, name: string, timestamp: number, id: number]

export const EVENT_KINDS = { all: 0, type: 1, action: 2, title: 3, actor: 4, page: 5, further: 6 } as const

export const encodeLogEvent = ({
  timestamp,
  type,
  action,
  actorId,
  comment,
  title,
  params,
  made,
}: LogEventRow): Buffer =>
  Buffer.from(JSON.stringify({ timestamp, type, action, actorId, comment, title, params, made }))

export const decodeLogEvent = (row: Buffer): LogEventRow =>
  JSON.parse(row.toString('utf8', 0, row.length)) as LogEventRow

/** The places of an entry in the index. */
export function eventKeys(
  id: number,
  { timestamp, type, action, actorId, title, made }: LogEventRow,
): EventIndexKey[] {
  const names: (readonly [kind: number, name: string])[] = [
    [EVENT_KINDS.all, ''],
    [EVENT_KINDS.type, type],
    [EVENT_KINDS.action, `${type}/${action}`],
  ]
  if (title !== null) names.push([EVENT_KINDS.title, titleId(title)])
  if (actorId !== 0) names.push([EVENT_KINDS.actor, String(actorId)])
  for (const pageId of made?.pageIds ?? []) names.push([EVENT_KINDS.page, String(pageId)])
  if (made?.further !== undefined) names.push([EVENT_KINDS.further, titleId(made.further)])
  return names.map(([kind, name]) => [kind, name, timestamp, id])
}

export const eventIndexKey: KeyCodec<EventIndexKey> = {
  writeKey([kind, name, timestamp, id], target, start) {
    target[start] = kind
    const end = start + 1 + target.write(name, start + 1, 'utf8')
    target[end] = 0
    return target.writeUInt32BE(id, target.writeUInt32BE(timestamp, end + 1))
  },
  readKey: (source, start, end) => [
    source[start]!,
    source.toString('utf8', start + 1, end - 9),
    source.readUInt32BE(end - 8),
    source.readUInt32BE(end - 4),
  ],
}
