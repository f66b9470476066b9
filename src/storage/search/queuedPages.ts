/** Which pages the search index has yet to take in. */
import { type Tables, WHOLE_TABLE } from '../tables.js'

/** Ids of queued pages after `afterId`, in order, at most `limit`. */
export function queuedPages(tables: Tables, afterId: number, limit: number): number[] {
  return [...tables.indexQueue.getKeys({ start: afterId + 1, limit })]
}

export function countQueued(tables: Tables): number {
  return tables.indexQueue.getKeysCount({ ...WHOLE_TABLE })
}
