/** Looks for damage that LMDB must not read: it would end the process, or not find rows that exist. */
import { totalmem } from 'node:os'
import type { TableRange } from '../rows/damagedRanges.js'
import { hashBytes, tableHash, unsealed } from '../rows/seal.js'
import { readMetaPages } from './metaPages.js'
import { StoreFile, type TreeHead } from './storeFile.js'
import { NOT_READ, tableTrees, TreeWalks } from './treeWalk.js'

export interface DamagedPages {
  /** Faults, one line each; at most 100. */
  readonly faults: readonly string[]
  /** The keys that LMDB would look for among damaged ones. */
  readonly ranges: readonly TableRange[]
  readonly rows: number
}

const MAX_FAULTS = 100
/** Rows between two calls of `rest`. */
const ROWS_AT_ONCE = 200
/** Reading all of a larger file would drive the pages that requests need out of memory. */
const SHARE_OF_MEMORY = 1 / 4

/**
 * Walks the pages of the file at `path` with plain reads, and checks the seals of rows. In a file larger than a quarter
 * of the machine's memory it leaves out the pages of large values. While other processes write to the store, a snapshot
 * of it must be held (see `Store.holdSnapshot`). Calls `rest` after every 200 rows.
 */
export function findDamagedPages(path: string, rest: () => void = () => undefined): DamagedPages {
  const file = new StoreFile(path)
  try {
    const { newest: meta, fault } = readMetaPages(file)
    if (meta === undefined) return { faults: [fault], ranges: [], rows: 0 }
    const found = new Findings(rest)
    const readsLargeValues = file.sizeBytes() <= totalmem() * SHARE_OF_MEMORY
    const walks = new TreeWalks({
      file,
      meta,
      readsLargeValues,
      report: (message, place) => {
        found.fault(message)
        if (place !== undefined) found.avoid(place.name, place.from, place.to)
      },
    })
    const tables = [...tableTrees(walks, meta)]
    for (const { name, tree } of tables) found.checkRows(walks, name, tree)
    walks.checkFreePages()
    return found.of(new Set(tables.map(({ name }) => name)))
  } finally {
    file.close()
  }
}

class Findings {
  readonly #rest: () => void
  readonly #faults: string[] = []
  readonly #ranges: TableRange[] = []
  #rows = 0

  constructor(rest: () => void) {
    this.#rest = rest
  }

  fault(message: string): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push(message)
  }

  avoid(table: string, from: Uint8Array | undefined, to: Uint8Array | undefined): void {
    this.#ranges.push({ table, from, to })
  }

  /**
   * Checks the seals of a table. The key of a damaged row may be another one than it was: so all keys between its
   * neighbours count as damaged.
   */
  checkRows(walks: TreeWalks, name: string, tree: TreeHead): void {
    const ofTable = tableHash(name)
    let before: Buffer | undefined
    let isDamaged = false
    for (const { key, value } of walks.rows(name, tree)) {
      if (++this.#rows % ROWS_AT_ONCE === 0) this.#rest()
      if (value !== NOT_READ && unsealed(hashBytes(ofTable, key, 0, key.length), value) === undefined) {
        this.fault(`${name}: the row with the key ${key.toString('hex')} is damaged`)
        isDamaged = true
        continue
      }
      if (isDamaged) this.avoid(name, after(before), key)
      isDamaged = false
      before = key
    }
    if (isDamaged) this.avoid(name, after(before), undefined)
  }

  /** What was found in tables of these names. */
  of(names: ReadonlySet<string>): DamagedPages {
    const ranges = this.#ranges.filter(({ table }) => names.has(table))
    return { faults: this.#faults, ranges, rows: this.#rows }
  }
}

/** The first key behind another one. */
const after = (key: Buffer | undefined): Buffer | undefined => key && Buffer.concat([key, Buffer.alloc(1)])
