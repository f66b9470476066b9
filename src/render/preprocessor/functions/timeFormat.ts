/** Formats times with the codes of `#time`: PHP's letters, and MediaWiki's own that begin with `x`. */
import { languageOf, type Language } from '../../../language/language.js'
import { calendarField } from './calendars.js'
import { localDigits } from '../../../language/numbers.js'
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
  /** Ten digits for numbers, in place of those of the language. */
  readonly digits?: readonly string[]
}

type Unit = 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year'
type Letter = readonly [
  unit: Unit,
  write: (time: WallTime, moment: TimeToFormat, language: Language) => string,
]

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

const LETTERS: Readonly<Record<string, Letter>> = {
  d: ['day', ({ day }) => two(day)],
  j: ['day', ({ day }) => String(day)],
  D: ['day', ({ weekday }, _moment, { weekdays }) => weekdays[weekday]?.short ?? ''],
  l: ['day', ({ weekday }, _moment, { weekdays }) => weekdays[weekday]?.name ?? ''],
  N: ['day', ({ weekday }) => String(weekday || 7)],
  w: ['day', ({ weekday }) => String(weekday)],
  z: ['day', (time) => String(dayOfYear(time))],
  W: ['day', (time) => two(isoWeek(time).week)],
  o: ['day', (time) => String(isoWeek(time).year)],
  F: ['month', ({ month }, _moment, { months }) => months[month - 1]?.name ?? ''],
  M: ['month', ({ month }, _moment, { months }) => months[month - 1]?.short ?? ''],
  m: ['month', ({ month }) => two(month)],
  n: ['month', ({ month }) => String(month)],
  t: ['month', ({ year, month }) => String(daysInMonth(year, month))],
  xg: ['month', ({ month }, _moment, { months }) => months[month - 1]?.genitive ?? ''],
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
      'xit',
      'xiz',
      'xjj',
      'xjF',
      'xjn',
      'xjx',
      'xjt',
      'xjY',
      'xmj',
      'xmF',
      'xmn',
      'xmY',
      'xtY',
    ].map((code): [string, Letter] => [
      code,
      ['day', (time, _moment, language) => calendarField(code, time, language)],
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
/**
 * A marker of an extension tag, a quoted text, an escaped character, or a code of three, two or one letters. An
 * unknown code shows its last letter.
 */
const CODE = /\x7f[^\x7f]*\x7f|"([^"]*)"|\\([^])|x[ijmtko][^\x7f"\\]|x[a-zA-Z]|[^]/gu

/** How numbers are written: in the language's digits, in those of English, as Roman or Hebrew numerals. */
type Numerals = 'local' | 'raw' | 'roman' | 'hebrew'
const NUMERALS: Readonly<Record<string, Numerals>> = { xn: 'raw', xr: 'roman', xh: 'hebrew' }
const NUMBER = /^-?[0-9]+$/
/** Codes for texts in which digits stay as they are. */
const TEXTS: ReadonlySet<string> = new Set(['c', 'r', 'e', 'O', 'P', 'T'])

/** `xn`, `xr` and `xh` hold for the next number, and `xN` switches the language's digits off and on. */
export function formatTime(format: string, moment: TimeToFormat): FormattedTime {
  const time = wallTimeOf(moment.seconds)
  const language = languageOf(moment.language)
  let text = ''
  let holdsForSeconds = Infinity
  let usual: Numerals = 'local'
  let numerals: Numerals = usual
  for (const [code, quoted, escaped] of format.matchAll(CODE)) {
    const letter = LETTERS[code]
    if (quoted !== undefined || escaped !== undefined) text += quoted ?? escaped
    else if (code === 'xx') text += 'x'
    else if (code === 'xN') numerals = usual = usual === 'raw' ? 'local' : 'raw'
    else if (NUMERALS[code] !== undefined) numerals = NUMERALS[code]
    else if (letter) {
      const [unit, write] = letter
      const written = write(time, moment, language)
      holdsForSeconds = Math.min(holdsForSeconds, restOf(unit, time))
      if (TEXTS.has(code) || !NUMBER.test(written)) text += written
      else {
        text += writeNumber(written, numerals, moment.digits ?? language.numbers.digits)
        numerals = usual
      }
    } else text += code.startsWith('x') ? code.slice(-1) : code
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

function writeNumber(number: string, numerals: Numerals, digits: readonly string[]): string {
  if (numerals === 'roman') return romanNumeral(number)
  if (numerals === 'hebrew') return hebrewNumeral(number)
  return numerals === 'raw' ? number : localDigits(number, digits)
}

const HEBREW_UNITS = ['', ...'אבגדהוזחט']
const HEBREW_TENS = ['', ...'יכלמנסעפצ']
/** Of 400 and less; larger ones are written with several letters. */
const HEBREW_HUNDREDS = ['', 'ק', 'ר', 'ש', 'ת', 'תק', 'תר', 'תש', 'תת', 'תתק']
/** Fifteen and sixteen avoid the name of God. */
const HEBREW_TEENS: Readonly<Record<number, string>> = { 15: 'טו', 16: 'טז' }

/** Numbers above 9,999 stay as they are. */
function hebrewNumeral(text: string): string {
  const number = Number(text)
  if (number <= 0 || number >= MAX_ROMAN) return text
  const rest = number % 1000
  const thousands = number < 1000 ? '' : `${HEBREW_UNITS[Math.floor(number / 1000)]}'`
  if (rest === 0) return `${thousands} ${number === 1000 ? 'אלף' : 'אלפים'}`
  const small =
    HEBREW_TEENS[rest % 100] ?? `${HEBREW_TENS[Math.floor((rest % 100) / 10)]}${HEBREW_UNITS[rest % 10]}`
  const letters = `${HEBREW_HUNDREDS[Math.floor(rest / 100)]}${small}`
  return thousands + (letters.length === 1 ? `${letters}'` : `${letters.slice(0, -1)}"${letters.slice(-1)}`)
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
