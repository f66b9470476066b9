/** Lists the pages that a search index has not taken in yet. */
import { type IndexSet, WHOLE_TABLE } from '../tables/tables.js'

/** Ids of queued pages after `afterId`, in order, at most `limit`. */
export function queuedPages({ indexQueue }: IndexSet, afterId: number, limit: number): number[] {
  return [...indexQueue.getKeys({ start: afterId + 1, limit })]
}

export function countQueued({ indexQueue }: IndexSet): number {
  return indexQueue.getKeysCount(WHOLE_TABLE)
}
