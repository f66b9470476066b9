/**
 * Parses English dates and times, absolute and relative, as PHP's `strtotime` does: `3 May 2010 +2 days`,
 * `20100503121314`, `last Monday`, `first day of next month`, `@86400`. At each place the pattern reads that fits most
 * of the text. If no pattern fits, the whole text is invalid.
 */
import { leavesToNow, settle, type TimeFields } from './timeFields.js'
import { READERS } from './timeReaders.js'

export interface ParsedTime {
  /** Seconds since 1970 on the clock of `zone`. */
  readonly seconds: number
  /**
   * Offset of the zone in the text, in seconds ahead of UTC. Undefined: the text names none and uses the reader's zone.
   */
  readonly zone: number | undefined
  /** True if the result depends on the present time. */
  readonly dependsOnNow: boolean
}

const MAX_LENGTH = 200
const SEPARATOR = /[\s,.]+/y
const LONE_YEAR = /^\s*(\d{4})\s*$/

/** Undefined when the text is not a time. `now` is the present on the reader's clock. */
export function parseTimeWords(text: string, now: number): ParsedTime | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const fields: TimeFields = { shift: { year: 0, month: 0, day: 0, weekday: 0, second: 0 } }
  let at = 0
  const year = LONE_YEAR.exec(text)?.[1]
  if (year !== undefined) {
    fields.year = Number(year)
    at = text.length
  }
  while (at < text.length) {
    SEPARATOR.lastIndex = at
    if (SEPARATOR.test(text)) at = SEPARATOR.lastIndex
    else {
      const end = readWord(text, at, fields)
      if (end === undefined) return undefined
      at = end
    }
  }
  const seconds = settle(fields, now)
  const zone = fields.zone ?? (fields.absolute === undefined ? undefined : 0)
  return Number.isNaN(seconds) ? undefined : { seconds, zone, dependsOnNow: leavesToNow(fields) }
}

/** The end of the words that the longest match reads. */
function readWord(text: string, at: number, fields: TimeFields): number | undefined {
  let end = at
  let longest: (() => boolean | void) | undefined
  for (const [pattern, read] of READERS) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (!match || pattern.lastIndex <= end) continue
    end = pattern.lastIndex
    const [, ...groups] = match
    longest = () =>
      read(
        fields,
        groups.map((group) => group?.toLowerCase()),
      )
  }
  return longest === undefined || longest() === false ? undefined : end
}
