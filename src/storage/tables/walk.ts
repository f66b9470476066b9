/** Walks over the keys of tables, some at a time, and ranges of lists that are ordered by time and id. */
import { MAX_U32, type Pair } from '../rows/keys.js'
import type { Table } from './tables.js'

/** Part of a list. */
export interface PlaceRange {
  /** The first entry, or where it would be: seconds since 1970, and the id of a revision or a log entry. */
  readonly from?: { readonly timestamp: number; readonly id: number } | undefined
  /** The time of the last entry. */
  readonly until?: number | undefined
  /** Newest first, by default. */
  readonly ascending?: boolean
}

/** Where a range ends, which is not part of it: nothing has the greatest id, or the id 0. */
export function endOf(until: number | undefined, ascending: boolean): Pair {
  if (ascending) return [until ?? MAX_U32, MAX_U32]
  return until === undefined || until <= 0 ? [0, 0] : [until - 1, MAX_U32]
}

/** Keys to read at once. Further ones are read when the caller iterates so far. */
const KEYS_AT_ONCE = 50

interface Walk<K> {
  readonly start: K
  /** Not part of the list. */
  readonly end: K
  readonly ascending: boolean
}

/** The keys of a range. Other reads may come between. */
export function* walk<K extends string | readonly (number | string)[]>(
  table: Table<K>,
  { start, end, ascending }: Walk<K>,
): Generator<K, void> {
  let from: K = start
  let skips = false
  for (;;) {
    const limit = KEYS_AT_ONCE + Number(skips)
    // An open cursor would not survive other reads.
    const keys = [...table.getKeys({ start: from, end, reverse: !ascending, limit })]
    // The last key of the batch before may have gone.
    const isRepeated = skips && keys[0] !== undefined && isSame(keys[0], from)
    yield* isRepeated ? keys.slice(1) : keys
    if (keys.length < limit) return
    from = keys.at(-1)!
    skips = true
  }
}

function isSame<K extends string | readonly (number | string)[]>(one: K, other: K): boolean {
  return typeof one === 'string' ? one === other : one.every((part, n) => part === other[n])
}
