/** Ranges of bytes that a client asks for (RFC 9110, section 14). */
import type { Conditions, Validators } from './conditional.js'
import { judgeConditions } from './conditional.js'
import { NO_CONDITIONS } from './conditional.js'

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

/** Whether an `If-Range` header, which may be absent, lets a part be sent: it names the state that the client has. */
export function rangeApplies(ifRange: string, validators: Validators): boolean {
  if (ifRange === '') return true
  const conditions: Conditions = ifRange.includes('"')
    ? { ...NO_CONDITIONS, ifMatch: ifRange }
    : { ...NO_CONDITIONS, ifUnmodifiedSince: ifRange }
  return judgeConditions(conditions, validators) === 'proceed'
}
