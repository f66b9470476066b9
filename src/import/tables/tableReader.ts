/** Reads the rows of an SQL file into the spare rows of the store's tables. */
import { DumpError } from '../../dump/dumpError.js'
import type { SqlValue } from '../../dump/sql/rowReader.js'
import type { RowTaker, WantedColumn } from '../../dump/sql/sqlScanner.js'
import { type IncomingRow, SpareTable } from '../../storage/sqlTables/spareTable.js'
import { SQL_TABLES, type SqlTable } from '../../storage/sqlTables/names.js'
import type { Store } from '../../storage/store.js'
import { TABLE_KINDS } from './tableKinds.js'

/** SQL rows in one transaction. */
const BATCH_ROWS = 20_000

/** A table of the file. */
export interface ReadTable {
  readonly spare: SpareTable
  /** Rows in the file. */
  rows: number
  /** Rows of pages that are not here, and rows without use. */
  foreign: number
  batch: Map<number, IncomingRow>
  batchRows: number
}

export interface TableReaderOptions {
  /** Tables to read; all that the store keeps by default. */
  readonly only?: SqlTable
  /** Rows to read of each table; all by default. */
  readonly maxRows?: number
  /** Called with each row that has bytes which are not UTF-8: its table, and its number from 1. */
  readonly onBadRow?: (table: SqlTable, row: number) => void
}

export class TableReader implements RowTaker {
  /** The tables of the file that the store keeps. */
  readonly found = new Map<SqlTable, ReadTable>()
  /** Names of the other tables. */
  readonly skipped = new Set<string>()
  readonly #store: Store
  readonly #options: TableReaderOptions

  constructor(store: Store, options: TableReaderOptions = {}) {
    this.#store = store
    this.#options = options
  }

  columnsOf(name: string, present: readonly string[]): readonly WantedColumn[] | undefined {
    const table = SQL_TABLES.find((each) => each === name)
    if (table === undefined || (this.#options.only ?? table) !== table) {
      this.skipped.add(name)
      return undefined
    }
    const { columns } = TABLE_KINDS[table]
    const missing = columns.find((column) => !present.includes(column.name))
    if (missing !== undefined)
      throw new DumpError(`the table ${name} has no column ${missing.name}, which the import needs`)
    if (!this.found.has(table)) {
      const spare = new SpareTable(this.#store, table)
      this.found.set(table, { spare, rows: 0, foreign: 0, batch: new Map(), batchRows: 0 })
    }
    return columns
  }

  usualColumns(name: string): readonly string[] | undefined {
    const table = SQL_TABLES.find((each) => each === name)
    return table && TABLE_KINDS[table].usual
  }

  takeRow(name: string, values: readonly SqlValue[]): void {
    const table = name as SqlTable
    const read = this.found.get(table)!
    if (read.rows === this.#options.maxRows) return
    read.rows++
    if (values.includes(undefined)) return this.#options.onBadRow?.(table, read.rows)
    const meaning = TABLE_KINDS[table].read(values)
    if (meaning === undefined) {
      read.foreign++
      return
    }
    const { id, name: key, value } = meaning
    let row = read.batch.get(id)
    if (row === undefined) read.batch.set(id, (row = { rows: 0, values: new Map() }))
    row.rows++
    if (!row.values.has(key)) row.values.set(key, value)
    if (++read.batchRows >= BATCH_ROWS) flushTable(read)
  }

  /** Writes the rows taken since the last write. */
  flush(): void {
    for (const read of this.found.values()) flushTable(read)
  }
}

function flushTable(read: ReadTable): void {
  if (read.batchRows === 0) return
  read.foreign += read.spare.add(read.batch)
  read.batch = new Map()
  read.batchRows = 0
}
