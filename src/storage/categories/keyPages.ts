/** A page of the keys in a range, with what lies before and after it. */
import type { Table } from '../tables/tables.js'

export interface KeyRange<K> {
  /** Below all keys of the range, and none of them. */
  readonly low: K
  /** Above all keys of the range, and none of them. */
  readonly high: K
}

/** Without `until`: the first keys from `from` on. With it: the last keys before `until`. */
export interface PlaceQuery<K> {
  readonly from?: K | undefined
  readonly until?: K | undefined
  readonly limit: number
}

export interface KeyPage<K> {
  /** In their order. */
  readonly keys: readonly K[]
  /** Where the page before ends; undefined if nothing comes before. */
  readonly previousUntil: K | undefined
  /** Where the page after begins; undefined if nothing follows. */
  readonly nextFrom: K | undefined
}

export function pageOfKeys<K>(
  table: Table<K>,
  { low, high }: KeyRange<K>,
  { from, until, limit }: PlaceQuery<K>,
): KeyPage<K> {
  const has = (start: K, end: K): boolean => {
    for (const _key of table.getKeys({ start, end, limit: 1 })) return true
    return false
  }
  if (until === undefined) {
    const start = from ?? low
    const keys = [...table.getKeys({ start, end: high, limit: limit + 1 })]
    const hasEarlier = from !== undefined && has(low, from)
    return {
      keys: keys.slice(0, limit),
      previousUntil: hasEarlier ? (keys[0] ?? start) : undefined,
      nextFrom: keys[limit],
    }
  }
  const behind = [...table.getKeys({ start: until, end: low, reverse: true, limit: limit + 2 })]
  const last = behind[0]
  // A walk in reverse begins with its start.
  if (last !== undefined && isSameKey(last, until)) behind.shift()
  const keys = behind.slice(0, limit).reverse()
  return {
    keys,
    previousUntil: behind.length > limit ? keys[0] : undefined,
    nextFrom: has(until, high) ? until : undefined,
  }
}

const isSameKey = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
