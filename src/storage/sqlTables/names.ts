/** The SQL tables that the store keeps. */

/** Numbers of the tables in keys. Never give a number to another table. */
const NUMBERS = { langlinks: 1, page_props: 2, imagelinks: 3 } as const

/** A table by its name in MediaWiki. Its rows are keyed by page id. */
export type SqlTable = keyof typeof NUMBERS

export const SQL_TABLES = Object.keys(NUMBERS) as readonly SqlTable[]

/** State of an imported table. */
export interface SqlTableState {
  /** The set in force; the other one is spare. */
  readonly set: 0 | 1
  /** Number of ids with rows. */
  readonly ids: number
}

export const numberOfTable = (table: SqlTable): number => NUMBERS[table]

/** The table with this number in keys; undefined if there is none. */
export const tableOfNumber = (number: number): SqlTable | undefined =>
  SQL_TABLES.find((table) => NUMBERS[table] === number)
