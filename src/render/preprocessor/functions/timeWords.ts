/**
 * Parses English dates and times, absolute and relative, as PHP's `strtotime` does: `3 May 2010 +2 days`,
 * `20100503121314`, `last Monday`, `first day of next month`, `@86400`. The first pattern that fits reads the next
 * words. If no pattern fits, the whole text is invalid.
 */
import {
  countOf,
  leavesToNow,
  monthNumber,
  type Part,
  setDate,
  setTime,
  setWeek,
  setWeekday,
  setWeekdayOfMonth,
  settle,
  shift,
  signOf,
  type TimeFields,
} from './timeFields.js'
import { HOUR } from './wallTime.js'

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
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?'
const WEEKDAY =
  '(sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?)\\b\\.?'
const UNIT = '(sec(?:ond)?|min(?:ute)?|hour|day|week|fortnight|month|year)s?\\b'
const ORDINAL =
  '(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|next|last|previous|this)'
const SUFFIX = '(?:st|nd|rd|th)?'
const CLOCK = '(\\d{1,2}):(\\d\\d)(?::(\\d\\d)(?:[.,]\\d+)?)?(?:\\s?([ap])\\.?m\\b\\.?)?'

type Groups = readonly Part[]
/** Returns false when the pattern fits but the values are invalid. */
type Reader = (fields: TimeFields, groups: Groups) => boolean | void

