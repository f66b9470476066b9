/**
 * The forms of times that PHP documents (php.net, Supported Date and Time Formats), each with what it sets. At each
 * place the longest match counts, and the first of equally long ones.
 */
import {
  countOf,
  countWeekdays,
  monthNumber,
  type Part,
  setDate,
  setOrdinalDay,
  fullYear,
  setTime,
  setWeek,
  setWeekday,
  setWeekdayOfMonth,
  setZone,
  shift,
  signOf,
  type TimeFields,
} from './timeFields.js'
import { HOUR } from './wallTime.js'

// Zones that `#time` knows by an abbreviation: seconds ahead of UTC, by the name in lower case. A single letter is a
// military zone.

const HOURS_AHEAD: Readonly<Record<string, number>> = {
  utc: 0,
  gmt: 0,
  uct: 0,
  wet: 0,
  west: 1,
  bst: 1,
  cet: 1,
  met: 1,
  wat: 1,
  cest: 2,
  mest: 2,
  cat: 2,
  eet: 2,
  ist: 2,
  sast: 2,
  eest: 3,
  eat: 3,
  msk: 3,
  msd: 4,
  pkt: 5,
  hkt: 8,
  awst: 8,
  jst: 9,
  kst: 8.5,
  acst: 9.5,
  acdt: 10.5,
  aest: 10,
  aedt: 11,
  nzst: 12,
  nzdt: 13,
  nst: -3.5,
  ast: -4,
  adt: -3,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  akst: -9,
  akdt: -8,
  hst: -10,
}
const EAST = 'abcdefghiklm'
const WEST = 'nopqrstuvwxy'

const ZONE_OFFSETS: ReadonlyMap<string, number> = new Map([
  ['z', 0],
  ...Object.entries(HOURS_AHEAD).map(([name, hours]): [string, number] => [name, hours * HOUR]),
  ...[...EAST].map((letter, index): [string, number] => [letter, (index + 1) * HOUR]),
  ...[...WEST].map((letter, index): [string, number] => [letter, -(index + 1) * HOUR]),
])

type Groups = readonly Part[]
/** Returns false when the pattern fits but the values are invalid. */
type Reader = (fields: TimeFields, groups: Groups) => boolean | void

const NAME =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const MONTH = `(${NAME}|i{1,3}|i[vx]|vi{0,3}|xi{0,2})`
const MONTH3 = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)'
const WEEKDAY =
  '(sun(?:day)?|mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?)'
const UNIT = '(sec(?:ond)?|min(?:ute)?|hour|day|week|fortnight|forthnight|month|year)s?'
const ORDINAL =
  '(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|next|last|previous|this)'
const YEAR4 = '(\\d{4})'
const YEAR = '(\\d{1,4})'
const MONTH_DIGITS = '(1[0-2]|0?\\d)'
const MONTH2 = '(0\\d|1[0-2])'
const DAY_DIGITS = '(3[01]|[0-2]?\\d)'
const DAY2 = '([0-2]\\d|3[01])'
const DAY_WORD = `${DAY_DIGITS}(?:st|nd|rd|th)?`
const HOUR24 = '(2[0-4]|[01]?\\d)'
const HOUR2 = '([01]\\d|2[0-4])'
const HOUR12 = '(1[0-2]|0?[1-9])'
const SIXTY = '([0-5]?\\d)'
const SIXTY2 = '([0-5]\\d)'
const SECOND2 = '([0-5]\\d|60)'
const HALF = '[ \\t]?([ap])\\.?m\\b\\.?'
const GAP = '[ \\t.-]*'
const COUNT = '([+-]*)[ \\t]*(\\d{1,9})[ \\t]*'

export const READERS: readonly (readonly [RegExp, Reader])[] = [
  ...timeReaders(),
  ...numericDateReaders(),
  ...namedDateReaders(),
  ...relativeReaders(),
  ...wordReaders(),
  ...zoneReaders(),
]

