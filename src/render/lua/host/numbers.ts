/**
 * Numbers: random numbers, and `string.format` for integers beyond 32 bits, which the engine's C library cannot format.
 */
import { type LuaState, TYPE } from '../engine/state.js'
import type { LuaSession } from '../session.js'
import type { HostTable } from './arguments.js'

// Numbers as PHP writes them into texts.

/** Digits of a number that is no whole one below 2^53, and the least exponent of ten without `E`. */
const DIGITS = 14
const MIN_POWER = -4

export function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value)
  if (Number.isNaN(value)) return 'NAN'
  if (!Number.isFinite(value)) return value < 0 ? '-INF' : 'INF'
  const { digits, power } = partsOf(value)
  if (hasNoExponent(power)) return String(Number(value.toPrecision(DIGITS)))
  return `${digits.replace(/(\.\d+?)0*$/, '$1')}E${power < 0 ? '' : '+'}${power}`
}

/** Without an exponent: zeros take its place, and small numbers are zero. The number is finite. */
export function plainNumberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value)
  const { digits, power } = partsOf(value)
  if (hasNoExponent(power)) return numberText(value)
  if (power < 0) return value < 0 ? '-0' : '0'
  return digits.replace('.', '') + '0'.repeat(power - DIGITS + 1)
}

function partsOf(value: number): { readonly digits: string; readonly power: number } {
  const [digits = '', power] = value.toExponential(DIGITS - 1).split('e')
  return { digits, power: Number(power) }
}

function hasNoExponent(power: number): boolean {
  return power >= MIN_POWER && power < DIGITS
}

/** Flags, width, precision, conversion. More digits are an error of Lua's own function. */
const CONVERSION = /%(?:%|([-+ #0]{0,5})(\d{0,2})(?:\.(\d{0,2}))?([A-Za-z]))/g
const INTEGERS = 'diouxX'
const SIGNED = 'di'
const MAX_INT32 = 2 ** 31
const MAX_UINT32 = 2 ** 32
const MAX_INT64 = 2 ** 63
const BITS = 64
const DAY = 86_400
/** Seeds are whole numbers below this limit. */
const MAX_SEED = 2 ** 31

export const NUMBER_FUNCTIONS: HostTable = {
  values: { numberText: (args) => numberText(args.number(1)) },
  raw: {
    format,
    random(state, page) {
      if (!page.isSeeded) seed(page)
      return state.machine.callC(page.natives.random, state.address)
    },
    randomseed(state, page) {
      page.isSeeded = true
      return state.machine.callC(page.natives.randomseed, state.address)
    },
  },
}

/** Random results are kept for a day. The time is the seed, so two renderings at the same time are equal. */
function seed(page: LuaSession): void {
  const { source, report } = page.expander
  report.holdsFor(DAY)
  page.isSeeded = true
  page.seedRandom(source.now % MAX_SEED)
}

function format(state: LuaState, page: LuaSession): number {
  if (state.top > 1 && state.type(1) === TYPE.string) writeLargeIntegers(state)
  return state.machine.callC(page.natives.format, state.address)
}

/** Replaces integers that are too large by texts. */
function writeLargeIntegers(state: LuaState): void {
  const { start, end } = state.span(1)
  const { memory } = state.machine
  const percent = memory.indexOf(0x25, start)
  if (percent < 0 || percent >= end) return
  const text = memory.toString('latin1', start, end)
  let argument = 1
  let isChanged = false
  const changed = text.replace(
    CONVERSION,
    (
      whole: string,
      flags: string | undefined,
      width: string,
      precision: string | undefined,
      conversion: string | undefined,
    ) => {
      if (conversion === undefined) return whole
      argument++
      if (!INTEGERS.includes(conversion) || argument > state.top) return whole
      const value = Math.trunc(state.number(argument))
      const isSigned = SIGNED.includes(conversion)
      const fits = isSigned ? Math.abs(value) < MAX_INT32 : value >= 0 && value < MAX_UINT32
      if (fits) return whole
      state.push(padded(digits(value, conversion), conversion, flags ?? '', Number(width), precision))
      state.machine.lua.lua_replace(state.address, argument)
      isChanged = true
      return '%s'
    },
  )
  if (!isChanged) return
  state.push(Buffer.from(changed, 'latin1'))
  state.machine.lua.lua_replace(state.address, 1)
}

function digits(value: number, conversion: string): string {
  const integer = integerOf(value, SIGNED.includes(conversion))
  if (SIGNED.includes(conversion)) return integer.toString()
  const unsigned = BigInt.asUintN(BITS, integer)
  if (conversion === 'u') return unsigned.toString()
  if (conversion === 'o') return unsigned.toString(8)
  const hex = unsigned.toString(16)
  return conversion === 'X' ? hex.toUpperCase() : hex
}

/** The integer of 64 bits that an x86-64 machine makes of a number. */
function integerOf(value: number, isSigned: boolean): bigint {
  if (Math.abs(value) < MAX_INT64) return BigInt(value)
  if (isSigned || !(value > 0)) return -(2n ** 63n)
  return value < 2 * MAX_INT64 ? BigInt(value) : 0n
}

/** Sign or prefix come before the zeros of a width. */
function padded(
  text: string,
  conversion: string,
  flags: string,
  width: number,
  precision: string | undefined,
): string {
  const isNegative = text.startsWith('-')
  const bare = (isNegative ? text.slice(1) : text).padStart(Number(precision ?? 0), '0')
  const start = isNegative ? '-' : prefixOf(bare, conversion, flags)
  if (flags.includes('-')) return (start + bare).padEnd(width)
  if (flags.includes('0') && precision === undefined) return start + bare.padStart(width - start.length, '0')
  return (start + bare).padStart(width)
}

function prefixOf(digits: string, conversion: string, flags: string): string {
  if (SIGNED.includes(conversion)) return flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  if (!flags.includes('#') || conversion === 'u') return ''
  if (conversion === 'o') return digits.startsWith('0') ? '' : '0'
  return /[^0]/.test(digits) ? `0${conversion}` : ''
}
