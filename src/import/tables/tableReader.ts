/** Reads the rows of an SQL file into the spare rows of the store's tables. */
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { DumpError } from '../../dump/dumpError.js'
import type { SqlValue } from '../../dump/sql/rowReader.js'
import type { RowTaker, WantedColumn } from '../../dump/sql/sqlScanner.js'
import type { SqlId } from '../../storage/rows/keys.js'
import { type IncomingRow, SpareTable } from '../../storage/apply/sqlTables/spareTable.js'
import { SQL_TABLES, type SqlTable } from '../../storage/rows/sqlTableNames.js'
import type { Store } from '../../storage/store.js'
import { ImportRefused } from '../importer.js'
import { TagSieve } from './changeTags.js'
import { type RowSieve, UsedFileSieve } from './rowSieve.js'
import { RowSorter } from './rowSorter.js'
import type { TableKind } from './tableKind.js'
import { TABLE_KINDS } from './tableKinds.js'

/** Values in one transaction. */
const BATCH_ROWS = 20_000

/** A table of the file. */
export interface ReadTable {
  readonly spare: SpareTable
  /** Rows in the file. */
  rows: number
  /** Rows of pages or files that are not here, and rows without use. */
  foreign: number
}

export interface TableReaderOptions {
  /** The table to read; all that the store keeps by default, but for those of a shared repository. */
  readonly only?: SqlTable | undefined
  /** Rows to read of each table; all by default. */
  readonly maxRows?: number
  /** Called with each table before any row. May throw a DumpError to refuse the file. */
  readonly onTable?: (table: SqlTable) => void
  /** Called with each row that has bytes which are not UTF-8: its table, and its number from 1. */
  readonly onBadRow?: (table: SqlTable, row: number) => void
}

export class TableReader implements RowTaker {
  /** Names of the tables in the file that the store does not keep. */
  readonly skipped = new Set<string>()
  readonly #store: Store
  readonly #options: TableReaderOptions
  /** By their names in the file. */
  readonly #found = new Map<string, FoundTable>()

  constructor(store: Store, options: TableReaderOptions = {}) {
    this.#store = store
    this.#options = options
  }

