/** Lists by time: where they begin, end and go on. */
import { timeDigits } from '../../../domain/timestamp.js'
import type { ChangeReader } from '../../../storage/changes/changeReader.js'
import { badContinue } from '../frame/problems.js'
import { notReady } from './linkIndex.js'
import type { More, QueryCall } from './module.js'

export interface TimePlace {
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly id: number
}

interface Given {
  readonly start: number | undefined
  readonly end: number | undefined
  readonly dir: 'newer' | 'older'
  readonly continue: string | undefined
}

const LAST_ID = 0xffffffff

/** The part of a list that a request asks for. `start` is where the list begins. */
export function rangeOf(
  { start, end, dir, continue: given }: Given,
  highestId = LAST_ID,
): {
  from: TimePlace | undefined
  until: number | undefined
  ascending: boolean
} {
  const ascending = dir === 'newer'
  const stated = start === undefined ? undefined : { timestamp: storable(start), id: ascending ? 0 : LAST_ID }
  return {
    from: given === undefined ? stated : placeOf(given, highestId),
    until: end === undefined ? undefined : storable(end),
    ascending,
  }
}

/** Keys have times of 32 bits. */
const storable = (time: number): number => Math.min(Math.max(time, 0), LAST_ID - 1)

export const moreAt = ({ timestamp, id }: TimePlace): More => ({
  continue: `${timeDigits(timestamp)}|${id}`,
})

/** Throws a badcontinue. */
export function placeOf(given: string, highestId = LAST_ID): TimePlace {
  const [, year, month, day, hour, minute, second, id] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\|(\d{1,16})$/.exec(given) ?? []
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (id === undefined || Number.isNaN(time) || Number(id) > highestId) throw badContinue()
  return { timestamp: storable(time / 1000), id: Number(id) }
}

/** Throws an error while the lists of an older store are being filled. */
export function changeLists({ context }: QueryCall): ChangeReader {
  const { changes } = context.store
  if (!changes.isComplete()) throw notReady('changes')
  return changes
}
