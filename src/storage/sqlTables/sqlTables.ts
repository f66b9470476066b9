/**
 * Rows of SQL tables that were imported beside a dump. A table is in the store twice at most: the rows in force, and
 * the spare ones that a running import writes. The entry that ends the import exchanges them, so a reader sees all old
 * rows or all new ones.
 *
 *     sqlRow     set u8 (0 or 1), table u8, id u32 → JSON [name, value, name, value, …], ordered by name
 */
import { readMeta } from '../meta.js'
import { MAX_U32, type SqlRowKey } from '../rows/keys.js'
import { numberOfTable, type SqlTable, type SqlTableState } from './names.js'
import type { RangeQuery, Tables } from '../tables.js'

/**
 * The values of one id by name: in `langlinks` titles by language code, in `page_props` properties, in `imagelinks`
 * dbkeys of files, with empty values.
 */
export type NamedValues = readonly (readonly [name: string, value: string])[]

export const readTableState = (tables: Tables, table: SqlTable): SqlTableState | undefined =>
  readMeta(tables, 'sqlTables')?.[table]

/** The set that an import may fill. */
export const spareSet = (state: SqlTableState | undefined): 0 | 1 => (state?.set === 0 ? 1 : 0)

export const sqlRowKeyOf = (set: 0 | 1, table: SqlTable, id: number): SqlRowKey => [
  set,
  numberOfTable(table),
  id,
]

/** The range of one table in one set. No row has the greatest id. */
export const rangeOf = (set: 0 | 1, table: SqlTable): RangeQuery<SqlRowKey> => ({
  start: [set, numberOfTable(table), 0],
  end: [set, numberOfTable(table), MAX_U32],
})

/** The row in force of an id, undecoded; undefined if the table was not imported or has no such row. */
export function readSqlRow(tables: Tables, table: SqlTable, id: number): Buffer | undefined {
  const state = readTableState(tables, table)
  return state && tables.sqlRow.getBinaryFast(sqlRowKeyOf(state.set, table, id))
}

export function decodeSqlRow(row: Buffer): NamedValues {
  const flat = JSON.parse(row.toString('utf8', 0, row.length)) as string[]
  return Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n]!, flat[2 * n + 1]!])
}

/** The order does not matter. Names differ. */
export function encodeSqlRow(values: Iterable<readonly [name: string, value: string]>): Buffer {
  const sorted = [...values].sort(([one], [other]) => (one < other ? -1 : 1))
  return Buffer.from(JSON.stringify(sorted.flat()))
}
