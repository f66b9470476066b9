/** Fields of dates in other calendars. Their numbers come from the JavaScript engine, their names from the language. */
import type { CalendarNames, Language } from '../../../language/language.js'
import { secondsOf, type WallTime } from './wallTime.js'

const MS = 1000
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
 * genitive, `n` for its number, `Y` for the year.
 */
export function calendarField(code: string, time: WallTime, { calendars }: Language): string {
  const [, letter = '', field = ''] = code
  const calendar = CALENDARS[letter] ?? 'gregory'
  const date = secondsOf(time.year, time.month, time.day, NOON, 0, 0) * MS
  if (calendar === 'japanese') {
    const parts = partsOf('ja-u-ca-japanese', { era: 'long', year: 'numeric' }, date)
    return parts.map(({ type, value }) => (type === 'era' || type === 'year' ? value : '')).join('')
  }
  const options: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'numeric', day: 'numeric' }
  const parts = partsOf(`en-u-ca-${calendar}`, options, date)
  const value = parts.find(({ type }) => type === (FIELDS[field] ?? 'day'))?.value ?? ''
  if (FIELDS[field] !== 'month') return field === 'y' ? value.slice(-2) : value
  const month = calendar === 'hebrew' ? HEBREW_MONTHS.indexOf(value) + 1 : Number(value)
  if (field === 'n') return String(month)
  const names = field === 'x' && letter === 'j' ? 'hebrewGenitive' : NAMES[letter]
  return (names && calendars[names][month - 1]) ?? value
}

function partsOf(
  locale: string,
  options: Intl.DateTimeFormatOptions,
  date: number,
): Intl.DateTimeFormatPart[] {
  const format = formats.get(locale) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  formats.set(locale, format)
  return format.formatToParts(date)
}
