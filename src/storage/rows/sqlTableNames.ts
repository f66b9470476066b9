/** The SQL tables that the store keeps. */
import type { SqlId } from './keys.js'

/** Numbers of the tables in keys; those from 128 on have names as ids. Never give a number to another table. */
const NUMBERS = {
  langlinks: 1,
  page_props: 2,
  imagelinks: 3,
  linktarget: 4,
  user_groups: 5,
  change_tag: 6,
  change_tag_def: 7,
  redirect: 8,
  page_restrictions: 9,
  categorylinks: 10,
  pagelinks: 11,
  templatelinks: 12,
  externallinks: 13,
  iwlinks: 14,
  image: 128,
  shared_image: 129,
  protected_titles: 130,
  interwiki: 131,
  oldimage: 132,
} as const

/** A table by its name in MediaWiki. `shared_image` is the table `image` of a repository that many wikis share. */
export type SqlTable = keyof typeof NUMBERS

export const SQL_TABLES = Object.keys(NUMBERS) as readonly SqlTable[]

/** Names that a running import of `shared_image` looks up. No import puts them in force. */
export const USED_FILES_NUMBER = 254

/** State of an imported table. */
export interface SqlTableState {
  /** The set in force; the other one is spare. */
  readonly set: 0 | 1
  /** Number of ids with rows. */
  readonly ids: number
  /**
   * The table is settled up to this id, left out (settle.ts). For `user_groups` and `change_tag` a page id. For others
   * an id of the table: from it on the rows of the other set are still in force. Absent: settled.
   */
  readonly unsettledFrom?: SqlId
}

export const numberOfTable = (table: SqlTable): number => NUMBERS[table]

/** The table with this number in keys; undefined if there is none. */
export const tableOfNumber = (number: number): SqlTable | undefined =>
  SQL_TABLES.find((table) => NUMBERS[table] === number)

/** The kind of thing whose ids a table has. */
export const subjectOf = (table: SqlTable): 'page' | 'revision' | 'other' =>
  PAGE_TABLES.has(table) ? 'page' : table === 'change_tag' ? 'revision' : 'other'

const PAGE_TABLES: ReadonlySet<SqlTable> = new Set([
  'langlinks',
  'page_props',
  'imagelinks',
  'redirect',
  'page_restrictions',
  'categorylinks',
  'pagelinks',
  'templatelinks',
  'externallinks',
  'iwlinks',
])
