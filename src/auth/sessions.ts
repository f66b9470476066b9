/**
 * Sessions: the text in the cookie, and the tokens derived from it. Before the login, a session is a random text that
 * the server does not store. The login replaces it, and the store keeps the hash of the new one.
 *
 *     before        43 letters of 256 random bits
 *     after         end in seconds, base 36 . 43 letters
 *
 * CSRF tokens are hashes of that text, so only a client that has the cookie can make them.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AccountReader } from '../storage/accounts/accountReader.js'
import type { SessionChange, User } from '../storage/accounts/accounts.js'

const FORMAT = /^(?:([0-9a-z]{1,7})\.)?([\w-]{43})$/
const SECRET_BYTES = 32
const TOKEN_DIGITS = 40
const STAMP_DIGITS = 16

/** The CSRF token of everyone who is not logged in. */
export const ANONYMOUS_TOKEN = '+\\'

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** The text of a session before the login. */
export const newAnonymousSession = newSecret

/** Whether a cookie's value has the form of a session. The session may be invalid. */
export const isSessionText = (text: string): boolean => FORMAT.test(text)

/** The user whose valid session this is. `now` is in seconds since 1970. */
export function findSessionUser(accounts: AccountReader, text: string, now: number): User | undefined {
  const key = storedKey(text)
  if (key === undefined || key.expires <= now) return undefined
  const row = accounts.getSession(key.expires, key.secretHash)
  const user = row && accounts.getUser(row.userId)
  return user && passwordStamp(user) === row.passwordStamp ? user : undefined
}

/** A new session, and the change that stores it. */
export function openSession(
  user: User,
  now: number,
  expires: number,
): { text: string; change: SessionChange } {
  const text = `${expires.toString(36)}.${newSecret()}`
  const row = { userId: user.id, passwordStamp: passwordStamp(user) }
  return { text, change: { action: 'open', ...storedKey(text)!, row, now } }
}

/** The change that ends a session; undefined when the text cannot be a stored session. */
export function closeSession(text: string): SessionChange | undefined {
  const key = storedKey(text)
  return key && { action: 'close', ...key }
}

/** The token of a session for one purpose, such as `csrf` or `login`: 40 hex digits and `+\`. */
export function sessionToken(text: string, purpose: string): string {
  return hash('sha256', `${purpose} ${text}`).slice(0, TOKEN_DIGITS) + ANONYMOUS_TOKEN
}

/** Compares in constant time, so that timing does not reveal where the texts differ. */
export function isSameToken(given: string, wanted: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'))
}

function storedKey(text: string): { expires: number; secretHash: string } | undefined {
  const [, end, secret] = FORMAT.exec(text) ?? []
  if (end === undefined || secret === undefined) return undefined
  const expires = parseInt(end, 36)
  return expires > 0xffffffff ? undefined : { expires, secretHash: hash('sha256', secret) }
}

const passwordStamp = ({ passwordHash }: User): string =>
  hash('sha256', passwordHash ?? '').slice(0, STAMP_DIGITS)
