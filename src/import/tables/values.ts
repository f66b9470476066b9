/** Checks of values in SQL rows. */
import type { SqlValue } from '../../dump/sql/rowReader.js'
import { parseTimestamp } from '../../domain/timestamp.js'

/** Limit of MediaWiki's columns. */
export const MAX_TITLE_BYTES = 255
/** Limit of MediaWiki's columns of languages and prefixes. */
export const MAX_CODE_BYTES = 35
const MAX_ID = 2 ** 32 - 2
const MAX_NAMESPACE = 2 ** 15 - 1

export const isId = (value: SqlValue): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_ID

/** A whole number from 0 on. */
export const isCount = (value: SqlValue, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most

/** UTF-8 takes at most this many bytes for a UTF-16 unit. */
const BYTES_PER_UNIT = 3

/** A text that is not empty and has at most this many bytes. Most texts are so short that nobody has to count. */
export const isShort = (value: SqlValue, most: number): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  (value.length * BYTES_PER_UNIT <= most || (value.length <= most && Buffer.byteLength(value) <= most))

const SQL_TIME = /^(\d{4})-?(\d\d)-?(\d\d) ?(\d\d):?(\d\d):?(\d\d)$/

/** Seconds since 1970 of a time such as 20261122143146 or 2026-11-22 14:31:46. Undefined for other values. */
export function parseSqlTime(value: SqlValue): number | undefined {
  const parts = typeof value === 'string' && SQL_TIME.exec(value)
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second] = parts
  const seconds = parseTimestamp(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return seconds !== undefined && seconds >= 0 && seconds < 2 ** 32 ? seconds : undefined
}

/** The number of a namespace that can have pages. */
export const isNamespace = (value: SqlValue): value is number => isCount(value, MAX_NAMESPACE)
