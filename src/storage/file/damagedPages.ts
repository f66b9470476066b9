/** Looks for damage that LMDB must not read: it would end the process, or not find rows that exist. */
import { usableMemory } from '../../runtime/memory.js'
import type { TableRange } from '../tables/damagedRanges.js'
import { type FileVisitor, type SealedRow, walkFile } from './fileWalk.js'
import type { Place } from './treeWalk.js'

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
  const found = new Findings(rest)
  walkFile(path, found, { maxBytesWithLargeValues: usableMemory() * SHARE_OF_MEMORY })
  return found.result()
}

class Findings implements FileVisitor {
  readonly #rest: () => void
  readonly #faults: string[] = []
  readonly #ranges: TableRange[] = []
  readonly #tables = new Set<string>()
  #rows = 0

  constructor(rest: () => void) {
    this.#rest = rest
  }

  fault(message: string, place?: Place): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push(message)
    if (place !== undefined) this.#avoid(place.name, place.from, place.to)
  }

  /**
   * Checks the seals of a table. The key of a damaged row may be another one than it was: so all keys between its
   * neighbours count as damaged. So do those of sound rows below a branch with a damaged key, which LMDB does not find.
   */
  table(name: string, rows: Iterable<SealedRow>): void {
    this.#tables.add(name)
    let before: Buffer | undefined
    let isDamaged = false
    for (const { key, isSound, isAstray } of rows) {
      if (++this.#rows % ROWS_AT_ONCE === 0) this.#rest()
      if (!isSound) this.fault(`${name}: the row with the key ${key.toString('hex')} is damaged`)
      if (!isSound || isAstray) {
        isDamaged = true
        continue
      }
      if (isDamaged) this.#avoid(name, after(before), key)
      isDamaged = false
      before = key
    }
    if (isDamaged) this.#avoid(name, after(before), undefined)
  }

  /** Ranges of other trees, such as that of free pages, are none of a table. */
  result(): DamagedPages {
    const ranges = this.#ranges.filter(({ table }) => this.#tables.has(table))
    return { faults: this.#faults, ranges, rows: this.#rows }
  }

  #avoid(table: string, from: Uint8Array | undefined, to: Uint8Array | undefined): void {
    this.#ranges.push({ table, from, to })
  }
}

/** The first key behind another one. */
const after = (key: Buffer | undefined): Buffer | undefined => key && Buffer.concat([key, Buffer.alloc(1)])
