/** Reads the protection of titles. */
import { type Protection, UNPROTECTED } from '../domain/protection.js'
import { readJsonBytes } from './accounts.js'
import type { TitleKey } from './rows/keys.js'
import type { Tables } from './tables.js'

/** Row of the table `protection`. */
export interface ProtectionRow extends Protection {
  /** Seconds since 1970; null: the protection does not expire. */
  readonly expires: number | null
}

const NONE: ProtectionRow = { ...UNPROTECTED, expires: null }

/** The stored protection of a title, even if it has expired. */
export function getProtectionRow(tables: Tables, title: TitleKey): ProtectionRow | undefined {
  return readJsonBytes<ProtectionRow>(tables.protection.getBinaryFast(title))
}

/** The protection in force at a time, in seconds since 1970. */
export function getProtection(tables: Tables, title: TitleKey, now: number): ProtectionRow {
  const row = getProtectionRow(tables, title)
  return row === undefined || (row.expires !== null && row.expires <= now) ? NONE : row
}
