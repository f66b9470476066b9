/** Values of dump elements and attributes that are not plain text. `what` names the element in errors. */
import { parseTimestamp } from '../domain/timestamp.js'
import { DumpError } from './dumpError.js'

/** Ids are stored in 32 bits. */
const MAX_ID = 0xffffffff
const MAX_ID_DIGITS = 10
const SHA1_DIGITS = 31

/** A whole number from 1 to 4294967295. Throws a DumpError for anything else. */
export function parseId(value: string, what: string): number {
  const id = parseIdOrZero(value, what)
  if (id === 0) throw invalid(value, what, 'a number from 1 to 4294967295')
  return id
}

/** As `parseId`, with 0, which dumps write for "none". */
export function parseIdOrZero(value: string, what: string): number {
  const digits = value.trim()
  const id = /^[0-9]+$/.test(digits) && digits.length <= MAX_ID_DIGITS ? Number(digits) : NaN
  if (!(id <= MAX_ID)) throw invalid(value, what, 'a number up to 4294967295')
  return id
}

/** A namespace number, which may be negative. Throws a DumpError for anything else. */
export function parseNamespaceId(value: string, what: string): number {
  if (!/^\s*-?[0-9]{1,9}\s*$/.test(value)) throw invalid(value, what, 'a whole number')
  return Number(value)
}

/** Seconds since 1970. Throws a DumpError for anything but an existing `YYYY-MM-DDThh:mm:ssZ`. */
export function parseTime(value: string, what: string): number {
  const seconds = parseTimestamp(value.trim())
  if (seconds === undefined) throw invalid(value, what, 'a time such as 2024-01-31T12:00:00Z')
  return seconds
}

/** Undefined for a missing, negative or unreadable size. */
export function parseSizeBytes(value: string | undefined): number | undefined {
  return value !== undefined && /^[0-9]{1,15}$/.test(value) ? Number(value) : undefined
}

/** Base 36, 31 digits; undefined when it is missing or empty. */
export function parseSha1(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value.padStart(SHA1_DIGITS, '0')
}

function invalid(value: string, what: string, expected: string): DumpError {
  return new DumpError(`${what} is ${JSON.stringify(value.slice(0, 100))}, expected ${expected}`)
}
