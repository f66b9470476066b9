/**
 * Reads accounts and tokens, and keeps sessions.
 *
 *     session       u32 end, in seconds, so that expired ones come first; 32 bytes SHA-256 of the secret → JSON
 */
import { decodeNumber } from '../rows/rows.js'
import type { Group, Scope } from '../../domain/account.js'
import { actorKey } from './actors.js'
import { type RangeQuery, type Table, type Tables, WHOLE_TABLE } from '../tables/tables.js'
import type { SessionKey } from '../rows/keys.js'

/** Row of the table `user`. */
export interface UserRow {
  readonly name: string
  /** Made by auth/passwords.ts. Null: the account cannot log in with a password. */
  readonly passwordHash: string | null
  readonly groups: readonly Group[]
  /** Seconds since 1970. */
  readonly registered: number
}

export interface User extends UserRow {
  readonly id: number
}

/** Row of the table `token`. */
export interface TokenRow {
  readonly userId: number
  /** SHA-256 of the secret, in hex. */
  readonly secretHash: string
  readonly scopes: readonly Scope[]
  /** Seconds since 1970; null: the token does not expire. */
  readonly expires: number | null
  readonly name: string
  /** Seconds since 1970. */
  readonly created: number
}

export interface Token extends TokenRow {
  readonly id: number
}

export function getUser(tables: Tables, id: number): User | undefined {
  const row = readJson<UserRow>(tables.user, id)
  return row && { id, ...row }
}

/** Id of the account or imported editor with a name. */
export function findUserId(tables: Tables, name: string): number | undefined {
  const row = tables.userName.getBinaryFast(name)
  return row && decodeNumber(row)
}

/**
 * Tells if an account or an imported editor has or had the name. Includes editors who have no account at the mirrored
 * wiki.
 */
export function isNameKnown(tables: Tables, name: string): boolean {
  return findUserId(tables, name) !== undefined || tables.actor.doesExist(actorKey({ id: null, name }))
}

/** The account with a name, looked up in `userName`; undefined also for imported editors without an account. */
export function getUserByName(tables: Tables, name: string): User | undefined {
  const id = findUserId(tables, name)
  const user = id === undefined ? undefined : getUser(tables, id)
  return user?.name === name ? user : undefined
}

/** All accounts by id, or those of a range. */
export const listUsers = (tables: Tables, range: RangeQuery<number> = WHOLE_TABLE): User[] =>
  listJson<UserRow>(tables.user, range)

export function getToken(tables: Tables, id: number): Token | undefined {
  const row = readJson<TokenRow>(tables.token, id)
  return row && { id, ...row }
}

/** All tokens that are not revoked, by id. */
export const listTokens = (tables: Tables): Token[] => listJson<TokenRow>(tables.token)

export function readJson<Row>(table: Table<number>, id: number): Row | undefined {
  return readJsonBytes<Row>(table.getBinaryFast(id))
}

/** Parses a row. The row may be a view that is valid only until the next read. */
export function readJsonBytes<Row>(bytes: Buffer | undefined): Row | undefined {
  return bytes === undefined ? undefined : (JSON.parse(bytes.toString('utf8', 0, bytes.length)) as Row)
}

function listJson<Row>(
  table: Table<number>,
  range: RangeQuery<number> = WHOLE_TABLE,
): (Row & { readonly id: number })[] {
  return Array.from(table.getRange(range), ({ key, value }) => ({
    id: key,
    ...(JSON.parse(value.toString()) as Row),
  }))
}

/** Ids of the actor without an account that has the name, and of the account that it leads to. */
export function actorsNamed(tables: Tables, name: string): ReadonlySet<number> {
  const found = new Set<number>()
  for (const id of [null, findUserId(tables, name)]) {
    const row = id === undefined ? undefined : tables.actor.getBinaryFast(actorKey({ id, name }))
    if (row !== undefined) found.add(decodeNumber(row))
  }
  return found
}

/**
 * Row of the table `session`, of somebody who logged in: derived, outside of the log and the digest. If it is lost, as
 * after a restore, its owner has to log in again.
 */
export interface SessionRow {
  readonly userId: number
  /** Changes with the password, which ends sessions with another stamp. */
  readonly passwordStamp: string
}

/**
 * A change of sessions for the writer. It is not an entry, since sessions are derived. `expires` and the hash in hex
 * form the key.
 */
export type SessionChange = {
  readonly expires: number
  readonly secretHash: string
} & (
  | { readonly action: 'open'; readonly row: SessionRow; readonly now: number }
  | { readonly action: 'close' }
)

/** Opening a session removes up to this many expired ones. More than one, so that they do not pile up. */
const MAX_SWEPT = 20

export function getSession(tables: Tables, expires: number, secretHash: string): SessionRow | undefined {
  return readJsonBytes<SessionRow>(tables.session.getBinaryFast([expires, secretHash]))
}

export function applySession(tables: Tables, change: SessionChange): void {
  const key: SessionKey = [change.expires, change.secretHash]
  if (change.action === 'close') {
    tables.session.removeSync(key)
    return
  }
  tables.session.putSync(key, Buffer.from(JSON.stringify(change.row)))
  const over = tables.session.getKeys({ start: undefined, end: [change.now, ''], limit: MAX_SWEPT })
  for (const swept of [...over]) tables.session.removeSync(swept)
}
