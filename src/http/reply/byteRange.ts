/** Byte ranges (RFC 9110, section 14). */
import { parseHttpDate } from '../../domain/timestamp.js'
import type { Validators } from './conditional.js'

/** Bytes from `start` to `end`, exclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

const RANGE = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/

/**
 * The single range in a `Range` header for a file of `length` bytes. Undefined: send all bytes, also for malformed
 * headers and for several ranges. `unsatisfiable`: the range is outside the file.
 */
export function readRange(header: string, length: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = RANGE.exec(header) ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const wanted = Math.min(Number(last), length)
    return wanted === 0 ? 'unsatisfiable' : { start: length - wanted, end: length }
  }
  const start = Number(first)
  const end = last === '' ? length : Math.min(Number(last) + 1, length)
  if (last !== '' && Number(last) < start) return undefined
  return start >= length ? 'unsatisfiable' : { start, end }
}

/**
 * Whether the `If-Range` header allows a partial answer: it is absent, equals the tag, or equals the exact date. A
 * later date matches no state of the file; an unreadable value never matches.
 */
export function rangeApplies(ifRange: string, { etag, lastModified }: Validators): boolean {
  if (ifRange === '' || ifRange === etag) return true
  const date = parseHttpDate(ifRange)
  return date !== undefined && date === lastModified
}
