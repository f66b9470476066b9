/** Values of dump elements and attributes that are not plain text. `what` names the element in errors. */
import { MAX_NAMESPACE } from '../domain/namespaces.js'
import { formatTimestamp, parseTimestamp } from '../domain/timestamp.js'
import { DumpError } from './dumpError.js'

/** Ids are stored in 32 bits. Those above are left to pages, revisions and accounts that are made later. */
const MAX_ID = 4_000_000_000
/** Times and sizes are stored in 32 bits; the highest number ends ranges of times, and stands for an unknown size. */
const MAX_TIME = 0xfffffffe
const MAX_SIZE_BYTES = 0xfffffffe
const SHA1_DIGITS = 31

/** A value that a sound dump may hold and the store cannot: what it is a part of is to be left out. */
export class UnstorableValue extends Error {
  override readonly name = 'UnstorableValue'
}

/** A whole number from 1 to 4000000000. Throws an UnstorableValue for a higher one, a DumpError for anything else. */
export function parseId(value: string, what: string): number {
  const id = parseIdOrZero(value, what)
  if (id === 0) throw new DumpError(unexpected(value, what, `a number from 1 to ${MAX_ID}`))
  return id
}

/** As `parseId`, with 0, which dumps write for "none". */
export function parseIdOrZero(value: string, what: string): number {
  const digits = value.trim()
  if (!/^[0-9]+$/.test(digits)) throw new DumpError(unexpected(value, what, `a number up to ${MAX_ID}`))
  const id = Number(digits)
  if (id > MAX_ID) throw new UnstorableValue(unexpected(value, what, `a number up to ${MAX_ID}`))
  return id
}

/**
 * A namespace number, which may be negative. Throws an UnstorableValue for one beyond those that the store knows, a
 * DumpError for anything else.
 */
export function parseNamespaceId(value: string, what: string): number {
  if (!/^\s*-?[0-9]+\s*$/.test(value)) throw new DumpError(unexpected(value, what, 'a whole number'))
  const id = Number(value)
  if (Math.abs(id) <= MAX_NAMESPACE) return id
  throw new UnstorableValue(unexpected(value, what, `a number from -${MAX_NAMESPACE} to ${MAX_NAMESPACE}`))
}

/**
 * Seconds since 1970. Throws an UnstorableValue for an earlier time, or one after February 2106; a DumpError for
 * anything but an existing `YYYY-MM-DDThh:mm:ssZ`.
 */
export function parseTime(value: string, what: string): number {
  const seconds = parseTimestamp(value.trim())
  if (seconds === undefined)
    throw new DumpError(unexpected(value, what, 'a time such as 2024-01-31T12:00:00Z'))
  if (seconds >= 0 && seconds <= MAX_TIME) return seconds
  const range = `a time from ${formatTimestamp(0)} to ${formatTimestamp(MAX_TIME)}`
  throw new UnstorableValue(unexpected(value, what, range))
}

/** Undefined for a missing, negative or unreadable size. */
export function parseSizeBytes(value: string | undefined): number | undefined {
  return value !== undefined && /^[0-9]{1,15}$/.test(value) ? Number(value) : undefined
}

/** Whether a revision of that size can be stored; texts themselves are never as large. */
export const isStorableSize = (sizeBytes: number): boolean => sizeBytes <= MAX_SIZE_BYTES

/** Base 36, 31 digits; undefined when it is missing or empty. */
export function parseSha1(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value.padStart(SHA1_DIGITS, '0')
}

function unexpected(value: string, what: string, expected: string): string {
  return `${what} is ${JSON.stringify(value.slice(0, 100))}, expected ${expected}`
}
