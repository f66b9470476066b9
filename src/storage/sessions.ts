/**
 * Sessions of people who logged in: a derived table, outside of log and digest. A session that is lost, as after a
 * restore, costs a login.
 *
 *     key           u32 end, in seconds; 32 bytes SHA-256 of the secret     so that those that are over stand first
 */
import type { SessionKey } from './rows/keys.js'
import { readJsonBytes } from './accounts.js'
import type { Tables } from './tables.js'

/** Row of the table `session`. */
export interface SessionRow {
  readonly userId: number
  /** Changes with the password: a session of another one is over. */
  readonly passwordStamp: string
}

/**
 * A change of sessions, for the writer; no entry, since sessions are derived. Keys are made of `expires` and the hash
 * in hex.
 */
export type SessionChange = {
  readonly expires: number
  readonly secretHash: string
} & (
  { readonly action: 'open'; readonly row: SessionRow; readonly now: number } | { readonly action: 'close' }
)

/** Sessions that are over and go when one is opened: more than one, so that they never heap up. */
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
