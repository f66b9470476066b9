/** Checks the rows of imported SQL tables. */
import { isPageMadeHere } from '../apply/madeHere.js'
import { readMeta } from '../meta.js'
import { SQL_TABLES, tableOfNumber } from '../sqlTables/names.js'
import { decodeSqlRow, encodeSqlRow } from '../sqlTables/sqlTables.js'
import type { VerifyContext } from './context.js'
import { soundRows } from './soundRows.js'

/**
 * Checks that every row in force belongs to an imported page and encodes to the same bytes, and that the state of each
 * table has their number. Spare rows may be left from an import that was killed.
 */
export function checkSqlTables(context: VerifyContext): void {
  const { tables, report } = context
  const states = readMeta(tables, 'sqlTables') ?? {}
  const found = new Map(SQL_TABLES.map((table) => [table, 0]))
  for (const { key, value } of soundRows(context, 'sqlRow', tables.sqlRow)) {
    const [set, number, id] = key
    const table = tableOfNumber(number)
    if (table === undefined || set > 1) report(`SQL table ${number}: row ${id} is of no known table`)
    else if (states[table]?.set === set) {
      found.set(table, found.get(table)! + 1)
      if (!isSound(value)) report(`SQL table ${table}: row ${id} is damaged`)
      if (!tables.page.doesExist(id) || isPageMadeHere(tables, id))
        report(`SQL table ${table}: row ${id} is of no imported page`)
    }
  }
  for (const [table, ids] of found) {
    const stated = states[table]?.ids ?? 0
    if (stated !== ids) report(`SQL table ${table}: its state says ${stated} rows, found ${ids}`)
  }
}

function isSound(row: Buffer): boolean {
  try {
    return encodeSqlRow(decodeSqlRow(row)).equals(row)
  } catch {
    return false
  }
}
