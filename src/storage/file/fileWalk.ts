/** Walks all pages of a store's file with plain reads, without LMDB: its tables, their rows, and the free pages. */
import { hashBytes, tableHash, unsealed } from '../rows/seal.js'
import { readMetaPages } from './metaPages.js'
import { StoreFile } from './storeFile.js'
import { NOT_READ, type Place, type RawRow, tableTrees, TreeWalks } from './treeWalk.js'

export interface SealedRow {
  readonly key: Buffer
  /** False if the seal does not fit the row. A row whose value the walk leaves out counts as sound. */
  readonly isSound: boolean
  /** LMDB looks for the key in another page. */
  readonly isAstray: boolean
}

export interface FileVisitor {
  /** Called with each fault of the pages. `place` has the keys that LMDB looks for in the damaged page. */
  fault(message: string, place?: Place): void
  /** Called with each table. Takes all of its rows, since the walk checks their pages on the way. */
  table(name: string, rows: Iterable<SealedRow>): void
}

interface FileWalkOptions {
  /** Leaves out the pages of large values in a file that is larger. Without it the walk reads all. */
  readonly maxBytesWithLargeValues?: number
}

/** While other processes write to the store, a snapshot of it must be held (see `Store.holdSnapshot`). */
export function walkFile(
  path: string,
  visitor: FileVisitor,
  { maxBytesWithLargeValues = Infinity }: FileWalkOptions = {},
): void {
  const file = new StoreFile(path)
  try {
    const { newest: meta, fault } = readMetaPages(file)
    if (meta === undefined) return visitor.fault(fault)
    const walks = new TreeWalks({
      file,
      meta,
      readsLargeValues: file.sizeBytes() <= maxBytesWithLargeValues,
      report: (message, place) => visitor.fault(message, place),
    })
    for (const { name, tree } of [...tableTrees(walks, meta)])
      visitor.table(name, sealedRows(name, walks.rows(name, tree)))
    walks.checkFreePages()
  } finally {
    file.close()
  }
}

function* sealedRows(
  name: string,
  rows: Iterable<Pick<RawRow, 'key' | 'value' | 'isAstray'>>,
): Generator<SealedRow, void> {
  const ofTable = tableHash(name)
  for (const { key, value, isAstray } of rows) {
    const isSound =
      value === NOT_READ || unsealed(hashBytes(ofTable, key, 0, key.length), value) !== undefined
    yield { key, isSound, isAstray }
  }
}
