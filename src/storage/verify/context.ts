import type { Namespaces } from '../../domain/namespaces.js'
import type { Tables } from '../tables.js'

/** What the checks of single pages share. */
export interface VerifyContext {
  readonly tables: Tables
  readonly namespaces: Namespaces
  /** Names whose edits are a bot's. */
  readonly bots: ReadonlySet<string>
  readonly report: (problem: string) => void
}

/** Rows that the pages account for: whatever a table holds beyond them belongs to nothing. */
export interface RowTotals {
  title: number
  rev: number
  tag: number
  editor: number
  text: number
}
