/** Size and readers of the store, as LMDB reports them. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { RootDatabase } from 'lmdb'
import { counter, type Figure, gauge, sharedGauge } from '../metrics/figures.js'
import type { SealState } from './tables/sealedTable.js'
import type { Transactions } from './tables/transactions.js'

/** Result of lmdb's `getStats`, for which the package has no type. */
interface EnvironmentStats {
  readonly pageSize: number
  readonly lastPageNumber: number
  readonly lastTxnId: number
  readonly maxReaders: number
}

/** A line of lmdb's reader list: process, thread, and the transaction of its snapshot or a dash. */
const READER = /^\s*\d+ [0-9a-f]+ (\d+|-)$/gm

export function storeFigures(root: RootDatabase, transactions: Transactions): Figure[] {
  const { pageSize, lastPageNumber, lastTxnId, maxReaders } = root.getStats() as EnvironmentStats
  const slots = [...root.readerList().matchAll(READER)].map(([, transaction]) => transaction)
  const snapshots = slots.filter((transaction) => transaction !== '-').map(Number)
  const oldest = Math.min(lastTxnId, ...snapshots)
  const fileBytes = statSync(join(transactions.path, 'data.mdb')).size
  return [
    sharedGauge('palimpsest_store_size_bytes', "Size of the store's file.", fileBytes),
    sharedGauge(
      'palimpsest_store_room_bytes',
      'How much the store may grow until its disk is full. It takes no edits below 32 MiB.',
      roomBytes(transactions),
    ),
    sharedGauge(
      'palimpsest_store_used_bytes',
      "The store's file up to the last page that was ever used.",
      (lastPageNumber + 1) * pageSize,
    ),
    sharedGauge('palimpsest_store_transactions', 'Number of the last write transaction.', lastTxnId),
    sharedGauge('palimpsest_store_readers', 'Slots of the reader table that are taken.', slots.length),
    sharedGauge('palimpsest_store_readers_max', 'Slots of the reader table.', maxReaders),
    sharedGauge(
      'palimpsest_store_oldest_reader_lag',
      'Write transactions since the oldest snapshot that is held: a high figure makes the file grow.',
      lastTxnId - oldest,
    ),
  ]
}

/** 0 when the disk does not answer. */
function roomBytes(transactions: Transactions): number {
  try {
    return Math.max(0, transactions.roomBytes())
  } catch {
    return 0
  }
}

export function damageFigures({ damage, ranges }: Pick<SealState, 'damage' | 'ranges'>): Figure[] {
  return [
    counter(
      'palimpsest_store_damaged_rows_total',
      'Reads that came to a damaged row of the store, or to one that LMDB could not read.',
      damage.value,
    ),
    gauge(
      'palimpsest_store_damaged_ranges',
      'Ranges of keys that are not read, since the walk after the start found their pages damaged.',
      ranges.count(),
    ),
  ]
}
