/** Values of dump elements and attributes that are not plain text. `what` names the element in messages. */
import { MAX_NAMESPACE } from '../domain/namespaces.js'
import { formatTimestamp, parseTimestamp } from '../domain/timestamp.js'

/** Ids are stored in 32 bits. Those above are left to pages, revisions and accounts that are made later. */
const MAX_ID = 4_000_000_000
/** Times and sizes are stored in 32 bits; the highest number ends ranges of times, and stands for an unknown size. */
const MAX_TIME = 0xfffffffe
const MAX_SIZE_BYTES = 0xfffffffe
const SHA1_DIGITS = 31

/** A value that makes no sense, or that no row can hold: the reader leaves out the part of the dump that has it. */
export class BadValue extends Error {
  override readonly name = 'BadValue'
}

/** A whole number from 1 to 4000000000. Throws a BadValue for anything else. */
export function parseId(value: string, what: string): number {
  const id = parseIdOrZero(value, what)
  if (id === 0) throw unexpected(value, what, `a number from 1 to ${MAX_ID}`)
  return id
}

/** As `parseId`, with 0, which dumps write for "none". */
export function parseIdOrZero(value: string, what: string): number {
  const digits = value.trim()
  const id = /^[0-9]+$/.test(digits) ? Number(digits) : NaN
  if (!(id <= MAX_ID)) throw unexpected(value, what, `a number up to ${MAX_ID}`)
  return id
}

/** A namespace number, which may be negative. Throws a BadValue for one beyond those that the store knows, or none. */
export function parseNamespaceId(value: string, what: string): number {
  const id = /^\s*-?[0-9]+\s*$/.test(value) ? Number(value) : NaN
  if (Math.abs(id) <= MAX_NAMESPACE) return id
  throw unexpected(value, what, `a number from -${MAX_NAMESPACE} to ${MAX_NAMESPACE}`)
}

/**
 * Seconds since 1970. Throws a BadValue for anything but an existing `YYYY-MM-DDThh:mm:ssZ` from 1970 to February 2106.
 */
export function parseTime(value: string, what: string): number {
  const seconds = parseTimestamp(value.trim())
  if (seconds === undefined) throw unexpected(value, what, 'a time such as 2024-01-31T12:00:00Z')
  if (seconds >= 0 && seconds <= MAX_TIME) return seconds
  const range = `a time from ${formatTimestamp(0)} to ${formatTimestamp(MAX_TIME)}`
  throw unexpected(value, what, range)
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

function unexpected(value: string, what: string, expected: string): BadValue {
  return new BadValue(`${what} is ${JSON.stringify(value.slice(0, 100))}, expected ${expected}`)
}