const READERS: readonly (readonly [RegExp, Reader])[] = [
  reader('@(-?\\d{1,12})', (fields, [seconds]) => {
    fields.absolute = Number(seconds)
  }),
  reader(
    '(\\d{4})(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(?!\\d)',
    (fields, [y, m, d, h, i, s]) => setDate(fields, y, m, d) && setTime(fields, h, i, s),
  ),
  reader('([+-]?\\d{4})-(\\d\\d?)-(\\d\\d?)(?=t\\d|[^\\d]|$)t?', (fields, [y, m, d]) =>
    setDate(fields, y, m, d),
  ),
  reader(
    '(\\d{4})(\\d\\d)(\\d\\d)t(\\d\\d):?(\\d\\d):?(\\d\\d)?',
    (fields, [y, m, d, h, i, s]) => setDate(fields, y, m, d) && setTime(fields, h, i, s),
  ),
  reader('(\\d{4})(\\d\\d)(\\d\\d)(?!\\d)', (fields, [y, m, d]) => setDate(fields, y, m, d)),
  reader('(\\d{4})/(\\d\\d?)/(\\d\\d?)(?!\\d)', (fields, [y, m, d]) => setDate(fields, y, m, d)),
  reader('(\\d{4})-?w(\\d\\d)(?:-?([0-7]))?(?!\\d)', (fields, [y, w, d]) => setWeek(fields, y, w, d)),
  reader('(\\d{4})-(\\d\\d)(?![\\d-])', (fields, [y, m]) => setDate(fields, y, m, '1')),
  reader('(\\d\\d?)/(\\d\\d?)/(\\d{4})(?!\\d)', (fields, [m, d, y]) => setDate(fields, y, m, d)),
  reader('(\\d\\d?)[-.](\\d\\d?)[-.](\\d{4})(?!\\d)', (fields, [d, m, y]) => setDate(fields, y, m, d)),
  reader(CLOCK, (fields, [h, i, s, half]) => setTime(fields, h, i, s, half)),
  reader('(\\d\\d?)\\s?([ap])\\.?m\\b\\.?', (fields, [h, half]) => setTime(fields, h, '0', '0', half)),
  reader(`(\\d\\d?)${SUFFIX}[ \\t.-]*${MONTH}[ \\t,.-]*(\\d{3,4})(?![\\d:])`, (fields, [d, m, y]) =>
    setDate(fields, y, monthNumber(m), d),
  ),
  reader(`${MONTH}[ \\t.-]*(\\d\\d?)${SUFFIX}(?:[ \\t,.-]+)(\\d{4})(?![\\d:])`, (fields, [m, d, y]) =>
    setDate(fields, y, monthNumber(m), d),
  ),
  reader(`(\\d{4})[ \\t.-]+${MONTH}[ \\t.-]*(\\d\\d?)(?!\\d)`, (fields, [y, m, d]) =>
    setDate(fields, y, monthNumber(m), d),
  ),
  reader(`(\\d\\d?)${SUFFIX}[ \\t.-]*${MONTH}`, (fields, [d, m]) =>
    setDate(fields, undefined, monthNumber(m), d),
  ),
  reader(`${MONTH}[ \\t,.-]+(\\d{4})(?![\\d:])`, (fields, [m, y]) => setDate(fields, y, monthNumber(m), '1')),
  reader(`${MONTH}[ \\t.-]*(\\d\\d?)${SUFFIX}(?![\\d:])`, (fields, [m, d]) =>
    setDate(fields, undefined, monthNumber(m), d),
  ),
  reader(`(\\d{4})[ \\t.-]+${MONTH}`, (fields, [y, m]) => setDate(fields, y, monthNumber(m), '1')),
  reader(MONTH, (fields, [m]) => {
    fields.month = Number(monthNumber(m))
  }),
  reader('(first|last) day of\\b', (fields, [which]) => {
    fields.monthEnd = which === 'last' ? 'last' : 'first'
  }),
  reader(`([+-]+)?\\s*(\\d{1,9})\\s*${UNIT}(\\s+ago\\b)?`, (fields, [signs, count, unit, ago]) =>
    shift(fields, Number(count) * signOf(signs) * (ago ? -1 : 1), unit),
  ),
  reader('(this|next|last|previous)\\s+week\\b', (fields, [word]) => {
    fields.inWeek = true
    return shift(fields, countOf(word), 'week')
  }),
  reader(`${ORDINAL}\\s+${UNIT}(\\s+ago\\b)?`, (fields, [word, unit, ago]) =>
    shift(fields, countOf(word) * (ago ? -1 : 1), unit),
  ),
  reader(`${ORDINAL}\\s+${WEEKDAY}\\s+of\\b`, (fields, [word, weekday]) =>
    setWeekdayOfMonth(fields, weekday, countOf(word)),
  ),
  reader(`${ORDINAL}\\s+${WEEKDAY}`, (fields, [word, weekday]) => {
    setWeekday(fields, weekday, countOf(word), word === 'this')
  }),
  reader(WEEKDAY, (fields, [weekday]) => {
    setWeekday(fields, weekday, 1, true)
  }),
  reader('now\\b', () => undefined),
  reader('(today|midnight)\\b', (fields) => {
    fields.time ??= [0, 0, 0]
  }),
  reader('noon\\b', (fields) => {
    fields.time = [12, 0, 0]
  }),
  reader('(tomorrow|yesterday)\\b', (fields, [word]) => {
    fields.time ??= [0, 0, 0]
    fields.shift.day += word === 'tomorrow' ? 1 : -1
  }),
  reader('(?:(?:utc|gmt)\\s*)?([+-])(\\d\\d?):?(\\d\\d)?', (fields, [sign, hours, minutes]) => {
    fields.zone = (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes ?? 0) * 60)
  }),
  reader('\\(?(?:utc|gmt|z)\\b\\)?', (fields) => {
    fields.zone = 0
  }),
  reader('(\\d\\d)(\\d\\d)(\\d\\d)(?!\\d)', (fields, [h, i, s]) => setTime(fields, h, i, s)),
  reader('(\\d{4})(?!\\d)', (fields, [year]) => {
    fields.year = Number(year)
  }),
]

const SEPARATOR = /(?:[\s,;]|of\b|at\b|on\b)+/iy

/** Undefined when the text is not a time. `now` is the present on the reader's clock. */
export function parseTimeWords(text: string, now: number): ParsedTime | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const fields: TimeFields = { shift: { year: 0, month: 0, day: 0, second: 0 } }
  let at = 0
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

function readWord(text: string, at: number, fields: TimeFields): number | undefined {
  for (const [pattern, read] of READERS) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (!match) continue
    const [, ...groups] = match
    return read(
      fields,
      groups.map((group) => group?.toLowerCase()),
    ) === false
      ? undefined
      : pattern.lastIndex
  }
  return undefined
}

function reader(source: string, read: Reader): [RegExp, Reader] {
  return [new RegExp(source, 'iy'), read]
}
