/** Fills the spare rows of an SQL table. Nobody reads them before an entry puts them in force. */
import { isPageMadeHere } from '../apply/madeHere.js'
import type { Store } from '../store.js'
import type { Tables } from '../tables.js'
import type { SqlTable, SqlTableState } from './names.js'
import { decodeSqlRow, encodeSqlRow, rangeOf, readTableState, spareSet, sqlRowKeyOf } from './sqlTables.js'

/** Rows in one transaction of `clear` and `keepRest`. */
const BATCH_ROWS = 10_000
/** Most names of one id. Further ones are left out. */
const MAX_NAMES = 4096

/** New values of one id. */
export interface IncomingRow {
  /** Number of SQL rows that they come from. */
  rows: number
  readonly values: Map<string, string>
}

export class SpareTable {
  readonly table: SqlTable
  readonly #store: Store
  readonly #tables: Tables
  readonly #inForce: SqlTableState | undefined
  readonly #set: 0 | 1

  /** Begins with an empty table: removes what an import that was killed left. */
  constructor(store: Store, table: SqlTable) {
    this.table = table
    this.#store = store
    this.#tables = store.tables
    this.#inForce = readTableState(store.tables, table)
    this.#set = spareSet(this.#inForce)
    this.clear()
  }

  /** The state with these rows in force. */
  state(): SqlTableState {
    const { table } = this
    return { set: this.#set, ids: this.#tables.sqlRow.getKeysCount(rangeOf(this.#set, table)) }
  }

  /** Adds values in one transaction; the first of a name stays. Returns the SQL rows of pages that are not here. */
  add(batch: ReadonlyMap<number, IncomingRow>): number {
    let foreign = 0
    const ids = [...batch.keys()].sort((a, b) => a - b)
    this.#store.transactDerived(() => {
      for (const id of ids) {
        const { rows, values } = batch.get(id)!
        if (isImportedPage(this.#tables, id)) this.#merge(id, values)
        else foreign += rows
      }
    })
    return foreign
  }

  /** Takes over the rows in force of all ids without spare rows. */
  keepRest(): void {
    if (this.#inForce === undefined) return
    const { sqlRow } = this.#tables
    this.#inBatches(this.#inForce.set, ([, , id]) => {
      const key = sqlRowKeyOf(this.#set, this.table, id)
      const row = sqlRow.getBinary(sqlRowKeyOf(this.#inForce!.set, this.table, id))
      if (row !== undefined && !sqlRow.doesExist(key)) sqlRow.putSync(key, row)
    })
  }

  /** The ids whose rows in force differ. A table that was never imported is like an empty one. */
  *changedIds(): Generator<number, void> {
    const { sqlRow } = this.#tables
    const spare = sqlRow.getRange(rangeOf(this.#set, this.table))[Symbol.iterator]()
    const inForce = this.#inForce === undefined ? [] : sqlRow.getRange(rangeOf(this.#inForce.set, this.table))
    let step = spare.next()
    for (const { key, value } of inForce) {
      for (; step.done !== true && step.value.key[2] < key[2]; step = spare.next()) yield step.value.key[2]
      const isSame = step.done !== true && step.value.key[2] === key[2] && step.value.value.equals(value)
      if (!isSame) yield key[2]
      if (step.done !== true && step.value.key[2] === key[2]) step = spare.next()
    }
    for (; step.done !== true; step = spare.next()) yield step.value.key[2]
  }

  /** Tells whether the rows in force are the same. */
  isInForce(): boolean {
    return this.changedIds().next().done === true
  }

  /** Removes the spare rows; after an entry has put them in force, those that were in force before. */
  clear(): void {
    const set = spareSet(readTableState(this.#tables, this.table))
    this.#inBatches(set, (key) => this.#tables.sqlRow.removeSync(key))
  }

  #merge(id: number, added: ReadonlyMap<string, string>): void {
    const { sqlRow } = this.#tables
    const key = sqlRowKeyOf(this.#set, this.table, id)
    const before = sqlRow.getBinary(key)
    const values = new Map(before && decodeSqlRow(before))
    const known = values.size
    for (const [name, value] of added) {
      if (values.size < MAX_NAMES && !values.has(name)) values.set(name, value)
    }
    if (values.size > known) sqlRow.putSync(key, encodeSqlRow(values))
  }

  /** Calls `change` for each key of a set, in several transactions. */
  #inBatches(set: 0 | 1, change: (key: ReturnType<typeof sqlRowKeyOf>) => void): void {
    const range = rangeOf(set, this.table)
    for (let start = range.start; ;) {
      const keys = [...this.#tables.sqlRow.getKeys({ ...range, start, limit: BATCH_ROWS })]
      if (keys.length > 0) this.#store.transactDerived(() => keys.forEach(change))
      if (keys.length < BATCH_ROWS) return
      start = sqlRowKeyOf(set, this.table, keys.at(-1)![2] + 1)
    }
  }
}

/** Tells whether the store has a page of the mirrored wiki with this id. Pages made here may use ids of other pages. */
const isImportedPage = (tables: Tables, id: number): boolean =>
  tables.page.doesExist(id) && !isPageMadeHere(tables, id)
