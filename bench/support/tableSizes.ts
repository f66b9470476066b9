/** Sizes of the tables in a store's file. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { readCounters } from '../../src/storage/meta.js'
import { Store } from '../../src/storage/store.js'

export interface TableSize {
  readonly rows: number
  readonly bytes: number
}

export interface StoreSizes {
  readonly fileBytes: number
  /** Bytes up to the last page of the file that was ever used. */
  readonly usedBytes: number
  readonly tables: Readonly<Record<string, TableSize>>
  readonly pages: number
  readonly revisions: number
}

/** Result of lmdb's `getStats`, for which the package has no type. */
interface TableStats {
  readonly pageSize: number
  readonly treeBranchPageCount: number
  readonly treeLeafPageCount: number
  readonly overflowPages: number
  readonly entryCount: number
  readonly lastPageNumber: number
}

/** Servers may use the store meanwhile. */
export async function readStoreSizes(dataDir: string): Promise<StoreSizes> {
  const store = Store.open(dataDir)
  try {
    const stats = Object.entries(store.tables).map(
      ([name, table]) => [name, (table as unknown as { getStats(): TableStats }).getStats()] as const,
    )
    const [, { pageSize, lastPageNumber }] = stats[0]!
    const { pages, revisions } = readCounters(store.tables)
    return {
      fileBytes: statSync(join(store.path, 'data.mdb')).size,
      usedBytes: (lastPageNumber + 1) * pageSize,
      tables: Object.fromEntries(
        stats.map(([name, { treeBranchPageCount, treeLeafPageCount, overflowPages, entryCount }]) => [
          name,
          { rows: entryCount, bytes: (treeBranchPageCount + treeLeafPageCount + overflowPages) * pageSize },
        ]),
      ),
      pages,
      revisions,
    }
  } finally {
    await store.close()
  }
}
