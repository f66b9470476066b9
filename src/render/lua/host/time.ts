/** `os.time` and related functions. The clock is that of the expansion, in UTC. */
import { countOf } from '../engine/guards.js'
import { LuaError, type LuaState, TYPE, type LuaValue } from '../engine/state.js'
import type { LuaSession } from '../session.js'
import type { HostArguments, HostTable } from './arguments.js'

const MS = 1000
const DAY_MS = 86_400_000
const NOW_LIFETIME_S = 60
const NAMES = {
  days: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  months: [
    ...['January', 'February', 'March', 'April', 'May', 'June'],
    ...['July', 'August', 'September', 'October', 'November', 'December'],
  ],
} as const
const MAX_MS = 8.64e15
/** Of characters of a format: each may become a whole date. */
const MAX_FORMAT = 6000

export const TIME_FUNCTIONS: HostTable = {
  values: {
    clock: (_args, page) => page.time.usedMs / MS,
    date,
  },
  raw: { time },
}

function now(page: LuaSession): number {
  const { source, report } = page.expander
  report.holdsFor(NOW_LIFETIME_S)
  return source.now
}

function time(state: LuaState, page: LuaSession): number {
  if (state.top === 0 || state.type(1) === TYPE.nil) {
    state.push(now(page))
    return 1
  }
  if (state.type(1) !== TYPE.table) {
    const got =
      state.type(1) === TYPE.string ? 'string' : state.type(1) === TYPE.number ? 'number' : 'no table'
    throw new LuaError(`bad argument #1 to 'time' (table expected, got ${got})`, 1)
  }
  const field = (name: string, preset?: number): number => {
    state.getField(1, name)
    const type = state.type(-1)
    const value = state.number(-1)
    state.top -= 1
    if (type === TYPE.number || type === TYPE.string) return countOf(value)
    if (preset === undefined) throw new LuaError(`field '${name}' missing in date table`, 1)
    return preset
  }
  const second = field('sec', 0)
  const minute = field('min', 0)
  const hour = field('hour', 12)
  const day = field('day')
  const month = field('month')
  const year = field('year')
  // C has years from 1900, and months from 0, of 32 bits.
  const days = daysUntil(countOf(year - 1900) + 1900, countOf(month - 1)) + day - 1
  const seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
  // C's sign of a failure.
  state.push(seconds === -1 ? null : seconds)
  return 1
}

/** Days from 1970 to the first day of a month, which counts from 0 and may be of another year. */
function daysUntil(year: number, month: number): number {
  // The years begin in March, and an era has 400 of them.
  const months = month - 2
  const marchYear = year + Math.floor(months / 12)
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * (months - 12 * Math.floor(months / 12)) + 2) / 5)
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  return era * 146_097 + yearOfEra * 365 + leapDays + dayOfYear - 719_468
}

function date(args: HostArguments, page: LuaSession): LuaValue {
  const format = args.isNil(1) ? '%c' : args.requireText(1, 'date')
  if (format.length > MAX_FORMAT) throw new LuaError("bad argument #1 to 'date' (format is too long)", 1)
  const seconds = args.isNil(2) ? now(page) : Math.trunc(args.requireNumber(2, 'date'))
  if (!(Math.abs(seconds * MS) <= MAX_MS)) return null
  const moment = new Date(seconds * MS)
  const pattern = format.replace(/^!/, '')
  if (pattern.startsWith('*t')) return fields(moment)
  return pattern.replace(/%(.)/gs, (whole, letter: string) => {
    if (letter === 'Z' && pattern !== format) return 'GMT'
    return written(letter, moment) ?? whole
  })
}

function dayOfYear(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS) - daysUntil(moment.getUTCFullYear(), 0) + 1
}

function fields(moment: Date): LuaValue {
  return {
    year: moment.getUTCFullYear(),
    month: moment.getUTCMonth() + 1,
    day: moment.getUTCDate(),
    hour: moment.getUTCHours(),
    min: moment.getUTCMinutes(),
    sec: moment.getUTCSeconds(),
    wday: moment.getUTCDay() + 1,
    yday: dayOfYear(moment),
    isdst: false,
  }
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

type Writer = (moment: Date) => string

const dayName = (moment: Date): string => NAMES.days[moment.getUTCDay()] ?? ''
const monthName = (moment: Date): string => NAMES.months[moment.getUTCMonth()] ?? ''
const dayOfMonth = (moment: Date): string => String(moment.getUTCDate()).padStart(2)

/** Week of the year, for weeks that begin on this weekday. */
function weeksFrom(firstDay: number, moment: Date): string {
  return two(Math.floor((dayOfYear(moment) + 6 - ((moment.getUTCDay() - firstDay + 7) % 7)) / 7))
}

/** Thursday of the week, which says to what year the week belongs. */
function thursday(moment: Date): Date {
  return new Date(moment.getTime() + (4 - (moment.getUTCDay() || 7)) * DAY_MS)
}

function lastDigits(year: number): string {
  return two(((year % 100) + 100) % 100)
}

/** Writes several conversions. */
function parts(letters: string, moment: Date): string {
  return letters.replace(/[A-Za-z]/g, (part) => written(part, moment) ?? part)
}

/** The conversions of C's `strftime` in the C locale. */
const WRITERS: Readonly<Record<string, Writer>> = {
  a: (moment) => dayName(moment).slice(0, 3),
  A: dayName,
  b: (moment) => monthName(moment).slice(0, 3),
  B: monthName,
  c: (moment) => `${parts('a b', moment)} ${dayOfMonth(moment)} ${parts('H:M:S Y', moment)}`,
  C: (moment) => two(Math.floor(moment.getUTCFullYear() / 100)),
  d: (moment) => two(moment.getUTCDate()),
  D: (moment) => parts('m/d/y', moment),
  e: dayOfMonth,
  F: (moment) => parts('Y-m-d', moment),
  g: (moment) => lastDigits(thursday(moment).getUTCFullYear()),
  G: (moment) => String(thursday(moment).getUTCFullYear()),
  h: (moment) => monthName(moment).slice(0, 3),
  H: (moment) => two(moment.getUTCHours()),
  I: (moment) => two(moment.getUTCHours() % 12 || 12),
  j: (moment) => String(dayOfYear(moment)).padStart(3, '0'),
  m: (moment) => two(moment.getUTCMonth() + 1),
  M: (moment) => two(moment.getUTCMinutes()),
  n: () => '\n',
  p: (moment) => (moment.getUTCHours() < 12 ? 'AM' : 'PM'),
  r: (moment) => parts('I:M:S p', moment),
  R: (moment) => parts('H:M', moment),
  s: (moment) => String(moment.getTime() / MS),
  S: (moment) => two(moment.getUTCSeconds()),
  t: () => '\t',
  T: (moment) => parts('H:M:S', moment),
  u: (moment) => String(moment.getUTCDay() || 7),
  U: (moment) => weeksFrom(0, moment),
  V: (moment) => two(Math.ceil(dayOfYear(thursday(moment)) / 7)),
  w: (moment) => String(moment.getUTCDay()),
  W: (moment) => weeksFrom(1, moment),
  x: (moment) => parts('m/d/y', moment),
  X: (moment) => parts('H:M:S', moment),
  y: (moment) => lastDigits(moment.getUTCFullYear()),
  Y: (moment) => String(moment.getUTCFullYear()),
  z: () => '+0000',
  Z: () => 'UTC',
  '%': () => '%',
}

/** Undefined for a letter that is not a conversion. */
function written(letter: string, moment: Date): string | undefined {
  return Object.hasOwn(WRITERS, letter) ? WRITERS[letter]?.(moment) : undefined
}
