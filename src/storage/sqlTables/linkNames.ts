/**
 * Names in the imported tables `imagelinks` and `categorylinks`. Newer wikis have numbers there, as names such as
 * `#12`, which no title can be. The table `linktarget` has the names.
 */
import type { Tables } from '../tables/tables.js'
import { decodeSqlRow, type NamedValues, readSqlRow, readTableState } from './sqlTables.js'

/** The name under which a row keeps a number. */
export const numberedName = (targetId: number): string => `#${targetId}`

/**
 * At most `limit` names with their values from a row, without numbers that `linktarget` does not have. Undefined if the
 * row has numbers and that table was not imported.
 */
export function namedLinksInRow(tables: Tables, row: Buffer, limit = Infinity): NamedValues | undefined {
  const links: (readonly [name: string, value: string])[] = []
  for (const [name, value] of decodeSqlRow(row)) {
    if (links.length >= limit) break
    if (!name.startsWith('#')) links.push([name, value])
    else if (readTableState(tables, 'linktarget') === undefined) return undefined
    else for (const target of targetNames(tables, Number(name.slice(1)))) links.push([target, value])
  }
  return links
}

/** The names alone. */
export const namesInRow = (tables: Tables, row: Buffer, limit = Infinity): string[] | undefined =>
  namedLinksInRow(tables, row, limit)?.map(([name]) => name)

function targetNames(tables: Tables, targetId: number): string[] {
  const row = readSqlRow(tables, 'linktarget', targetId)
  return row === undefined ? [] : decodeSqlRow(row).map(([name]) => name)
}
