/** Typed values of dump elements and attributes. `what` names the element in messages. */
import { MAX_NAMESPACE } from '../domain/namespaces.js'
import { formatTimestamp, parseTimestamp } from '../domain/timestamp.js'

/** Ids are stored in 32 bits. Higher ids are reserved for pages, revisions and accounts that are created later. */
export const MAX_ID = 4_000_000_000
/** Times and sizes are stored in 32 bits. The highest number marks the end of a time range, or an unknown size. */
const MAX_TIME = 0xfffffffe
const MAX_SIZE_BYTES = 0xfffffffe
const SHA1_DIGITS = 31

/** A value that is invalid or fits no row. The reader leaves out the part of the dump that contains it. */
export class BadValue extends Error {
  override readonly name = 'BadValue'
}

/** A whole number from 1 to 4000000000. Throws a BadValue for anything else. */
export function parseId(value: string, what: string): number {
  const id = parseIdOrZero(value, what)
  if (id === 0) throw unexpected(value, what, `a number from 1 to ${MAX_ID}`)
  return id
}

/** Like `parseId`, but undefined for an empty element. */
export const parseStatedId = (value: string, what: string): number | undefined =>
  value.trim() === '' ? undefined : parseId(value, what)

/** Like `parseId`, but accepts 0, which dumps write for "none". */
export function parseIdOrZero(value: string, what: string): number {
  const digits = value.trim()
  const id = /^[0-9]+$/.test(digits) ? Number(digits) : NaN
  if (!(id <= MAX_ID)) throw unexpected(value, what, `a number up to ${MAX_ID}`)
  return id
}

/**
 * A namespace number, which may be negative. Throws a BadValue for other texts, and for numbers beyond the store's
 * range.
 */
export function parseNamespaceId(value: string, what: string): number {
  const id = /^\s*-?[0-9]+\s*$/.test(value) ? Number(value) : NaN
  if (Math.abs(id) <= MAX_NAMESPACE) return id
  throw unexpected(value, what, `a number from -${MAX_NAMESPACE} to ${MAX_NAMESPACE}`)
}

/** A time with a blank or `T` in the middle, a fraction or none, and an offset from UTC or none. */
const OTHER_TIME =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,]\d+)?(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?$/
const FOURTEEN_DIGITS = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/

/**
 * Seconds since 1970, from 1970 to February 2106. MediaWiki writes `YYYY-MM-DDThh:mm:ssZ`. Other programs write
 * fractions, which are dropped, offsets, or 14 digits. Without an offset the time is UTC. Throws a BadValue for other
 * values.
 */
export function parseTime(value: string, what: string): number {
  const written = value.trim()
  const seconds = parseTimestamp(written) ?? parseOtherTime(written)
  if (seconds === undefined) throw unexpected(value, what, 'a time such as 2024-01-31T12:00:00Z')
  if (seconds >= 0 && seconds <= MAX_TIME) return seconds
  const range = `a time from ${formatTimestamp(0)} to ${formatTimestamp(MAX_TIME)}`
  throw unexpected(value, what, range)
}

function parseOtherTime(written: string): number | undefined {
  const iso = written.replace(FOURTEEN_DIGITS, '$1-$2-$3T$4:$5:$6Z')
  const [, day, time, sign, hours = '0', minutes = '0'] = OTHER_TIME.exec(iso) ?? []
  const seconds = day === undefined ? undefined : parseTimestamp(`${day}T${time}Z`)
  const offset = 3600 * Number(hours) + 60 * Number(minutes)
  return seconds === undefined ? undefined : sign === '-' ? seconds + offset : seconds - offset
}

/** Undefined for a missing, negative or unreadable size. */
export function parseSizeBytes(value: string | undefined): number | undefined {
  return value !== undefined && /^[0-9]{1,15}$/.test(value) ? Number(value) : undefined
}

/** True if the store can hold a revision of that size. Actual texts are never that large. */
export const isStorableSize = (sizeBytes: number): boolean => sizeBytes <= MAX_SIZE_BYTES

/** Base 36, 31 digits. Undefined when the value is missing or empty. */
export function parseSha1(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value.padStart(SHA1_DIGITS, '0')
}

function unexpected(value: string, what: string, expected: string): BadValue {
  return new BadValue(`${what} is ${JSON.stringify(value.slice(0, 100))}, expected ${expected}`)
}
