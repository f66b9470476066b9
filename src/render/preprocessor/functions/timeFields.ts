/** Collects the fields of a time from the words of a text, and computes the time. */
import { DAY, daysInMonth, HOUR, secondsOf, wallTimeOf } from './wallTime.js'

/** Fields read so far. Undefined fields come from the present time. */
export interface TimeFields {
  year?: number
  month?: number
  day?: number
  time?: readonly [hour: number, minute: number, second: number]
  /** Seconds since 1970, for `@`. */
  absolute?: number
  /** Offset of the text's zone, in seconds ahead of UTC. */
  zone?: number
  /** Relative amounts, applied in this order. Month and day come last, since their lengths differ. */
  readonly shift: { year: number; month: number; day: number; weekday: number; second: number }
  weekday?: { readonly number: number; readonly count: number; readonly alsoToday: boolean }
  /** True after words such as `next week`; a weekday is then one of that week. */
  inWeek?: boolean
  monthEnd?: 'first' | 'last'
  /** The first Monday of a month is 1, the last one -1. */
  weekdayOfMonth?: { readonly number: number; readonly count: number }
}

const MAX_SHIFT = 1_000_000_000
const MONTH_NAMES = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const ROMAN_MONTHS = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii']
const WEEKDAY_NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
/** Ordinals from 0 on. */
const ORDINALS = [
  ...['this', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth'],
  ...['seventh', 'eighth', 'ninth', 'tenth', 'eleventh', 'twelfth'],
]

/** A capture group of a pattern. */
export type Part = string | undefined

export function setDate(fields: TimeFields, year: Part, month: Part, day: Part): boolean {
  const [monthValue, dayValue] = [Number(month), Number(day)]
  if (monthValue > 12 || dayValue > 31) return false
  if (year !== undefined) fields.year = Number(year)
  fields.month = monthValue
  fields.day = dayValue
  return true
}

/** Years below 70 are of this century, those below 100 of the last one. Four digits are a year as it is. */
export function fullYear(year: Part): Part {
  if (year === undefined || year.length > 3) return year
  const number = Number(year)
  return String(number < 70 ? number + 2000 : number < 100 ? number + 1900 : number)
}

/** The day of a year, counted from 1. */
export function setOrdinalDay(fields: TimeFields, year: Part, day: Part): void {
  fields.year = Number(year)
  fields.month = 1
  fields.day = Number(day)
}

/** The first zone of a text counts. */
export function setZone(fields: TimeFields, offset: number | undefined): boolean {
  if (offset === undefined) return false
  fields.zone ??= offset
  return true
}

export function setWeek(fields: TimeFields, year: Part, week: Part, day: Part): boolean {
  const january4 = secondsOf(Number(year), 1, 4, 0, 0, 0)
  const monday = 4 - (wallTimeOf(january4).weekday || 7) + 1
  const date = secondsOf(Number(year), 1, monday + (Number(week) - 1) * 7 + Number(day ?? 1) - 1, 0, 0, 0)
  const found = wallTimeOf(date)
  fields.time ??= [0, 0, 0]
  return setDate(fields, String(found.year), String(found.month), String(found.day))
}

export function setTime(fields: TimeFields, hour: Part, minute: Part, second: Part, half?: Part): boolean {
  const hours = Number(hour)
  if (half !== undefined && (hours < 1 || hours > 12)) return false
  const fullHours = half === undefined ? hours : (hours % 12) + (half === 'p' ? 12 : 0)
  const [minutes, seconds] = [Number(minute), Number(second ?? 0)]
  if (fullHours > 24 || minutes > 59 || seconds > 60) return false
  fields.time = [fullHours, minutes, seconds]
  return true
}

/** A weekday ends the time that words before it have set; a counted one does not. */
export function setWeekday(fields: TimeFields, name: Part, count: number, alsoToday: boolean): void {
  fields.time = [0, 0, 0]
  countWeekdays(fields, name, count, alsoToday)
}

export function countWeekdays(fields: TimeFields, name: Part, count: number, alsoToday: boolean): void {
  fields.weekday = { number: WEEKDAY_NAMES.indexOf((name ?? '').slice(0, 3)), count, alsoToday }
}

export function setWeekdayOfMonth(fields: TimeFields, name: Part, count: number): boolean {
  fields.time ??= [0, 0, 0]
  fields.weekdayOfMonth = { number: WEEKDAY_NAMES.indexOf((name ?? '').slice(0, 3)), count }
  return count !== 0
}

export function monthNumber(name: Part): string {
  const roman = ROMAN_MONTHS.indexOf(name ?? '')
  return String((roman < 0 ? MONTH_NAMES.indexOf((name ?? '').slice(0, 3)) : roman) + 1)
}

export function signOf(signs: Part): number {
  return (signs?.match(/-/g)?.length ?? 0) % 2 === 1 ? -1 : 1
}

export function countOf(word: Part): number {
  if (word === 'next') return 1
  if (word === 'last' || word === 'previous') return -1
  return ORDINALS.indexOf(word ?? '')
}

export function shift({ shift: sum }: TimeFields, count: number, unit: Part): boolean {
  if (unit === 'year') sum.year += count
  else if (unit === 'month') sum.month += count
  else if (unit === 'weekday') sum.weekday += count
  else if (unit === 'fortnight' || unit === 'forthnight') sum.day += 14 * count
  else if (unit === 'week') sum.day += 7 * count
  else if (unit === 'day') sum.day += count
  else if (unit === 'hour') sum.second += HOUR * count
  else if (unit?.startsWith('min')) sum.second += 60 * count
  else sum.second += count
  return Object.values(sum).every((value) => Math.abs(value) < MAX_SHIFT)
}

/** Computes the time from the fields, the present and the relative amounts. */
export function settle(fields: TimeFields, now: number): number {
  const base = wallTimeOf(fields.absolute ?? now)
  const hasDate = fields.day !== undefined || fields.month !== undefined || fields.year !== undefined
  const preset: TimeFields['time'] = hasDate ? [0, 0, 0] : [base.hour, base.minute, base.second]
  const [hour, minute, second] = fields.time ?? preset
  const year = (fields.year ?? base.year) + fields.shift.year
  const month = (fields.month ?? base.month) + fields.shift.month
  const day = dayIn(fields, year, month, fields.day ?? base.day) + fields.shift.day
  const seconds = secondsOf(year, month, day, hour, minute, second) + fields.shift.second
  return toWeekday(pastWeekends(seconds, fields.shift.weekday), fields)
}

/** Counts days from Monday to Friday. */
function pastWeekends(seconds: number, count: number): number {
  if (count === 0 || Number.isNaN(seconds)) return seconds
  const step = count < 0 ? -1 : 1
  let moved = seconds + Math.trunc(count / 5) * 7 * DAY
  // From a weekend, whole weeks end on the last workday before.
  let rest = Math.abs(count % 5)
  if (rest === 0 && isWeekend(moved)) {
    moved -= step * 7 * DAY
    rest = 5
  }
  while (rest > 0) {
    moved += step * DAY
    if (!isWeekend(moved)) rest--
  }
  return moved
}

function isWeekend(seconds: number): boolean {
  return wallTimeOf(seconds).weekday % 6 === 0
}

function dayIn({ monthEnd, weekdayOfMonth }: TimeFields, year: number, month: number, day: number): number {
  if (weekdayOfMonth) {
    const { number, count } = weekdayOfMonth
    if (count < 0)
      return daysInMonth(year, month) - ((weekdayOf(year, month, daysInMonth(year, month)) - number + 7) % 7)
    return 1 + ((number - weekdayOf(year, month, 1) + 7) % 7) + 7 * (count - 1)
  }
  if (monthEnd === undefined) return day
  return monthEnd === 'first' ? 1 : daysInMonth(year, month)
}

function weekdayOf(year: number, month: number, day: number): number {
  return wallTimeOf(secondsOf(year, month, day, 0, 0, 0)).weekday
}

function toWeekday(seconds: number, { weekday, inWeek }: TimeFields): number {
  if (Number.isNaN(seconds)) return seconds
  const time = wallTimeOf(seconds)
  // A week without a weekday begins on Monday.
  if (inWeek) return seconds + ((weekday?.number ?? 1) || 7) * DAY - (time.weekday || 7) * DAY
  if (weekday === undefined) return seconds
  const ahead = (weekday.number - time.weekday + 7) % 7
  const first = ahead === 0 && !weekday.alsoToday && weekday.count > 0 ? 7 : ahead
  const steps = weekday.count > 0 ? weekday.count - 1 : weekday.count
  const days = weekday.count < 0 && ahead === 0 ? 7 * weekday.count : first + 7 * steps
  return secondsOf(time.year, time.month, time.day + days, time.hour, time.minute, time.second)
}

export function leavesToNow({ absolute, year, month, day, time }: TimeFields): boolean {
  if (absolute !== undefined) return false
  return year === undefined || month === undefined || (day === undefined && time === undefined)
}
