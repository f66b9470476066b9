/** Ranges of bytes that a client asks for (RFC 9110, section 14). */
import { parseHttpDate } from '../../domain/timestamp.js'
import type { Validators } from './conditional.js'

/** Bytes from `start` up to `end`, which is left out. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

const RANGE = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/

/**
 * The one range that a `Range` header asks for of `length` bytes. Undefined: all of them are due, as for headers of
 * another form and several ranges at once. `unsatisfiable`: there are no such bytes.
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
 * Whether an `If-Range` header, which may be absent, lets a part be sent: it names the state that the client has, by
 * its tag or by its very date. A later date is of no state that there was, and whatever cannot be read names none.
 */
export function rangeApplies(ifRange: string, { etag, lastModified }: Validators): boolean {
  if (ifRange === '' || ifRange === etag) return true
  const date = parseHttpDate(ifRange)
  return date !== undefined && date === lastModified
}
