/**
 * Names in the imported table `imagelinks`. Newer wikis have numbers there, as names such as `#12`, which no file can
 * have. The table `linktarget` has the names.
 */
import type { Tables } from '../tables.js'
import { decodeSqlRow, readSqlRow, readTableState } from './sqlTables.js'

/** The name under which a row keeps a number. */
export const numberedName = (targetId: number): string => `#${targetId}`

/**
 * At most `limit` names from a row, without numbers that `linktarget` does not have. Undefined if the row has numbers
 * and that table was not imported.
 */
export function namesInRow(tables: Tables, row: Buffer, limit = Infinity): string[] | undefined {
  const names: string[] = []
  for (const [name] of decodeSqlRow(row)) {
    if (names.length >= limit) break
    if (!name.startsWith('#')) names.push(name)
    else if (readTableState(tables, 'linktarget') === undefined) return undefined
    else names.push(...targetNames(tables, Number(name.slice(1))))
  }
  return names
}

function targetNames(tables: Tables, targetId: number): string[] {
  const row = readSqlRow(tables, 'linktarget', targetId)
  return row === undefined ? [] : decodeSqlRow(row).map(([name]) => name)
}
