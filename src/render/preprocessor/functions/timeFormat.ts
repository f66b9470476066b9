/** Formats times with the codes of `#time`: PHP's letters, and MediaWiki's own that begin with `x`. */
import type { DateNames } from './dateNames.js'
import {
  DAY,
  dayOfYear,
  daysInMonth,
  HOUR,
  isLeapYear,
  isoWeek,
  type WallTime,
  wallTimeOf,
} from './wallTime.js'
import { MONTHS } from '../../../domain/timestamp.js'

export interface FormattedTime {
  readonly text: string
  /** Seconds until the text changes as time passes. */
  readonly holdsForSeconds: number
}

export interface TimeToFormat {
  /** Seconds since 1970, shifted into the zone. */
  readonly seconds: number
  /** Seconds ahead of UTC. */
  readonly offset: number
  readonly zoneName: string
  readonly language: string
  readonly names: DateNames
}

type Unit = 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year'
type Letter = readonly [unit: Unit, write: (time: WallTime, moment: TimeToFormat) => string]

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

const LETTERS: Readonly<Record<string, Letter>> = {
  d: ['day', ({ day }) => two(day)],
  j: ['day', ({ day }) => String(day)],
  D: ['day', ({ weekday }, { names, language }) => names.weekday(weekday, 'short', language)],
  l: ['day', ({ weekday }, { names, language }) => names.weekday(weekday, 'long', language)],
  N: ['day', ({ weekday }) => String(weekday || 7)],
  w: ['day', ({ weekday }) => String(weekday)],
  z: ['day', (time) => String(dayOfYear(time))],
  W: ['day', (time) => two(isoWeek(time).week)],
  o: ['day', (time) => String(isoWeek(time).year)],
  F: ['month', ({ month }, { names, language }) => names.month(month, 'long', language)],
  M: ['month', ({ month }, { names, language }) => names.month(month, 'short', language)],
  m: ['month', ({ month }) => two(month)],
  n: ['month', ({ month }) => String(month)],
  t: ['month', ({ year, month }) => String(daysInMonth(year, month))],
  xg: ['month', ({ month }, { names, language }) => names.month(month, 'genitive', language)],
  L: ['year', ({ year }) => (isLeapYear(year) ? '1' : '0')],
  Y: ['year', ({ year }) => four(year)],
  y: ['year', ({ year }) => two(year % 100)],
  a: ['hour', ({ hour }) => (hour < 12 ? 'am' : 'pm')],
  A: ['hour', ({ hour }) => (hour < 12 ? 'AM' : 'PM')],
  g: ['hour', ({ hour }) => String(hour % 12 || 12)],
  h: ['hour', ({ hour }) => two(hour % 12 || 12)],
  G: ['hour', ({ hour }) => String(hour)],
  H: ['hour', ({ hour }) => two(hour)],
  i: ['minute', ({ minute }) => two(minute)],
  s: ['second', ({ second }) => two(second)],
  U: ['second', (_time, { seconds, offset }) => String(seconds - offset)],
  c: ['second', (time, { offset }) => `${isoDate(time)}T${clock(time)}${offsetText(offset, ':')}`],
  r: [
    'second',
    (time, { offset }) =>
      `${WEEKDAYS[time.weekday]}, ${two(time.day)} ${MONTHS[time.month - 1]} ${four(time.year)} ${clock(time)} ${offsetText(offset, '')}`,
  ],
  e: ['year', (_time, { zoneName }) => zoneName],
  T: ['year', (_time, { zoneName }) => zoneName],
  Z: ['year', (_time, { offset }) => String(offset)],
  O: ['year', (_time, { offset }) => offsetText(offset, '')],
  P: ['year', (_time, { offset }) => offsetText(offset, ':')],
  I: ['year', () => '0'],
  xkY: ['year', ({ year }) => String(year + 543)],
  xoY: ['year', ({ year }) => String(year - 1911)],
  ...Object.fromEntries(
    [
      'xij',
      'xiF',
      'xin',
      'xiY',
      'xiy',
      'xjj',
      'xjF',
      'xjn',
      'xjx',
      'xjY',
      'xmj',
      'xmF',
      'xmn',
      'xmY',
      'xtY',
    ].map((code): [string, Letter] => [
      code,
      ['day', (time, { names, language }) => names.calendarField(code, time, language)],
    ]),
  ),
}
const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]
const MAX_ROMAN = 10_000
/** A marker of an extension tag, a quoted text, an escaped character, or a code of three, two or one letters. */
const CODE = /\x7f[^\x7f]*\x7f|"([^"]*)"|\\([^])|x[ijmtko][a-zA-Z]|x[a-zA-Z]|[^]/gu

export function formatTime(format: string, moment: TimeToFormat): FormattedTime {
  const time = wallTimeOf(moment.seconds)
  let text = ''
  let holdsForSeconds = Infinity
  let roman = false
  for (const [code, quoted, escaped] of format.matchAll(CODE)) {
    const letter = LETTERS[code]
    if (quoted !== undefined || escaped !== undefined) text += quoted ?? escaped
    else if (code === 'xx') text += 'x'
    else if (code === 'xr') roman = true
    else if (letter) {
      const [unit, write] = letter
      const written = write(time, moment)
      text += roman ? romanNumeral(written) : written
      roman = false
      holdsForSeconds = Math.min(holdsForSeconds, restOf(unit, time))
    } else if (code !== 'xn' && code !== 'xN' && code !== 'xh') text += code
  }
  return { text, holdsForSeconds }
}

/** Seconds until the current unit of a time ends. */
function restOf(unit: Unit, { year, month, day, hour, minute, second }: WallTime): number {
  const restOfMinute = 60 - second
  const restOfHour = restOfMinute + (59 - minute) * 60
  const restOfDay = restOfHour + (23 - hour) * HOUR
  const restOfMonth = restOfDay + (daysInMonth(year, month) - day) * DAY
  const restOfYear = restOfDay + ((isLeapYear(year) ? 365 : 364) - dayOfYear(wallDay(year, month, day))) * DAY
  const rests = {
    second: 1,
    minute: restOfMinute,
    hour: restOfHour,
    day: restOfDay,
    month: restOfMonth,
    year: restOfYear,
  }
  return rests[unit]
}

function wallDay(year: number, month: number, day: number): WallTime {
  return { year, month, day, hour: 0, minute: 0, second: 0, weekday: 0 }
}

/** Numbers above 10,000 and texts that are not numbers stay as they are. */
function romanNumeral(text: string): string {
  const number = Number(text)
  if (!Number.isInteger(number) || number <= 0 || number > MAX_ROMAN) return text
  let rest = number
  let numeral = ''
  for (const [value, letters] of ROMAN) {
    while (rest >= value) {
      numeral += letters
      rest -= value
    }
  }
  return numeral
}

function isoDate({ year, month, day }: WallTime): string {
  return `${four(year)}-${two(month)}-${two(day)}`
}

function clock({ hour, minute, second }: WallTime): string {
  return `${two(hour)}:${two(minute)}:${two(second)}`
}

/** `+02:00` */
function offsetText(offset: number, colon: string): string {
  const minutes = Math.abs(offset) / 60
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${colon}${two(minutes % 60)}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

function four(number: number): string {
  return String(number).padStart(4, '0')
}
