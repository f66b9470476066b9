/** Reads the protection of titles. */
import {
  PROTECTION_LEVELS,
  type ProtectionLevel,
  type TimedProtection,
  UNPROTECTED,
} from '../../domain/protection.js'
import { readJsonBytes } from '../accounts/accounts.js'
import { MAX_NAMESPACE } from '../../domain/namespaces.js'
import type { TitleKey } from '../rows/keys.js'
import type { Tables } from '../tables/tables.js'
import { walk } from '../tables/walk.js'

export type ProtectionRow = TimedProtection

/** Row of the table `protection`: what operators said, and what a followed wiki states. */
interface StoredProtection extends ProtectionRow {
  readonly upstream?: ProtectionRow
}

const LAST_NAMESPACE = MAX_NAMESPACE + 1
export const NO_PROTECTION: ProtectionRow = { ...UNPROTECTED, expires: null }

/** The stored protection of a title, even if it has expired. */
export function getProtectionRow(tables: Tables, title: TitleKey): StoredProtection | undefined {
  return readJsonBytes<StoredProtection>(tables.protection.getBinaryFast(title))
}

/** The protection in force at a time, in seconds since 1970: the stricter levels of operators and a followed wiki. */
export function getProtection(tables: Tables, title: TitleKey, now: number): ProtectionRow {
  const row = getProtectionRow(tables, title)
  if (row === undefined) return NO_PROTECTION
  const own = inForce(row, now)
  return row.upstream === undefined ? own : stricter(own, inForce(row.upstream, now))
}

/**
 * Titles from one on with a row of protection, in order, or the other way round. It is read as far as the caller
 * iterates; other reads may come between.
 */
export function walkProtections(
  { protection }: Tables,
  from: TitleKey | undefined,
  descending: boolean,
): Generator<TitleKey, void> {
  const [lowest, highest] = [[0, ''] as const, [LAST_NAMESPACE, ''] as const]
  const [first, end] = descending ? [highest, lowest] : [lowest, highest]
  return walk<TitleKey>(protection, { start: from ?? first, end, ascending: !descending })
}

/** What operators said, in force at a time. */
export function getOwnProtection(tables: Tables, title: TitleKey, now: number): ProtectionRow {
  const row = getProtectionRow(tables, title)
  return row === undefined ? NO_PROTECTION : inForce(row, now)
}

/** What a followed wiki states. */
export const getStatedProtection = (tables: Tables, title: TitleKey): ProtectionRow =>
  getProtectionRow(tables, title)?.upstream ?? NO_PROTECTION

/** Replaces a part of a title's protection. Returns whether that changed anything. */
export function writeProtection(
  tables: Tables,
  title: TitleKey,
  change: { readonly own: ProtectionRow } | { readonly upstream: ProtectionRow },
): boolean {
  const before = getProtectionRow(tables, title)
  const { edit, create, expires, move = 'none' } = 'own' in change ? change.own : (before ?? NO_PROTECTION)
  const upstream = 'own' in change ? before?.upstream : plain(change.upstream)
  const row = {
    edit,
    create,
    ...(move !== 'none' && { move }),
    expires,
    ...(upstream && isAny(upstream) && { upstream }),
  }
  if (!isAny(row) && row.upstream === undefined) return tables.protection.removeSync(title)
  if (JSON.stringify(before) === JSON.stringify(row)) return false
  tables.protection.putSync(title, Buffer.from(JSON.stringify(row)))
  return true
}

/** The row in the order of its fields, without others. */
const plain = (row: ProtectionRow): ProtectionRow => {
  const { edit, create, expires, move, moveExpires, cascades } = row
  return {
    edit,
    create,
    expires,
    ...(move !== undefined && { move }),
    ...(moveExpires !== undefined && { moveExpires }),
    ...(cascades !== undefined && { cascades }),
  }
}

const isAny = ({ edit, create, move = 'none' }: Omit<ProtectionRow, 'expires'>): boolean =>
  [edit, create, move].some((level) => level !== 'none')

function inForce(row: ProtectionRow, now: number): ProtectionRow {
  const { edit, create, expires, move, moveExpires = expires, cascades } = row
  const isOver = (end: number | null): boolean => end !== null && end <= now
  const kept = isOver(expires) ? NO_PROTECTION : { edit, create, expires }
  return {
    ...kept,
    ...(move !== undefined && !isOver(moveExpires) && ofMoves(move, moveExpires, kept.expires)),
    ...(cascades !== undefined && kept !== NO_PROTECTION && { cascades }),
  }
}

const ofMoves = (move: ProtectionLevel, moveExpires: number | null, expires: number | null) => ({
  move,
  ...(moveExpires !== expires && { moveExpires }),
})

function stricter(one: ProtectionRow, other: ProtectionRow): ProtectionRow {
  const decides = (action: 'edit' | 'create' | 'move'): ProtectionRow =>
    strictness(other[action]) > strictness(one[action]) ? other : one
  const [ofEdit, ofCreate, mover] = [decides('edit'), decides('create'), decides('move')]
  const { edit, cascades } = ofEdit
  const { expires } = edit === 'none' ? ofCreate : ofEdit
  const { move, moveExpires = mover.expires } = mover
  return {
    edit,
    create: ofCreate.create,
    expires,
    ...(move !== undefined && ofMoves(move, moveExpires, expires)),
    ...(cascades !== undefined && { cascades }),
  }
}

const strictness = (level: ProtectionLevel = 'none'): number => PROTECTION_LEVELS.indexOf(level)
