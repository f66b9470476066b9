/** What the checks share. */
import type { Namespaces } from '../../domain/namespaces.js'
import type { StatedMarks } from '../sqlTables/statedMarks.js'
import { type Table, type Tables, WHOLE_TABLE } from '../tables/tables.js'
import { DamagedRowError } from '../tables/errors.js'

/** State shared by the checks. */
export interface VerifyContext {
  readonly tables: Tables
  readonly namespaces: Namespaces
  /** Names whose edits are a bot's. */
  readonly bots: ReadonlySet<string>
  /** Marks of revisions from imported SQL tables. */
  readonly marks: StatedMarks
  readonly report: (problem: string) => void
  /** Lists by time and by editor have all revisions. */
  readonly isListed: boolean
}

/** Numbers of rows that belong to pages. Further rows of a table belong to nothing. */
export interface RowTotals {
  title: number
  rev: number
  tag: number
  editor: number
  revisionTime: number
  actorRevision: number
  text: number
}

/** Reports damaged rows, and rows of the table that cannot be found by their keys. */
export function* soundRows<K>(
  { report }: Pick<VerifyContext, 'report'>,
  name: string,
  table: Table<K>,
): Generator<{ key: K; value: Buffer }> {
  for (const key of table.getKeys(WHOLE_TABLE)) {
    const value = unlessDamaged(report, () => table.getBinary(key))
    if (value === undefined) report(`the row ${JSON.stringify(key)} of the table ${name} is not found`)
    else if (value !== DAMAGED) yield { key, value }
  }
}

export const DAMAGED = Symbol('damaged')

/** The result of `read`. If it meets a damaged row, reports the row and returns DAMAGED. */
export function unlessDamaged<Result>(
  report: (problem: string) => void,
  read: () => Result,
): Result | typeof DAMAGED {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof DamagedRowError)) throw error
    report(error.fault)
    return DAMAGED
  }
}
