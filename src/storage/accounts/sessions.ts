/**
 * Sessions of people who logged in: a derived table, outside of the log and the digest. If a session is lost, as after
 * a restore, its owner has to log in again.
 *
 *     key           u32 end, in seconds; 32 bytes SHA-256 of the secret     so that expired ones come first
 */
import type { SessionKey } from '../rows/keys.js'
import { readJsonBytes } from './accounts.js'
import type { Tables } from '../tables/tables.js'

/** Row of the table `session`. */
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
  { readonly action: 'open'; readonly row: SessionRow; readonly now: number } | { readonly action: 'close' }
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
