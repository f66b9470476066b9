import type { Namespaces } from '../../domain/namespaces.js'
import type { StatedMarks } from '../sqlTables/statedMarks.js'
import type { Tables } from '../tables/tables.js'

/** State shared by the checks. */
export interface VerifyContext {
  readonly tables: Tables
  readonly namespaces: Namespaces
  /** Names whose edits are a bot's. */
  readonly bots: ReadonlySet<string>
  /** Marks of revisions from imported SQL tables. */
  readonly marks: StatedMarks
  readonly report: (problem: string) => void
}

/** Numbers of rows that belong to pages. Further rows of a table belong to nothing. */
export interface RowTotals {
  title: number
  rev: number
  tag: number
  editor: number
  text: number
}