  /** The tables of the file that the store keeps. */
  get found(): ReadonlyMap<SqlTable, ReadTable> {
    return new Map([...this.#found.values()].map((table) => [table.table, table]))
  }

  columnsOf(name: string, present: readonly string[]): readonly WantedColumn[] | undefined {
    const table = this.#found.get(name)?.table ?? this.#tableNamed(name) ?? this.#prefixed(name, present)
    if (table === undefined) {
      this.skipped.add(name)
      return undefined
    }
    const { columns } = TABLE_KINDS[table]
    const missing = missingColumn(table, present)
    if (missing !== undefined)
      throw new DumpError(`the table ${name} has no column ${missing}, which the import needs`)
    if (!this.#found.has(name)) {
      const [other] = [...this.#found].find(([, found]) => found.table === table) ?? []
      if (other !== undefined)
        throw new ImportRefused(`the file has ${other} and ${name}: import the tables of one wiki alone`)
      this.#options.onTable?.(table)
      requireNames(this.#store, table, present)
      this.#found.set(name, new FoundTable(this.#store, table, present))
    }
    return columns
  }

  usualColumns(name: string): readonly string[] | undefined {
    const table = this.#tableNamed(name)
    return table && TABLE_KINDS[table].usual
  }

  takeRow(name: string, values: readonly SqlValue[]): void {
    const read = this.#found.get(name)!
    if (read.rows === this.#options.maxRows) return
    read.rows++
    if (values.includes(undefined)) this.#options.onBadRow?.(read.table, read.rows)
    else read.take(values)
  }

  /** Writes the rows taken since the last write. Call it after the last row. */
  flush(): void {
    for (const read of this.#found.values()) read.flush()
  }

  /** Removes everything that was written. */
  drop(): void {
    for (const read of this.#found.values()) read.drop()
  }

  #tableNamed(name: string): SqlTable | undefined {
    return this.#wanted().find((table) => sqlNameOf(table) === name)
  }

  /** A wiki may have a prefix before the names of its tables. Others end in the same words, but have other columns. */
  #prefixed(name: string, present: readonly string[]): SqlTable | undefined {
    return this.#wanted().find(
      (table) => name.endsWith(sqlNameOf(table)) && missingColumn(table, present) === undefined,
    )
  }

  #wanted(): readonly SqlTable[] {
    const { only } = this.#options
    return only === undefined ? SQL_TABLES.filter((table) => sqlNameOf(table) === table) : [only]
  }
}

/** Names of columns that the import needs and the file does not have. */
function missingColumn(table: SqlTable, present: readonly string[]): string | undefined {
  const { columns, needsOneOf } = TABLE_KINDS[table]
  const missing = columns.find(({ name, isOptional }) => !isOptional && !present.includes(name))
  if (missing !== undefined) return missing.name
  return needsOneOf?.some((name) => present.includes(name)) === false ? needsOneOf.join(' or ') : undefined
}

/** Tables that may have names or numbers of their targets: the column of names. */
const NAME_COLUMNS: Partial<Record<SqlTable, string>> = {
  categorylinks: 'cl_to',
  pagelinks: 'pl_title',
  templatelinks: 'tl_title',
}

/** Throws a DumpError if a table has numbers of its targets, and the store has no names for them. */
function requireNames(store: Store, table: SqlTable, present: readonly string[]): void {
  const column = NAME_COLUMNS[table]
  if (column === undefined || present.includes(column)) return
  if (store.imported.has('linktarget')) return
  const targets = table === 'categorylinks' ? 'categories' : 'targets'
  throw new DumpError(`has numbers of ${targets}: import the table linktarget first, which has their names`)
}

const sqlNameOf = (table: SqlTable): string => TABLE_KINDS[table].sqlName ?? table

class FoundTable implements ReadTable {
  readonly table: SqlTable
  readonly spare: SpareTable
  rows = 0
  foreign = 0
  readonly #kind: TableKind
  readonly #sieve: RowSieve | undefined
  readonly #sorter: RowSorter
  #batch = new Map<SqlId, IncomingRow>()
  #batchRows = 0

  constructor(store: Store, table: SqlTable, present: readonly string[]) {
    this.table = table
    this.#kind = TABLE_KINDS[table]
    this.#sieve = sieveFor(store, table, present)
    this.spare = new SpareTable(store, table)
    this.#sorter = new RowSorter(
      () => join(dirname(store.path), `rows-${randomBytes(8).toString('hex')}`),
      ({ id, rows, flat }) => this.#add(id, flat, rows),
    )
  }

  take(values: readonly SqlValue[]): void {
    const meaning = this.#kind.read(values)
    const row = meaning === undefined || this.#sieve === undefined ? meaning : this.#sieve.take(meaning)
    if (row === undefined) this.foreign++
    else if (typeof row.id === 'number') this.#sorter.add(row.id, row.values)
    else this.#add(row.id, row.values.flat(), 1)
  }

  flush(): void {
    this.#sorter.end()
    const last = this.#sieve?.end?.()
    if (last !== undefined) this.#add(last.id, last.values.flat(), 0)
    this.#write()
    this.#sieve?.close()
  }

  drop(): void {
    this.#sorter.close()
    this.spare.clear()
    this.#sieve?.close()
  }

  /** Adds values to the batch. `flat` has names and values in turn. */
  #add(id: SqlId, flat: string[], rows: number): void {
    const row = this.#batch.get(id)
    if (row === undefined) this.#batch.set(id, { rows, flat })
    else {
      row.rows += rows
      for (const text of flat) row.flat.push(text)
    }
    this.#batchRows += flat.length / 2
    if (this.#batchRows >= BATCH_ROWS) this.#write()
  }

  #write(): void {
    if (this.#batchRows === 0) return
    this.foreign += this.spare.add(this.#batch)
    this.#batch = new Map()
    this.#batchRows = 0
  }
}

function sieveFor(store: Store, table: SqlTable, present: readonly string[]): RowSieve | undefined {
  if (table === 'shared_image') return new UsedFileSieve(store)
  return table === 'change_tag' ? new TagSieve(store, present) : undefined
}
