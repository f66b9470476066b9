/**
 * Bearer tokens that this server issues: `plmp_12_` and 43 letters of 256 random bits. The store keeps the SHA-256 of
 * the secret. A random secret cannot be guessed, so it needs no slow hash.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Scope } from '../domain/account.js'
import type { AccountReader } from '../storage/accounts/accountReader.js'
import type { Token, User } from '../storage/accounts/accounts.js'

const SECRET_BYTES = 32
const FORMAT = /^plmp_([1-9]\d{0,9})_([\w-]{43})$/

export interface NewSecret {
  readonly secret: string
  /** SHA-256 in hex, for the store. */
  readonly secretHash: string
}

export function newSecret(): NewSecret {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  return { secret, secretHash: hash('sha256', secret) }
}

/** The text that the client sends. It is shown only once. */
export const tokenText = (tokenId: number, secret: string): string => `plmp_${tokenId}_${secret}`

/** Whether a text has the form of our tokens. The token may be invalid. */
export const isTokenText = (text: string): boolean => text.startsWith('plmp_')

export interface TokenOwner {
  readonly user: User
  readonly scopes: readonly Scope[]
}

/**
 * The owner of a token at `now`, in seconds since 1970. Undefined when the token is malformed, unknown, revoked or
 * expired.
 */
export function findTokenOwner(accounts: AccountReader, text: string, now: number): TokenOwner | undefined {
  const parts = FORMAT.exec(text)
  const id = Number(parts?.[1] ?? 0)
  const token = isU32(id) ? accounts.getToken(id) : undefined
  if (parts === null || token === undefined || !hasSecret(token, parts[2]!)) return undefined
  if (token.expires !== null && token.expires <= now) return undefined
  const user = accounts.getUser(token.userId)
  return user && { user, scopes: token.scopes }
}

function hasSecret(token: Token, secret: string): boolean {
  return timingSafeEqual(hash('sha256', secret, 'buffer'), Buffer.from(token.secretHash, 'hex'))
}

const isU32 = (id: number): boolean => id >= 1 && id <= 0xffffffff
