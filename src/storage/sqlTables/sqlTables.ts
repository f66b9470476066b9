/**
 * Rows of SQL tables that were imported beside a dump. A table is in the store twice at most: the rows in force, and
 * the spare ones that a running import writes. The entry that ends the import exchanges them, so a reader sees all old
 * rows or all new ones. If other rows of the store follow from the table, settle.ts puts the new rows in force step by
 * step.
 *
 *     sqlRow     set u8 (0 or 1), table u8, id u32 or name → JSON [name, value, name, value, …], ordered by name
 */
import { compareUtf8 } from '../../domain/title.js'
import { readMeta, writeMeta } from '../tables/meta.js'
import { FIRST_NAMED_TABLE, MAX_U32, type SqlId, type SqlRowKey } from '../rows/keys.js'
import {
  subjectOf,
  numberOfTable,
  SQL_TABLES,
  type SqlTable,
  type SqlTableState,
} from '../rows/sqlTableNames.js'
import type { RangeQuery, Tables } from '../tables/tables.js'

/**
 * The values of one id by name: in `langlinks` titles by language code, in `page_props` properties, in `categorylinks`
 * sort keys by category, in `imagelinks` and `linktarget` dbkeys, with empty values, in `image` the facts of a file
 * (imageFacts.ts).
 */
export type NamedValues = readonly (readonly [name: string, value: string])[]

export const readTableState = (tables: Tables, table: SqlTable): SqlTableState | undefined =>
  readMeta(tables, 'sqlTables')?.[table]

export const writeTableState = (tables: Tables, table: SqlTable, state: SqlTableState): void =>
  writeMeta(tables, 'sqlTables', { ...readMeta(tables, 'sqlTables'), [table]: state })

/** The set that an import may fill. */
export const spareSet = (state: SqlTableState | undefined): 0 | 1 => (state?.set === 0 ? 1 : 0)

export const sqlRowKeyOf = (set: 0 | 1, table: SqlTable, id: SqlId): SqlRowKey => [
  set,
  numberOfTable(table),
  id,
]

/** The range of one table in one set, from an id on. No row has the greatest number as its id. */
export const rangeOf = (set: 0 | 1, table: SqlTable, from?: SqlId): RangeQuery<SqlRowKey> =>
  rangeOfNumber(set, numberOfTable(table), from)

export const rangeOfNumber = (set: 0 | 1, number: number, from?: SqlId): RangeQuery<SqlRowKey> =>
  number >= FIRST_NAMED_TABLE
    ? { start: [set, number, from ?? ''], end: [set, number + 1, ''] }
    : { start: [set, number, from ?? 0], end: [set, number, MAX_U32] }

/** The first id of a table in the order of ids. */
export const firstIdOf = (table: SqlTable): SqlId => (numberOfTable(table) >= FIRST_NAMED_TABLE ? '' : 0)

/** The order of ids in a table: numbers by value, names by their UTF-8 bytes. */
export function compareIds(one: SqlId, other: SqlId): number {
  if (one === other) return 0
  if (typeof one === 'number' || typeof other === 'number') return Number(one) - Number(other)
  return compareUtf8(one, other)
}

/** The row in force of an id, undecoded; undefined if the table was not imported or has no such row. */
export function readSqlRow(tables: Tables, table: SqlTable, id: SqlId): Buffer | undefined {
  const state = readTableState(tables, table)
  return state && tables.sqlRow.getBinaryFast(sqlRowKeyOf(setOf(state, id), table, id))
}

/** Like `readSqlRow`, but the new row of an id that is not settled yet. */
export function readNewRow(tables: Tables, table: SqlTable, id: SqlId): Buffer | undefined {
  const state = readTableState(tables, table)
  return state && tables.sqlRow.getBinary(sqlRowKeyOf(state.set, table, id))
}

/** The set that has the row in force of an id. */
function setOf(state: SqlTableState, id: SqlId): 0 | 1 {
  const { set, unsettledFrom } = state
  return unsettledFrom === undefined || compareIds(id, unsettledFrom) < 0 ? set : spareSet(state)
}

interface Row {
  readonly key: SqlRowKey
  readonly value: Buffer
}

interface ComparedId {
  readonly id: SqlId
  /** Both sets have the id, with the same row. */
  readonly isSame: boolean
}

/** Every id that a table has in one of its sets, from an id on, in order. */
export function* compareSets(tables: Tables, table: SqlTable, from?: SqlId): Generator<ComparedId, void> {
  const spare = tables.sqlRow.getRange(rangeOf(1, table, from))[Symbol.iterator]() as Iterator<Row, undefined>
  let step = spare.next()
  for (const { key, value } of tables.sqlRow.getRange(rangeOf(0, table, from))) {
    const id = key[2]
    for (; step.done !== true && compareIds(step.value.key[2], id) < 0; step = spare.next())
      yield { id: step.value.key[2], isSame: false }
    if (step.done !== true && step.value.key[2] === id) {
      yield { id, isSame: step.value.value.equals(value) }
      step = spare.next()
    } else yield { id, isSame: false }
  }
  for (; step.done !== true; step = spare.next()) yield { id: step.value.key[2], isSame: false }
}

/** Tells if an id has other rows in one set than in the other. */
export function differsBetweenSets({ sqlRow }: Tables, table: SqlTable, id: SqlId): boolean {
  const one = sqlRow.getBinary(sqlRowKeyOf(0, table, id))
  const other = sqlRow.getBinary(sqlRowKeyOf(1, table, id))
  return one === undefined || other === undefined ? one !== other : !one.equals(other)
}

/** Removes the rows of a page that goes. */
export function forgetSqlRows(tables: Tables, pageId: number): void {
  for (const table of SQL_TABLES) if (subjectOf(table) === 'page') forgetSqlRow(tables, table, pageId)
}

/** Removes the row of an id, whether it is settled or not. Returns whether there was one. */
export function forgetSqlRow(tables: Tables, table: SqlTable, id: SqlId): boolean {
  const state = readTableState(tables, table)
  if (state === undefined) return false
  const wasOld =
    state.unsettledFrom !== undefined && tables.sqlRow.removeSync(sqlRowKeyOf(spareSet(state), table, id))
  const wasNew = tables.sqlRow.removeSync(sqlRowKeyOf(state.set, table, id))
  if (wasNew) writeTableState(tables, table, { ...state, ids: state.ids - 1 })
  return wasOld || wasNew
}

export function decodeSqlRow(row: Buffer): NamedValues {
  const flat = JSON.parse(row.toString('utf8', 0, row.length)) as string[]
  return Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n]!, flat[2 * n + 1]!])
}

/** The order does not matter. Names differ. */
export function encodeSqlRow(values: Iterable<readonly [name: string, value: string]>): Buffer {
  const sorted = [...values].sort(([one], [other]) => (one < other ? -1 : 1))
  return encodeFlatRow(sorted.flat())
}

/** Names and values in turn, in the order of names. */
export const encodeFlatRow = (flat: readonly string[]): Buffer => Buffer.from(JSON.stringify(flat))
