/** Conditions of GET and HEAD (If-Match, If-None-Match and their date forms), and byte ranges: RFC 9110, 13 and 14. */
import { parseHttpDate } from '../../domain/timestamp.js'

/** The conditional headers of a request as received; empty when absent. */
export interface Conditions {
  readonly ifMatch: string
  readonly ifUnmodifiedSince: string
  readonly ifNoneMatch: string
  readonly ifModifiedSince: string
}

/** The value for most requests, which have no conditions. */
export const NO_CONDITIONS: Conditions = {
  ifMatch: '',
  ifUnmodifiedSince: '',
  ifNoneMatch: '',
  ifModifiedSince: '',
}

/** Validators: the tag and date of the current state of a resource. */
export interface Validators {
  /** With its quotes; always a strong tag. */
  readonly etag: string | undefined
  /** Seconds since 1970 (UTC). */
  readonly lastModified: number | undefined
  /**
   * Whether the resource may have changed after `lastModified` without a new time, for example when a part was hidden
   * or an import added older revisions. If-Modified-Since then never gives a 304.
   */
  readonly mayBeNewer?: boolean
}

type ConditionOutcome = 'proceed' | 'not-modified' | 'precondition-failed'

/**
 * Evaluates the conditions of a GET or HEAD on an existing resource. A tag wins over a date; an unreadable date counts
 * as absent. As in MediaWiki, `If-None-Match: *` matches nothing.
 *
 *     If-Match            tag in the list, or *        go on, else 412
 *     If-Unmodified-Since not changed since            go on, else 412      (without If-Match)
 *     If-None-Match       tag in the list, weak or not 304, else go on
 *     If-Modified-Since   not changed since            304, else go on      (without If-None-Match)
 */
export function judgeConditions(conditions: Conditions, validators: Validators): ConditionOutcome {
  if (conditions === NO_CONDITIONS) return 'proceed'
  const { ifMatch, ifUnmodifiedSince, ifNoneMatch, ifModifiedSince } = conditions
  const { etag, lastModified, mayBeNewer = false } = validators
  if (ifMatch !== '') {
    if (!matchesStrongly(ifMatch, etag)) return 'precondition-failed'
  } else if (ifUnmodifiedSince !== '' && changedSince(ifUnmodifiedSince, lastModified) === true) {
    return 'precondition-failed'
  }
  if (ifNoneMatch !== '') return matchesWeakly(ifNoneMatch, etag) ? 'not-modified' : 'proceed'
  if (ifModifiedSince === '' || mayBeNewer) return 'proceed'
  return changedSince(ifModifiedSince, lastModified) === false ? 'not-modified' : 'proceed'
}

/** Whether a nonexistent resource answers 412 instead of its own error. */
export function failsOnMissing(conditions: Conditions): boolean {
  return conditions.ifMatch !== ''
}

const ENTITY_TAG = /(W\/)?("[^"]*")/g

const RANGE = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/

function matchesStrongly(header: string, etag: string | undefined): boolean {
  if (header.trim() === '*') return true
  return [...header.matchAll(ENTITY_TAG)].some(([, weak, tag]) => weak === undefined && tag === etag)
}

function matchesWeakly(header: string, etag: string | undefined): boolean {
  return [...header.matchAll(ENTITY_TAG)].some(([, , tag]) => tag === etag)
}

/** Undefined when the date is unreadable or the resource has no time. */
function changedSince(date: string, lastModified: number | undefined): boolean | undefined {
  const since = parseHttpDate(date)
  return since === undefined || lastModified === undefined ? undefined : lastModified > since
}

/** Bytes from `start` to `end`, exclusive. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

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
