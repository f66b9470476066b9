/** Checks the rows of imported SQL tables. */
import { isPageMadeHere } from '../pages/history.js'
import { readMeta } from '../tables/meta.js'
import { isSoundImage } from '../sqlTables/imageFacts.js'
import {
  SQL_TABLES,
  type SqlTable,
  subjectOf,
  tableOfNumber,
  USED_FILES_NUMBER,
} from '../rows/sqlTableNames.js'
import { decodeSqlRow, encodeSqlRow } from '../sqlTables/sqlTables.js'
import { soundRows, type VerifyContext } from './context.js'

/**
 * Checks the rows of sets in force: they can be decoded, and encode to the same bytes. Rows of pages need an imported
 * page. The state of each table must have their number. Spare rows may be left from an import that was killed.
 */
export function checkSqlTables(context: VerifyContext): void {
  const { tables, report } = context
  const states = readMeta(tables, 'sqlTables') ?? {}
  const found = new Map(SQL_TABLES.map((table) => [table, 0]))
  for (const { key, value } of soundRows(context, 'sqlRow', tables.sqlRow)) {
    const [set, number, id] = key
    if (number === USED_FILES_NUMBER) continue
    const table = tableOfNumber(number)
    if (table === undefined || set > 1) report(`SQL table ${number}: row ${id} is of no known table`)
    else if (states[table]?.set === set) {
      found.set(table, found.get(table)! + 1)
      if (!isSound(table, value)) report(`SQL table ${table}: row ${id} is damaged`)
      const pageId = subjectOf(table) === 'page' ? Number(id) : undefined
      if (pageId !== undefined && (!tables.page.doesExist(pageId) || isPageMadeHere(tables, pageId)))
        report(`SQL table ${table}: row ${id} is of no imported page`)
    }
  }
  for (const [table, ids] of found) {
    const stated = states[table]?.ids ?? 0
    if (stated !== ids) report(`SQL table ${table}: its state says ${stated} rows, found ${ids}`)
  }
}

function isSound(table: SqlTable, row: Buffer): boolean {
  try {
    const values = decodeSqlRow(row)
    const isImage = table === 'image' || table === 'shared_image'
    return encodeSqlRow(values).equals(row) && (!isImage || isSoundImage(values))
  } catch {
    return false
  }
}
