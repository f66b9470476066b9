/** `os.time` and related functions. The clock is that of the expansion, in UTC. */
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
  if (format.length > MAX_FORMAT) throw new LuaError("bad argument #1 to 'date' (format is too long)", 1)
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

type Writer = (moment: Date) => string

const dayName = (moment: Date): string => NAMES.days[moment.getUTCDay()] ?? ''
const monthName = (moment: Date): string => NAMES.months[moment.getUTCMonth()] ?? ''
const dayOfMonth = (moment: Date): string => String(moment.getUTCDate()).padStart(2)

/** Week of the year, for weeks that begin on this weekday. */
function weeksFrom(firstDay: number, moment: Date): string {
  return two(Math.floor((dayOfYear(moment) + 6 - ((moment.getUTCDay() - firstDay + 7) % 7)) / 7))
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
  w: (moment) => String(moment.getUTCDay()),
  W: (moment) => weeksFrom(1, moment),
  x: (moment) => parts('m/d/y', moment),
  X: (moment) => parts('H:M:S', moment),
  y: (moment) => two(moment.getUTCFullYear() % 100),
  Y: (moment) => String(moment.getUTCFullYear()),
  z: () => '+0000',
  Z: () => 'UTC',
  '%': () => '%',
}

/** Undefined for a letter that is not a conversion. */
function written(letter: string, moment: Date): string | undefined {
  return Object.hasOwn(WRITERS, letter) ? WRITERS[letter]?.(moment) : undefined
}
