/** Reads the undamaged rows of a table. The check continues after a damaged one. */
import { DamagedRowError } from '../tables/errors.js'
import { type Table, WHOLE_TABLE } from '../tables/tables.js'
import type { VerifyContext } from './context.js'

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
