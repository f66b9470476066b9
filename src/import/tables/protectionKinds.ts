/** The tables of protections: `page_restrictions` of pages, `protected_titles` of titles without one. */
import type { ProtectionLevel } from '../../domain/protection.js'
import type { SqlValue } from '../../dump/sql/rowReader.js'
import { EXPIRES, protectedId } from '../../storage/apply/sqlTables/protectTitles.js'
import type { NamedValues } from '../../storage/sqlTables/sqlTables.js'
import type { TableKind } from './tableKind.js'
import { isId, isNamespace, isShort, MAX_TITLE_BYTES, parseSqlTime } from './values.js'

export const pageRestrictionsKind: TableKind = {
  columns: [
    { name: 'pr_page', kind: 'number' },
    { name: 'pr_type', kind: 'name' },
    { name: 'pr_level', kind: 'name' },
    { name: 'pr_expiry', kind: 'text' },
  ],
  usual: ['pr_id', 'pr_page', 'pr_type', 'pr_level', 'pr_cascade', 'pr_expiry'],
  read: ([id, type, level, expiry]) => {
    const values = type === 'edit' ? valuesOf(type, level, expiry) : undefined
    return isId(id) && values !== undefined ? { id, values } : undefined
  },
}

export const protectedTitlesKind: TableKind = {
  columns: [
    { name: 'pt_namespace', kind: 'number' },
    { name: 'pt_title', kind: 'text' },
    { name: 'pt_create_perm', kind: 'name' },
    { name: 'pt_expiry', kind: 'text' },
  ],
  usual: [
    'pt_namespace',
    'pt_title',
    'pt_user',
    'pt_reason_id',
    'pt_timestamp',
    'pt_expiry',
    'pt_create_perm',
  ],
  read: ([namespace, title, level, expiry]) => {
    const values = valuesOf('create', level, expiry)
    if (!isNamespace(namespace) || !isShort(title, MAX_TITLE_BYTES) || values === undefined) return undefined
    return { id: protectedId(namespace, title.replaceAll(' ', '_')), values }
  },
}

/** Undefined if nothing is protected, or the time of expiry cannot be read. */
function valuesOf(action: string, level: SqlValue, expiry: SqlValue): NamedValues | undefined {
  const known = levelOf(level)
  if (known === undefined) return undefined
  if (expiry === null || expiry === '' || expiry === 'infinity') return [[action, known]]
  const expires = parseSqlTime(expiry)
  return expires === undefined
    ? undefined
    : [
        [action, known],
        [EXPIRES, String(expires)],
      ]
}

/** Levels for accounts of some age become `user`; all stricter ones, and those of single wikis, become `sysop`. */
function levelOf(level: SqlValue): ProtectionLevel | undefined {
  if (typeof level !== 'string' || level === '') return undefined
  return FOR_ACCOUNTS.has(level) ? 'user' : 'sysop'
}

const FOR_ACCOUNTS: ReadonlySet<string> = new Set(['user', 'autoconfirmed', 'editsemiprotected'])
