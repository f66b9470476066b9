/** Wall-clock dates and times: fields without a zone, and arithmetic on them. */

export const HOUR = 3600
export const DAY = 86_400
const MS = 1000

/** Months and days count from 1; Sunday is 0. */
export interface WallTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly weekday: number
}

/** The wall time of seconds since 1970, already shifted into a zone. */
export function wallTimeOf(seconds: number): WallTime {
  const date = new Date(seconds * MS)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    weekday: date.getUTCDay(),
  }
}

/** Fields beyond their range carry over into the next larger one. NaN beyond 270,000 years. */
export function secondsOf(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, 0)
  return date.getTime() / MS
}

export function daysInMonth(year: number, month: number): number {
  return new Date(secondsOf(year, month + 1, 0, 0, 0, 0) * MS).getUTCDate()
}

export function isLeapYear(year: number): boolean {
  return daysInMonth(year, 2) === 29
}

/** Counted from 0. */
export function dayOfYear({ year, month, day }: WallTime): number {
  return Math.round((secondsOf(year, month, day, 0, 0, 0) - secondsOf(year, 1, 1, 0, 0, 0)) / DAY)
}

/** ISO 8601: weeks begin on Monday, and the first one has the year's first Thursday. */
export function isoWeek(time: WallTime): { readonly year: number; readonly week: number } {
  const thursday = secondsOf(time.year, time.month, time.day + 4 - (time.weekday || 7), 0, 0, 0)
  const { year } = wallTimeOf(thursday)
  return { year, week: 1 + Math.floor((thursday - secondsOf(year, 1, 1, 0, 0, 0)) / (7 * DAY)) }
}
