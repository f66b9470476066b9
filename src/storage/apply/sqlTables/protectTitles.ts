/** Protection of titles from the imported tables `page_restrictions` and `protected_titles`. */
import {
  PROTECTION_LEVELS,
  type StatedLevel,
  type TimedProtection,
  timedProtection,
} from '../../../domain/protection.js'
import type { Title } from '../../../domain/title.js'
import type { WriteContext } from '../writeContext.js'
import type { SqlId } from '../../rows/keys.js'
import { decodePageRow, titleRowPageId } from '../../rows/rows.js'
import type { Tables } from '../../tables/tables.js'
import { mirrorProtections } from '../upstream/mirrorFacts.js'
import type { SqlTable } from '../../rows/sqlTableNames.js'
import { decodeSqlRow, readNewRow } from '../../sqlTables/sqlTables.js'

/** Ends of the protections against edits and creation, in seconds since 1970. */
export const EXPIRES = 'expires'
/** End of the protection against moves. */
export const MOVE_EXPIRES = 'move-expires'
/** The protection against edits cascades. */
export const CASCADES = 'cascades'

/** An id in `protected_titles`. */
export const protectedId = (namespace: number, dbkey: string): string => `${namespace}:${dbkey}`

function titleOf(id: string): Title {
  const colon = id.indexOf(':')
  return { namespace: Number(id.slice(0, colon)), dbkey: id.slice(colon + 1) }
}

export function protectPages(context: WriteContext, pageIds: readonly SqlId[]): void {
  protect(
    context,
    pageIds.flatMap((id) => {
      const row = context.tables.page.getBinary(Number(id))
      if (row === undefined) return []
      const { namespace, dbkey, deleted } = decodePageRow(row)
      return deleted ? [] : [{ namespace, dbkey }]
    }),
  )
}

export function protectTitles(context: WriteContext, ids: readonly SqlId[]): void {
  protect(
    context,
    ids.map((id) => titleOf(String(id))),
  )
}

function protect(context: WriteContext, titles: readonly Title[]): void {
  const stated = titles.map((title) => ({ ...title, ...statedProtection(context.tables, title) }))
  mirrorProtections(context, stated)
}

function statedProtection(tables: Tables, { namespace, dbkey }: Title): TimedProtection {
  const page = tables.title.getBinary([namespace, dbkey])
  const ofPage = page === undefined ? NONE : valuesOf(tables, 'page_restrictions', titleRowPageId(page))
  const ofTitle = valuesOf(tables, 'protected_titles', protectedId(namespace, dbkey))
  const levels = {
    edit: levelIn(ofPage, 'edit', EXPIRES),
    create: levelIn(ofTitle, 'create', EXPIRES),
    move: levelIn(ofPage, 'move', MOVE_EXPIRES),
  }
  return timedProtection(levels, ofPage.has(CASCADES))
}

type RowValues = ReadonlyMap<string, string>

const NONE: RowValues = new Map()

function valuesOf(tables: Tables, table: SqlTable, id: SqlId): RowValues {
  const row = readNewRow(tables, table, id)
  return row === undefined ? NONE : new Map(decodeSqlRow(row))
}

function levelIn(values: RowValues, action: string, end: string): StatedLevel {
  const level = PROTECTION_LEVELS.find((each) => each === values.get(action)) ?? 'none'
  const expires = level === 'none' ? undefined : values.get(end)
  return { level, expires: expires === undefined ? null : Number(expires) }
}
