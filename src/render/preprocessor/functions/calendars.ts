/** Fields of dates in other calendars. Their numbers come from the JavaScript engine, their names from the language. */
import type { CalendarNames, Language } from '../../../language/language.js'
import { secondsOf, type WallTime } from './wallTime.js'

const MS = 1000
const DAY_MS = 86_400_000
const SHORTEST_MONTH = 29
const NUMERIC: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'numeric', day: 'numeric' }
const NOON = 12
/** Calendars by the letter after `x` in the codes of `#time`. */
const CALENDARS: Readonly<Record<string, string>> = {
  i: 'persian',
  j: 'hebrew',
  m: 'islamic-civil',
  t: 'japanese',
}
const NAMES: Readonly<Record<string, keyof CalendarNames>> = { i: 'iranian', j: 'hebrew', m: 'islamic' }
const FIELDS: Readonly<Record<string, Intl.DateTimeFormatPartTypes>> = {
  j: 'day',
  n: 'month',
  F: 'month',
  x: 'month',
  Y: 'year',
  y: 'year',
}
/** In the order of their numbers. A year of thirteen months has the last two in place of Adar. */
const HEBREW_MONTHS = [
  ...['Tishri', 'Heshvan', 'Kislev', 'Tevet', 'Shevat', 'Adar'],
  ...['Nisan', 'Iyar', 'Sivan', 'Tamuz', 'Av', 'Elul', 'Adar I', 'Adar II'],
]
/** Formats take up to a millisecond to create, and there are four. */
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * `code` is `x`, the calendar's letter and the field: `j` for the day, `F` and `x` for the month's name and its
 * genitive, `n` for its number, `t` for its length, `Y` for the year, `z` for the days of the year before this one.
 */
export function calendarField(code: string, time: WallTime, { calendars }: Language): string {
  const [, letter = '', field = ''] = code
  const calendar = CALENDARS[letter] ?? 'gregory'
  const date = secondsOf(time.year, time.month, time.day, NOON, 0, 0) * MS
  if (calendar === 'japanese') {
    const parts = partsOf('ja-u-ca-japanese', { era: 'long', year: 'numeric' }, date)
    return parts.map(({ type, value }) => (type === 'era' || type === 'year' ? value : '')).join('')
  }
  const partOf = (type: Intl.DateTimeFormatPartTypes, days: number): string =>
    partsOf(`en-u-ca-${calendar}`, NUMERIC, date + days * DAY_MS).find((part) => part.type === type)?.value ??
    ''
  if (letter === 'i' && (field === 't' || field === 'z')) {
    const month = Number(partOf('month', 0))
    return String(field === 't' ? persianLength(month) : dayOfPersianYear(month, Number(partOf('day', 0))))
  }
  if (field === 't') return lengthOfMonth((days) => partOf('day', days))
  const value = partOf(FIELDS[field] ?? 'day', 0)
  if (FIELDS[field] !== 'month') return field === 'y' ? value.slice(-2) : value
  const month = calendar === 'hebrew' ? HEBREW_MONTHS.indexOf(value) + 1 : Number(value)
  if (field === 'n') return String(month)
  const names = field === 'x' && letter === 'j' ? 'hebrewGenitive' : NAMES[letter]
  return (names && calendars[names][month - 1]) ?? value
}

/** The day before the next first. `dayAfter` is the day of the month after a number of days. */
function lengthOfMonth(dayAfter: (days: number) => string): string {
  const left = SHORTEST_MONTH + 1 - Number(dayAfter(0))
  for (let days = Math.max(1, left); ; days++) if (dayAfter(days) === '1') return dayAfter(days - 1)
}

/** Six months have 31 days. The last one has 29, and in leap years too: so MediaWiki says. */
const persianLength = (month: number): number => (month <= 6 ? 31 : month < 12 ? 30 : 29)
const dayOfPersianYear = (month: number, day: number): number =>
  (month - 1) * 30 + Math.min(month - 1, 6) + day - 1

function partsOf(
  locale: string,
  options: Intl.DateTimeFormatOptions,
  date: number,
): Intl.DateTimeFormatPart[] {
  const format = formats.get(locale) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  formats.set(locale, format)
  return format.formatToParts(date)
}