function timeReaders(): (readonly [RegExp, Reader])[] {
  return [
    reader(`${HOUR12}(?:[:.]${SIXTY})?(?:[:.]${SIXTY})?${HALF}`, (fields, [h, i = '0', s, half]) =>
      setTime(fields, h, i, s, half),
    ),
    reader(`t?${HOUR24}[:.]${SIXTY}(?:[:.](60|[0-5]?\\d)(?:\\.\\d+)?)?`, (fields, [h, i, s]) =>
      setTime(fields, h, i, s),
    ),
    reader(`t${HOUR24}`, (fields, [h]) => setTime(fields, h, '0', '0')),
    // Four digits are a time, or a year once there is a time.
    reader(`t?${HOUR2}${SIXTY2}`, (fields, [h, i]) => {
      if (fields.time === undefined) return setTime(fields, h, i, '0')
      fields.year = Number(`${h}${i}`)
    }),
    reader(`t?${HOUR2}${SIXTY2}${SECOND2}`, (fields, [h, i, s]) => setTime(fields, h, i, s)),
    reader(YEAR4, (fields, [year]) => {
      fields.year = Number(year)
    }),
    reader('(front|back) of (\\d\\d?)(?:[ \\t]?([ap])\\.?m\\b\\.?)?', (fields, [which, h, half]) => {
      if (!setTime(fields, h, '15', '0', half)) return false
      return which === 'back' || shift(fields, -30, 'min')
    }),
    reader('@(-?\\d{1,12})(?:\\.\\d{0,6})?', (fields, [seconds]) => {
      fields.absolute = Number(seconds)
    }),
  ]
}

function numericDateReaders(): (readonly [RegExp, Reader])[] {
  return [
    reader(`${YEAR4}${MONTH2}${DAY2}(?:t?${HOUR2}:?${SIXTY2}:?${SECOND2})?`, (fields, [y, m, d, h, i, s]) => {
      if (!setDate(fields, y, m, d)) return false
      return h === undefined || setTime(fields, h, i, s)
    }),
    reader(`([+-]?\\d{4})-${MONTH2}-${DAY2}`, (fields, [y, m, d]) => setDate(fields, y, m, d)),
    reader(`${YEAR4}/${MONTH_DIGITS}/${DAY_DIGITS}/?`, (fields, [y, m, d]) => setDate(fields, y, m, d)),
    reader(`${YEAR}-${MONTH_DIGITS}-${DAY_DIGITS}`, (fields, [y, m, d]) =>
      setDate(fields, fullYear(y), m, d),
    ),
    reader(`${YEAR4}-${MONTH_DIGITS}`, (fields, [y, m]) => setDate(fields, y, m, '1')),
    reader(`${MONTH_DIGITS}/${DAY_DIGITS}(?:/${YEAR})?`, (fields, [m, d, y]) =>
      setDate(fields, fullYear(y), m, d),
    ),
    reader(`${DAY_DIGITS}[.\\t-]${MONTH_DIGITS}[.-]${YEAR4}`, (fields, [d, m, y]) =>
      setDate(fields, y, m, d),
    ),
    reader(`${DAY_DIGITS}[.\\t]${MONTH_DIGITS}\\.(\\d\\d)`, (fields, [d, m, y]) =>
      setDate(fields, fullYear(y), m, d),
    ),
    reader(`${YEAR4}[.-]?(00[1-9]|0[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6])`, (fields, [y, day]) =>
      setOrdinalDay(fields, y, day),
    ),
    reader(`${YEAR4}-?w([0-4]\\d|5[0-3])(?:-?([0-7]))?`, (fields, [y, w, d]) => setWeek(fields, y, w, d)),
    reader(
      `${YEAR4}:${MONTH2}:${DAY2} ${HOUR2}:${SIXTY2}:${SECOND2}`,
      (fields, [y, m, d, h, i, s]) => setDate(fields, y, m, d) && setTime(fields, h, i, s),
    ),
  ]
}

function namedDateReaders(): (readonly [RegExp, Reader])[] {
  return [
    reader(`${DAY_WORD}${GAP}${MONTH}${GAP}${YEAR}`, (fields, [d, m, y]) =>
      setDate(fields, fullYear(y), monthNumber(m), d),
    ),
    reader(`${MONTH}${GAP}${YEAR4}`, (fields, [m, y]) => setDate(fields, y, monthNumber(m), '1')),
    reader(`${YEAR4}${GAP}${MONTH}`, (fields, [y, m]) => setDate(fields, y, monthNumber(m), '1')),
    reader(`${MONTH}${GAP}${DAY_DIGITS}[,.stndrh\\t ]+${YEAR}`, (fields, [m, d, y]) =>
      setDate(fields, fullYear(y), monthNumber(m), d),
    ),
    reader(`${MONTH}${GAP}${DAY_DIGITS}(?![\\d:])[,.stndrh\\t ]*`, (fields, [m, d]) =>
      setDate(fields, undefined, monthNumber(m), d),
    ),
    reader(
      `${MONTH}${GAP}${DAY_DIGITS}[,.stndrh\\t ]+${HOUR24}[:.]${SIXTY}(?:[:.]${SIXTY})?(?:${HALF})?`,
      (fields, [m, d, h, i, s, half]) =>
        setDate(fields, undefined, monthNumber(m), d) && setTime(fields, h, i, s, half),
    ),
    reader(`${DAY_WORD}${GAP}${MONTH}`, (fields, [d, m]) => setDate(fields, undefined, monthNumber(m), d)),
    reader(`(${NAME})`, (fields, [m]) => {
      fields.month = Number(monthNumber(m))
    }),
    reader(`${MONTH3}-${DAY2}-${YEAR}`, (fields, [m, d, y]) =>
      setDate(fields, fullYear(y), monthNumber(m), d),
    ),
    reader(`${YEAR}-${MONTH3}-${DAY2}`, (fields, [y, m, d]) =>
      setDate(fields, fullYear(y), monthNumber(m), d),
    ),
    reader(
      `${DAY_DIGITS}/${MONTH3}/${YEAR4}:${HOUR2}:${SIXTY2}:${SECOND2}`,
      (fields, [d, m, y, h, i, s]) => setDate(fields, y, monthNumber(m), d) && setTime(fields, h, i, s),
    ),
  ]
}

