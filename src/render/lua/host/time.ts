/** `os.time` and its kin. The clock is that of the expansion, in UTC. */
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
    if (type === TYPE.number || type === TYPE.string) return Math.trunc(value)
    if (preset === undefined) throw new LuaError(`field '${name}' missing in date table`, 1)
    return preset
  }
  const second = field('sec', 0)
  const minute = field('min', 0)
  const hour = field('hour', 12)
  const day = field('day')
  const month = field('month')
  const year = field('year')
  const moment = new Date(0)
  moment.setUTCFullYear(year, month - 1, day)
  moment.setUTCHours(hour, minute, second)
  state.push(Number.isNaN(moment.getTime()) ? null : moment.getTime() / MS)
  return 1
}

function date(args: HostArguments, page: LuaSession): LuaValue {
  const format = args.isNil(1) ? '%c' : args.requireText(1, 'date')
  const seconds = args.isNil(2) ? now(page) : Math.floor(args.number(2))
  if (Math.abs(seconds * MS) > MAX_MS) return null
  const moment = new Date(seconds * MS)
  const pattern = format.replace(/^!/, '')
  if (pattern.startsWith('*t')) return fields(moment)
  return pattern.replace(/%(.)/gs, (whole, letter: string) => written(letter, moment) ?? whole)
}

function dayOfYear(moment: Date): number {
  return Math.floor((moment.getTime() - Date.UTC(moment.getUTCFullYear(), 0, 1)) / DAY_MS) + 1
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

/** The conversions of C's `strftime` in its own locale; undefined for others. */
function written(letter: string, moment: Date): string | undefined {
  const year = moment.getUTCFullYear()
  const weekday = moment.getUTCDay()
  const hour = moment.getUTCHours()
  const dayName = NAMES.days[weekday] ?? ''
  const monthName = NAMES.months[moment.getUTCMonth()] ?? ''
  const parts = (letters: string): string =>
    letters.replace(/[A-Za-z]/g, (part) => written(part, moment) ?? part)
  const weekFrom = (firstDay: number): number =>
    Math.floor((dayOfYear(moment) + 6 - ((weekday - firstDay + 7) % 7)) / 7)
  switch (letter) {
    case 'a':
      return dayName.slice(0, 3)
    case 'A':
      return dayName
    case 'b':
    case 'h':
      return monthName.slice(0, 3)
    case 'B':
      return monthName
    case 'c':
      return `${dayName.slice(0, 3)} ${monthName.slice(0, 3)} ${String(moment.getUTCDate()).padStart(2)} ${parts('H:M:S Y')}`
    case 'C':
      return two(Math.floor(year / 100))
    case 'd':
      return two(moment.getUTCDate())
    case 'D':
    case 'x':
      return parts('m/d/y')
    case 'e':
      return String(moment.getUTCDate()).padStart(2)
    case 'F':
      return parts('Y-m-d')
    case 'H':
      return two(hour)
    case 'I':
      return two(hour % 12 || 12)
    case 'j':
      return String(dayOfYear(moment)).padStart(3, '0')
    case 'm':
      return two(moment.getUTCMonth() + 1)
    case 'M':
      return two(moment.getUTCMinutes())
    case 'n':
      return '\n'
    case 'p':
      return hour < 12 ? 'AM' : 'PM'
    case 'r':
      return parts('I:M:S p')
    case 'R':
      return parts('H:M')
    case 's':
      return String(moment.getTime() / MS)
    case 'S':
      return two(moment.getUTCSeconds())
    case 't':
      return '\t'
    case 'T':
    case 'X':
      return parts('H:M:S')
    case 'u':
      return String(weekday || 7)
    case 'U':
      return two(weekFrom(0))
    case 'w':
      return String(weekday)
    case 'W':
      return two(weekFrom(1))
    case 'y':
      return two(year % 100)
    case 'Y':
      return String(year)
    case 'z':
      return '+0000'
    case 'Z':
      return 'UTC'
    case '%':
      return '%'
    default:
      return undefined
  }
}
