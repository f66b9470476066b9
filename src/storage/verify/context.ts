import type { Namespaces } from '../../domain/namespaces.js'
import type { Site } from '../../domain/site.js'
import type { Tables } from '../tables.js'

/** What the checks of single pages share. */
export interface VerifyContext {
  readonly tables: Tables
  readonly site: Site
  readonly namespaces: Namespaces
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
