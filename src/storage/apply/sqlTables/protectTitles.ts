/** Protection of titles from the imported tables `page_restrictions` and `protected_titles`. */
import { PROTECTION_LEVELS, type ProtectionLevel } from '../../../domain/protection.js'
import type { Title } from '../../../domain/title.js'
import type { WriteContext } from '../writeContext.js'
import type { ProtectionRow } from '../../pages/protections.js'
import type { SqlId } from '../../rows/keys.js'
import { decodePageRow, titleRowPageId } from '../../rows/rows.js'
import type { Tables } from '../../tables/tables.js'
import { mirrorProtections } from '../upstream/mirrorFacts.js'
import type { SqlTable } from '../../rows/sqlTableNames.js'
import { decodeSqlRow, readNewRow } from '../../sqlTables/sqlTables.js'

/** In both tables: seconds since 1970. */
export const EXPIRES = 'expires'

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

/** A title has one time of expiry: that of editing, if that is protected. */
function statedProtection(tables: Tables, { namespace, dbkey }: Title): ProtectionRow {
  const page = tables.title.getBinary([namespace, dbkey])
  const edit = page === undefined ? NONE : levelIn(tables, 'page_restrictions', titleRowPageId(page), 'edit')
  const create = levelIn(tables, 'protected_titles', protectedId(namespace, dbkey), 'create')
  const { expires } = edit.level === 'none' ? create : edit
  return { edit: edit.level, create: create.level, expires }
}

interface Level {
  readonly level: ProtectionLevel
  readonly expires: number | null
}

const NONE: Level = { level: 'none', expires: null }

function levelIn(tables: Tables, table: SqlTable, id: SqlId, action: string): Level {
  const row = readNewRow(tables, table, id)
  const values = new Map(row && decodeSqlRow(row))
  const level = PROTECTION_LEVELS.find((each) => each === values.get(action))
  const expires = values.get(EXPIRES)
  return level === undefined ? NONE : { level, expires: expires === undefined ? null : Number(expires) }
}
