/** Sizes of the tables in a store's file. */
import { statSync } from 'node:fs'
import { open } from 'lmdb'
import { readCounters } from '../../src/storage/tables/meta.js'
import { Store } from '../../src/storage/store.js'

/** More than a store has. */
const MAX_TABLES = 100

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
    const { pages, revisions } = readCounters(store.tables)
    return { fileBytes: statSync(store.file).size, ...(await readTableSizes(store.path)), pages, revisions }
  } finally {
    await store.close()
  }
}

/** Sizes as lmdb tells them. The store's own tables do not show them. */
async function readTableSizes(path: string): Promise<Pick<StoreSizes, 'usedBytes' | 'tables'>> {
  const root = open({ path, readOnly: true, maxDbs: MAX_TABLES })
  try {
    const stats = [...root.getKeys()].map((name) => {
      const table = root.openDB(String(name), { encoding: 'binary', keyEncoding: 'binary' })
      return [String(name), table.getStats() as TableStats] as const
    })
    const { pageSize, lastPageNumber } = root.getStats() as TableStats
    const tables = stats.map(
      ([name, { treeBranchPageCount, treeLeafPageCount, overflowPages, entryCount }]) => {
        const bytes = (treeBranchPageCount + treeLeafPageCount + overflowPages) * pageSize
        return [name, { rows: entryCount, bytes }] as const
      },
    )
    return { usedBytes: (lastPageNumber + 1) * pageSize, tables: Object.fromEntries(tables) }
  } finally {
    await root.close()
  }
}
