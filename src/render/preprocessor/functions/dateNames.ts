/** Names of months and days, and fields of other calendars, from the JavaScript engine's Unicode locale data. */
import { supportedLocale } from './localeData.js'
import { secondsOf, type WallTime } from './wallTime.js'

const JANUARY_2024 = Date.UTC(2024, 0, 15)
const MONTH_MS = 30 * 86_400_000
const SUNDAY = Date.UTC(2024, 0, 7)
const DAY_MS = 86_400_000
/** Formats take long to create and much memory. */
const MAX_FORMATS = 50

/** Calendars by the letter after `x` in the codes of `#time`. */
const CALENDARS: Readonly<Record<string, string>> = {
  i: 'persian',
  j: 'hebrew',
  m: 'islamic-civil',
  t: 'japanese',
}
const FIELDS: Readonly<Record<string, Intl.DateTimeFormatPartTypes>> = {
  j: 'day',
  n: 'month',
  Y: 'year',
  y: 'year',
}
/** Month numbers are looked up by name, since a Hebrew year may have thirteen months. */
const HEBREW_MONTHS = [
  ...['Tishri', 'Heshvan', 'Kislev', 'Tevet', 'Shevat', 'Adar'],
  ...['Nisan', 'Iyar', 'Sivan', 'Tamuz', 'Av', 'Elul'],
]

/** Caches the formats of one expansion. */
export class DateNames {
  readonly #formats = new Map<string, Intl.DateTimeFormat>()

  /** Months count from 1. `genitive` is the form next to a day. */
  month(month: number, style: 'long' | 'short' | 'genitive', language: string): string {
    const options: Intl.DateTimeFormatOptions =
      style === 'genitive' ? { day: 'numeric', month: 'long' } : { month: style }
    return this.#part(supportedLocale(language), options, JANUARY_2024 + (month - 1) * MONTH_MS, 'month')
  }

  /** Sunday is 0. */
  weekday(weekday: number, style: 'long' | 'short', language: string): string {
    return this.#part(supportedLocale(language), { weekday: style }, SUNDAY + weekday * DAY_MS, 'weekday')
  }

  /**
   * `code` is `x`, the calendar's letter and the field: `j` for the day, `F` for the month's name, `n` for its number,
   * `Y` for the year.
   */
  calendarField(code: string, time: WallTime, language: string): string {
    const calendar = CALENDARS[code[1] ?? ''] ?? 'gregory'
    const field = code[2] ?? ''
    const date = secondsOf(time.year, time.month, time.day, 12, 0, 0) * 1000
    if (calendar === 'japanese') {
      const parts = this.#parts('ja-u-ca-japanese', { era: 'long', year: 'numeric' }, date)
      return parts.map(({ type, value }) => (type === 'era' || type === 'year' ? value : '')).join('')
    }
    if (field === 'F' || field === 'x') {
      const options: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long' }
      return this.#part(`${supportedLocale(language)}-u-ca-${calendar}`, options, date, 'month')
    }
    const options: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'numeric', day: 'numeric' }
    const value = this.#part(`en-u-ca-${calendar}`, options, date, FIELDS[field] ?? 'day')
    if (field === 'n' && calendar === 'hebrew') return String(HEBREW_MONTHS.indexOf(value) + 1 || value)
    return field === 'y' ? value.slice(-2) : value
  }

  #part(
    locale: string,
    options: Intl.DateTimeFormatOptions,
    date: number,
    wanted: Intl.DateTimeFormatPartTypes,
  ): string {
    return this.#parts(locale, options, date).find(({ type }) => type === wanted)?.value ?? ''
  }

  #parts(locale: string, options: Intl.DateTimeFormatOptions, date: number): Intl.DateTimeFormatPart[] {
    const key = `${locale} ${Object.entries(options).join(' ')}`
    const format = this.#formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    if (this.#formats.size >= MAX_FORMATS) this.#formats.clear()
    this.#formats.set(key, format)
    return format.formatToParts(date)
  }
}
