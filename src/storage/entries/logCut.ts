/**
 * Cuts the beginning of the log off. The store keeps the digest at the cut, so that the rest still proves itself, and
 * the ids and verdicts of the cut entries, so that none of them is applied again.
 */
import { chainDigest, isRepeat, logKey } from './logReader.js'
import { LOG_START, readMeta, readPosition, writeMeta } from '../tables/meta.js'
import type { DerivedWriter, Tables } from '../tables/tables.js'

/** Rows in one transaction. */
const ROWS_AT_ONCE = 500

/** Removes the entries before a position, in steps. Yields the number of entries removed so far. */
export function* cutLog(store: DerivedWriter, before: number): Generator<number> {
  let removed = 0
  for (;;) {
    const count = store.transactDerived(() => cutSome(store.tables, before))
    if (count === 0) return
    removed += count
    yield removed
  }
}

function cutSome(tables: Tables, before: number): number {
  const start = readMeta(tables, 'logStart')
  let { sequence, digest } = start ?? LOG_START
  let repeats = start?.repeats ?? 0
  const end = Math.min(before - 1, readPosition(tables).sequence, sequence + ROWS_AT_ONCE)
  const count = end - sequence
  while (sequence < end) {
    const key = logKey(++sequence)
    const row = tables.log.getBinary(key)
    if (row === undefined) throw new Error(`the log has no entry ${sequence}: run "palimpsest verify"`)
    digest = chainDigest(digest, row)
    if (isRepeat(tables, sequence, row)) repeats++
    tables.log.removeSync(key)
  }
  if (count > 0) writeMeta(tables, 'logStart', { sequence, digest, ...(repeats > 0 && { repeats }) })
  return Math.max(0, count)
}
