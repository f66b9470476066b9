/**
 * Password hashing with scrypt on Node's own threads, a few at a time. A hash contains its parameters, so the cost can
 * rise while older hashes stay valid:
 *
 *     scrypt$15$8$1$salt$hash      log2 of N, r, p; salt (16 bytes) and hash (32 bytes) in base64url
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

const LOG2_COST = 15
const BLOCK_SIZE = 8
const PARALLEL = 1
const SALT_BYTES = 16
const HASH_BYTES = 32
/** scrypt needs 128 · N · r bytes, here 32 MiB. Node requires a limit above that. */
const MAX_MEMORY_BYTES = 64 * 2 ** 20
/** NFC takes quadratic time on crafted text, so longer passwords are refused. */
export const MAX_PASSWORD_BYTES = 1024
/** Each hash takes 32 MiB and about 80 ms of a libuv thread, which also serves file reads. */
const MAX_RUNNING = 2
const MAX_WAITING = 30

const FORMAT = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/

/** The queue of passwords to hash is full. */
export class TooManyPasswordsError extends Error {
  override readonly name = 'TooManyPasswordsError'
}

/** The reason to refuse a password; undefined when it is acceptable. The minimum length counts code points. */
export function passwordFault(password: string, minLength: number): string | undefined {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    return `a password has at most ${MAX_PASSWORD_BYTES} bytes`
  }
  return [...password.normalize('NFC')].length < minLength
    ? `a password has at least ${minLength} letters`
    : undefined
}

interface Cost {
  readonly logN: number
  readonly r: number
  readonly p: number
}

const COST: Cost = { logN: LOG2_COST, r: BLOCK_SIZE, p: PARALLEL }

/** Hashes and compares passwords, a bounded number at a time. */
export class Passwords {
  #running = 0
  readonly #waiting: (() => void)[] = []

  /** The hash to store. Throws a TooManyPasswordsError. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const hash = await this.#derive(password, salt, COST)
    const { logN, r, p } = COST
    return `scrypt$${logN}$${r}$${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
  }

  /**
   * Whether a password matches a stored hash. Without a hash it takes as long and returns false, so that timing does
   * not reveal which accounts exist. Throws a TooManyPasswordsError.
   */
  async matches(password: string, stored: string | null | undefined): Promise<boolean> {
    if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return false
    const parsed = parseHash(stored ?? '')
    const { salt, hash, cost } = parsed ?? NOBODY
    const derived = await this.#derive(password, salt, cost)
    return timingSafeEqual(derived, hash) && parsed !== undefined
  }

  async #derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
    if (this.#running >= MAX_RUNNING) {
      if (this.#waiting.length >= MAX_WAITING) throw new TooManyPasswordsError('too many passwords to check')
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#running += 1
    try {
      return await derive(password.normalize('NFC'), salt, cost)
    } finally {
      // The next waiting call takes over this slot.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}

/** Matches no password: scrypt does not return all zeros. */
const NOBODY = { salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES), cost: COST }

function parseHash(stored: string): { salt: Buffer; hash: Buffer; cost: Cost } | undefined {
  const parts = FORMAT.exec(stored)
  if (parts === null) return undefined
  const [, logN, r, p, salt, hash] = parts as unknown as [string, string, string, string, string, string]
  const bytes = Buffer.from(hash, 'base64url')
  if (bytes.length !== HASH_BYTES) return undefined
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) }
  return { salt: Buffer.from(salt, 'base64url'), hash: bytes, cost }
}

function derive(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  const options = { N: 2 ** logN, r, p, maxmem: MAX_MEMORY_BYTES }
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, options, (error, hash) => (error ? reject(error) : resolve(hash)))
  })
}
