/**
 * Names in the imported tables of links, files and categories. Newer wikis have numbers there, as names such as
 * `#12`, which no title can be. The table `linktarget` has the names.
 */
import type { Tables } from '../tables/tables.js'
import { decodeSqlRow, type NamedValues, readSqlRow, readTableState } from './sqlTables.js'

/** The name under which a row keeps a number. */
export const numberedName = (targetId: number): string => `#${targetId}`

/**
 * At most `limit` names with their values from a row of links to one namespace, without numbers that `linktarget` does
 * not have there. Undefined if the row has numbers and that table was not imported.
 */
export function namedLinksInRow(
  tables: Tables,
  row: Buffer,
  namespace: number,
  limit = Infinity,
): NamedValues | undefined {
  const links: (readonly [name: string, value: string])[] = []
  for (const [name, value] of decodeSqlRow(row)) {
    if (links.length >= limit) break
    if (!name.startsWith('#')) links.push([name, value])
    else if (readTableState(tables, 'linktarget') === undefined) return undefined
    else
      for (const target of targetsOf(tables, Number(name.slice(1))))
        if ((target.namespace ?? namespace) === namespace) links.push([target.name, value])
  }
  return links
}

export interface NamedTarget {
  /** As `linktarget` states it. Undefined for a name in the row itself. */
  readonly namespace: number | undefined
  readonly name: string
}

/** The names of a row, with the namespaces of those that `linktarget` has. */
export function namedTargetsInRow(tables: Tables, row: Buffer, limit: number): NamedTarget[] | undefined {
  const targets: NamedTarget[] = []
  for (const [name] of decodeSqlRow(row)) {
    if (targets.length >= limit) break
    if (!name.startsWith('#')) targets.push({ namespace: undefined, name })
    else if (readTableState(tables, 'linktarget') === undefined) return undefined
    else for (const target of targetsOf(tables, Number(name.slice(1)))) targets.push(target)
  }
  return targets
}

/** The names alone. */
export const namesInRow = (
  tables: Tables,
  row: Buffer,
  namespace: number,
  limit = Infinity,
): string[] | undefined => namedLinksInRow(tables, row, namespace, limit)?.map(([name]) => name)

function targetsOf(tables: Tables, targetId: number): NamedTarget[] {
  const row = readSqlRow(tables, 'linktarget', targetId)
  if (row === undefined) return []
  return decodeSqlRow(row).map(([name, namespace]) => ({
    namespace: namespace === '' ? undefined : Number(namespace),
    name,
  }))
}
