/** Fills the spare rows of an SQL table. Nobody reads them before an entry puts them in force. */
import { isPageMadeHere, isRevisionMadeHere } from '../../pages/history.js'
import type { SqlId } from '../../rows/keys.js'
import type { Store } from '../../store.js'
import type { Tables } from '../../tables/tables.js'
import { type SqlTable, type SqlTableState, subjectOf } from '../../rows/sqlTableNames.js'
import { settleTables } from './settle.js'
import {
  compareIds,
  compareSets,
  decodeSqlRow,
  encodeFlatRow,
  encodeSqlRow,
  rangeOf,
  readTableState,
  spareSet,
  sqlRowKeyOf,
} from '../../sqlTables/sqlTables.js'
import { UNTIL_ROW } from '../../sqlTables/statedMarks.js'

/** Rows in one transaction of `clear` and `keepRest`. */
const BATCH_ROWS = 10_000
/** Most names of one id. Further ones are left out. */
const MAX_NAMES = 4096

/** New values of one id. */
export interface IncomingRow {
  /** Number of SQL rows that they come from. */
  rows: number
  /** Names and values in turn, in the order of the SQL rows. */
  readonly flat: string[]
}

export class SpareTable {
  readonly table: SqlTable
  readonly #store: Store
  readonly #tables: Tables
  readonly #inForce: SqlTableState | undefined
  readonly #set: 0 | 1
  /** The greatest id that `add` has written. Those behind it have no spare rows yet. */
  #greatest: SqlId | undefined

  /** Begins with an empty table: removes what an import that was killed left. */
  constructor(store: Store, table: SqlTable) {
    this.table = table
    this.#store = store
    this.#tables = store.tables
    this.clear()
    this.#inForce = readTableState(store.tables, table)
    this.#set = spareSet(this.#inForce)
  }

  /** The state with these rows in force. */
  state(): SqlTableState {
    const { table } = this
    return { set: this.#set, ids: this.#tables.sqlRow.getKeysCount(rangeOf(this.#set, table)) }
  }

  /**
   * Adds values in one transaction; the first of a name stays. Returns the SQL rows of pages and revisions that are not
   * here.
   */
  add(batch: ReadonlyMap<SqlId, IncomingRow>): number {
    let foreign = 0
    const ids = [...batch.keys()].sort(compareIds)
    this.#store.transactDerived(() => {
      for (const id of ids) {
        const { rows, flat } = batch.get(id)!
        if (!this.#merge(id, flat)) foreign += rows
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

  /** Tells whether the rows in force are the same. A table that was never imported is like an empty one. */
  isInForce(): boolean {
    for (const { isSame } of compareSets(this.#tables, this.table)) if (!isSame) return false
    return true
  }

  /**
   * Removes the spare rows; after an entry has put them in force, those that were in force before. First does what
   * follows from the rows in force.
   */
  clear(): void {
    settleTables(this.#store)
    this.#greatest = undefined
    const set = spareSet(readTableState(this.#tables, this.table))
    this.#inBatches(set, (key) => this.#tables.sqlRow.removeSync(key))
  }

  /** Returns false for an id that is not of the mirrored wiki's pages or revisions here. */
  #merge(id: SqlId, added: readonly string[]): boolean {
    const { sqlRow } = this.#tables
    const key = sqlRowKeyOf(this.#set, this.table, id)
    const isNew = this.#greatest === undefined || compareIds(id, this.#greatest) > 0
    const before = isNew ? undefined : sqlRow.getBinary(key)
    // An id with a row has passed the check, which costs more than the rest.
    if (before === undefined && !isImported(this.#tables, this.table, id)) return false
    if (isNew) this.#greatest = id
    if (before === undefined && isSqlRow(added)) {
      sqlRow.putSync(key, encodeFlatRow(added))
      return true
    }
    const values = new Map(before && decodeSqlRow(before))
    const known = values.size
    for (let n = 0; n < added.length && values.size < MAX_NAMES; n += 2) {
      if (!values.has(added[n]!)) values.set(added[n]!, added[n + 1]!)
    }
    if (values.size > known) sqlRow.putSync(key, encodeSqlRow(values))
    return true
  }

  /** Calls `change` for each key of a set, in several transactions. */
  #inBatches(set: 0 | 1, change: (key: ReturnType<typeof sqlRowKeyOf>) => void): void {
    const range = rangeOf(set, this.table)
    for (let start = range.start; ;) {
      const keys = [...this.#tables.sqlRow.getKeys({ ...range, start, limit: BATCH_ROWS })]
      if (keys.length > 0) this.#store.transactDerived(() => keys.forEach(change))
      if (keys.length < BATCH_ROWS) return
      start = sqlRowKeyOf(set, this.table, after(keys.at(-1)![2]))
    }
  }
}

/** Whether names and values in turn can be stored as they are: few enough, each name once, in their order. */
function isSqlRow(flat: readonly string[]): boolean {
  for (let n = 2; n < flat.length; n += 2) if (!(flat[n - 2]! < flat[n]!)) return false
  return flat.length > 0 && flat.length <= 2 * MAX_NAMES
}

/** The least id after this one. */
const after = (id: SqlId): SqlId => (typeof id === 'number' ? id + 1 : `${id}\0`)

/**
 * Tells whether the store has the page or revision of the mirrored wiki with this id. Those made here may use the ids
 * of others.
 */
function isImported(tables: Tables, table: SqlTable, id: SqlId): boolean {
  switch (subjectOf(table)) {
    case 'page':
      return tables.page.doesExist(Number(id)) && !isPageMadeHere(tables, Number(id))
    case 'revision':
      if (id === UNTIL_ROW) return true
      return tables.rev.doesExist(Number(id)) && !isRevisionMadeHere(tables, Number(id))
    case 'other':
      return true
  }
}
