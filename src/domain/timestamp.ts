/** Times as seconds since 1970 (UTC, no leap seconds), and their spellings in ISO 8601 and HTTP. Reads no clock. */

const SECONDS_PER_DAY = 86_400
const WEEKDAYS = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed']
/** English abbreviations; `January` is the first. */
export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const TWO_DIGITS = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))

const IMF_FIXDATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/
const RFC_850 = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-(\w{3})-(\d\d) (\d\d):(\d\d):(\d\d) GMT$/
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\w{3}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/
/** Two-digit years below this one are of the 21st century. */
const CENTURY_PIVOT = 70

/** Whole seconds of a time in milliseconds, as clocks give it. */
export const toSeconds = (ms: number): number => Math.floor(ms / 1000)

/** Seconds of a time such as `2026-11-20T21:48:07Z`. Undefined for other forms and for dates that do not exist. */
export function parseTimestamp(iso: string): number | undefined {
  if (iso.length !== 20 || !hasIsoPunctuation(iso)) return undefined
  const year = twoDigitsAt(iso, 0) * 100 + twoDigitsAt(iso, 2)
  return secondsOf(
    year,
    twoDigitsAt(iso, 5),
    twoDigitsAt(iso, 8),
    twoDigitsAt(iso, 11),
    twoDigitsAt(iso, 14),
    twoDigitsAt(iso, 17),
  )
}

/** Writes `YYYY-MM-DDThh:mm:ssZ` and drops fractions. Throws a RangeError outside the years 0 to 9999. */
export function formatTimestamp(seconds: number): string {
  const days = Math.floor(seconds / SECONDS_PER_DAY)
  const { year, month, day } = dateOf(days)
  return `${fourDigits(year)}-${twoDigits(month)}-${twoDigits(day)}T${timeOfDay(seconds, days)}Z`
}

/** Writes `YYYYMMDDhhmmss`, the form of MediaWiki's tags. Throws a RangeError outside the years 0 to 9999. */
export function timeDigits(seconds: number): string {
  const days = Math.floor(seconds / SECONDS_PER_DAY)
  const { year, month, day } = dateOf(days)
  return fourDigits(year) + twoDigits(month) + twoDigits(day) + timeOfDay(seconds, days, '')
}

/**
 * Writes an IMF-fixdate such as `Fri, 20 Nov 2026 21:48:07 GMT` and drops fractions. Throws a RangeError outside the
 * years 0 to 9999.
 */
export function httpDate(seconds: number): string {
  const days = Math.floor(seconds / SECONDS_PER_DAY)
  const { year, month, day } = dateOf(days)
  const weekday = WEEKDAYS[((days % 7) + 7) % 7]
  return `${weekday}, ${twoDigits(day)} ${MONTHS[month - 1]} ${fourDigits(year)} ${timeOfDay(seconds, days)} GMT`
}

/**
 * Seconds of a date in one of the three forms of RFC 9110: IMF-fixdate, RFC 850, asctime. Undefined for anything else.
 * The weekday is not checked against the date. Two-digit years always mean 1970 to 2069.
 */
export function parseHttpDate(text: string): number | undefined {
  const imf = IMF_FIXDATE.exec(text)
  if (imf) return secondsOfParts(imf[3], imf[2], imf[1], imf[4], imf[5], imf[6])
  const rfc850 = RFC_850.exec(text)
  if (rfc850) {
    const year = Number(rfc850[3])
    const century = year < CENTURY_PIVOT ? 2000 : 1900
    return secondsOfParts(String(century + year), rfc850[2], rfc850[1], rfc850[4], rfc850[5], rfc850[6])
  }
  const asctime = ASCTIME.exec(text)
  return asctime
    ? secondsOfParts(asctime[6], asctime[1], asctime[2], asctime[3], asctime[4], asctime[5])
    : undefined
}

type Part = string | undefined

function secondsOfParts(
  year: Part,
  month: Part,
  day: Part,
  hour: Part,
  minute: Part,
  second: Part,
): number | undefined {
  const monthNumber = MONTHS.indexOf(month ?? '') + 1
  return secondsOf(Number(year), monthNumber, Number(day), Number(hour), Number(minute), Number(second))
}

/** Undefined when a part is out of range or NaN. Each comparison is written so that NaN fails it. */
function secondsOf(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)))
    return undefined
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined
  return daysSince1970(year, month, day) * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second
}

function daysInMonth(year: number, month: number): number {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return (DAYS_IN_MONTH[month - 1] ?? 0) + (leap ? 1 : 0)
}

/**
 * Days in the proleptic Gregorian calendar. Years begin on 1 March, so the leap day is the last day of a year. Eras of
 * 400 years all have 146,097 days; 1970-01-01 is day 719,468 after 0000-03-01.
 */
function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

interface CalendarDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** The inverse of `daysSince1970`. */
function dateOf(days: number): CalendarDate {
  const sinceMarch = days + 719_468
  const era = Math.floor(sinceMarch / 146_097)
  const dayOfEra = sinceMarch - era * 146_097
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  if (!(year >= 0 && year <= 9999))
    throw new RangeError(`no timestamp for a time outside the years 0 to 9999`)
  return { year, month, day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1 }
}

function timeOfDay(seconds: number, days: number, between = ':'): string {
  const second = Math.floor(seconds) - days * SECONDS_PER_DAY
  const minute = Math.floor(second / 60)
  return (
    twoDigits(Math.floor(minute / 60)) + between + twoDigits(minute % 60) + between + twoDigits(second % 60)
  )
}

function twoDigits(n: number): string {
  return TWO_DIGITS[n] ?? ''
}

function fourDigits(n: number): string {
  return twoDigits(Math.floor(n / 100)) + twoDigits(n % 100)
}

function hasIsoPunctuation(iso: string): boolean {
  return (
    iso[4] === '-' &&
    iso[7] === '-' &&
    iso[10] === 'T' &&
    iso[13] === ':' &&
    iso[16] === ':' &&
    iso[19] === 'Z'
  )
}

/** Value of two ASCII digits, NaN if they are not. */
function twoDigitsAt(text: string, index: number): number {
  const tens = text.charCodeAt(index) - 48
  const ones = text.charCodeAt(index + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN
}
