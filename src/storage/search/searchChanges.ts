/**
 * A ring of the newest write transactions, with what searches can see of each. A transaction without a row, such as one
 * of an import, may have changed everything.
 */
import { type ChangeNotes, SearchChange } from '../../index/rows/searchChange.js'
import { readTally } from '../tables/meta.js'
import type { Tables } from '../tables/tables.js'

/** Number of transactions that the ring holds. */
const SLOTS = 256

const slotOf = (generation: number): number => generation % SLOTS

/**
 * Writes the row of the running transaction. Call it once in a transaction, before that raises the generation. Empties
 * the ring if everything may have changed. So an erasure leaves no hashes of erased words.
 */
export function writeSearchChange(tables: Tables, notes: ChangeNotes): void {
  const generation = readTally(tables, 'generation') + 1
  const row = notes.encode(generation)
  if (row === undefined) tables.searchChange.clearSync()
  else tables.searchChange.putSync(slotOf(generation), row)
}

/** Reads the ring, and keeps the rows in memory. */
export class SearchChanges {
  readonly #tables: Tables
  readonly #known: (SearchChange | undefined)[] = []

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** The change that led to a generation; undefined if it is unknown. */
  at(generation: number): SearchChange | undefined {
    const slot = slotOf(generation)
    if (this.#known[slot]?.generation !== generation) {
      const row = this.#tables.searchChange.getBinaryFast(slot)
      this.#known[slot] = row === undefined ? undefined : new SearchChange(row)
    }
    const change = this.#known[slot]
    return change?.generation === generation ? change : undefined
  }
}