function relativeReaders(): (readonly [RegExp, Reader])[] {
  return [
    reader('(first|last) day of', (fields, [which]) => {
      fields.monthEnd = which === 'last' ? 'last' : 'first'
    }),
    reader(`${COUNT}${UNIT}([ \\t]*ago)?`, (fields, [signs, count, unit, ago]) =>
      shift(fields, Number(count) * signOf(signs) * (ago ? -1 : 1), unit),
    ),
    reader(`${COUNT}(?:milli|micro|m|u)sec(?:ond)?s?([ \\t]*ago)?`, () => undefined),
    reader(`${COUNT}weekdays?([ \\t]*ago)?`, (fields, [signs, count, ago]) =>
      shift(fields, Number(count) * signOf(signs) * (ago ? -1 : 1), 'weekday'),
    ),
    reader(`${COUNT}${WEEKDAY}s?`, (fields, [signs, count, weekday]) => {
      countWeekdays(fields, weekday, Number(count) * signOf(signs), true)
    }),
    reader('(this|next|last|previous)[ \\t]+week', (fields, [word]) => {
      fields.inWeek = true
      return shift(fields, countOf(word), 'week')
    }),
    reader(`${ORDINAL}[ \\t]+${UNIT}([ \\t]*ago)?`, (fields, [word, unit, ago]) =>
      shift(fields, countOf(word) * (ago ? -1 : 1), unit),
    ),
    reader(`${ORDINAL}[ \\t]+weekdays?`, (fields, [word]) => {
      fields.time = [0, 0, 0]
      return shift(fields, countOf(word), 'weekday')
    }),
    reader(`${ORDINAL}[ \\t]+${WEEKDAY}[ \\t]+of`, (fields, [word, weekday]) =>
      setWeekdayOfMonth(fields, weekday, countOf(word)),
    ),
    reader(`${ORDINAL}[ \\t]+${WEEKDAY}`, (fields, [word, weekday]) => {
      setWeekday(fields, weekday, countOf(word), word === 'this')
    }),
    reader(WEEKDAY, (fields, [weekday]) => {
      setWeekday(fields, weekday, 1, true)
    }),
  ]
}

function wordReaders(): (readonly [RegExp, Reader])[] {
  return [
    reader('now\\b', () => undefined),
    reader('(today|midnight|tomorrow|yesterday)\\b', (fields, [word]) => {
      fields.time = [0, 0, 0]
      if (word === 'tomorrow') fields.shift.day++
      else if (word === 'yesterday') fields.shift.day--
    }),
    reader('noon\\b', (fields) => {
      fields.time = [12, 0, 0]
    }),
  ]
}

function zoneReaders(): (readonly [RegExp, Reader])[] {
  return [
    reader('(?:gmt)?([+-])(\\d\\d?):?([0-5]\\d)?', (fields, [sign, hours, minutes]) =>
      setZone(fields, (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes ?? 0) * 60)),
    ),
    // PHP reads no offset behind UTC.
    reader('utc[ \\t]*[+-]\\d\\d?(?::?[0-5]\\d)?', (fields) => setZone(fields, 0)),
    reader('\\(?([a-z]{1,6})\\)?', (fields, [name]) => setZone(fields, ZONE_OFFSETS.get(name ?? ''))),
  ]
}

function reader(source: string, read: Reader): [RegExp, Reader] {
  return [new RegExp(source, 'iy'), read]
}
