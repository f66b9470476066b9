/** Numerals of Lua's `tonumber` as the C library of a 64-bit machine reads them. */

const BLANK = 0x20
const TAB = 0x09
const RETURN = 0x0d
const MINUS = 0x2d
const PLUS = 0x2b
const ZERO = 0x30
const NINE = 0x39
const LETTER_A = 0x61
const LETTER_X = 0x78
const LETTER_Z = 0x7a
const TO_LOWER_CASE = 0x20
const HEXADECIMAL = 16
const MAX_UINT64 = 2n ** 64n - 1n
/** Lua reads numbers with this base in another way. */
const DECIMAL = 10
const MAX_BASE = 36

/** True for bases that C's `strtoul` reads, except ten. */
export function isBase(base: number): boolean {
  return base >= 2 && base <= MAX_BASE && base !== DECIMAL
}

/**
 * A whole number without fraction, between blanks, of the bytes from `start` to `end`. It saturates at 2^64 - 1, and a
 * negative one counts back from 2^64. Undefined for anything else.
 */
export function wholeNumber(bytes: Uint8Array, start: number, end: number, base: number): number | undefined {
  const { digits, isNegative } = beginning(bytes, start, end)
  const hasPrefix = base === HEXADECIMAL && isPrefix(bytes, digits) && digit(bytes[digits + 2]) < base
  let value = 0n
  let small = 0
  let at = hasPrefix ? digits + 2 : digits
  const first = at
  for (; at < end; at++) {
    const next = digit(bytes[at])
    if (next >= base) break
    if (value > 0n || small * base + next > Number.MAX_SAFE_INTEGER) {
      if (value <= MAX_UINT64) value = (value === 0n ? BigInt(small) : value) * BigInt(base) + BigInt(next)
    } else small = small * base + next
  }
  if (at === first || !isEnd(bytes, at, end)) return undefined
  if (value > MAX_UINT64) return Number(MAX_UINT64)
  const whole = value === 0n ? BigInt(small) : value
  return Number(isNegative ? BigInt.asUintN(64, -whole) : whole)
}

/** True for `0x` alone, between blanks. It is no number, but the engine's C library reads zero. */
export function isPrefixAlone(bytes: Uint8Array, start: number, end: number): boolean {
  const { digits } = beginning(bytes, start, end)
  return digits + 2 <= end && isPrefix(bytes, digits) && isEnd(bytes, digits + 2, end)
}

/** Where digits begin, behind blanks and a sign. */
function beginning(
  bytes: Uint8Array,
  start: number,
  end: number,
): { readonly digits: number; readonly isNegative: boolean } {
  const at = afterBlanks(bytes, start, end)
  const sign = at < end ? bytes[at] : undefined
  return { digits: sign === MINUS || sign === PLUS ? at + 1 : at, isNegative: sign === MINUS }
}

function isPrefix(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === ZERO && ((bytes[at + 1] ?? 0) | TO_LOWER_CASE) === LETTER_X
}

/** For C, a text ends at its first NUL. */
function isEnd(bytes: Uint8Array, at: number, end: number): boolean {
  const last = afterBlanks(bytes, at, end)
  return last === end || bytes[last] === 0
}

function afterBlanks(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && (bytes[at] === BLANK || ((bytes[at] ?? 0) >= TAB && (bytes[at] ?? 0) <= RETURN))) at++
  return at
}

/** Infinity for a byte that is no digit in any base. */
function digit(byte = 0): number {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO
  const letter = byte | TO_LOWER_CASE
  return letter >= LETTER_A && letter <= LETTER_Z ? letter - LETTER_A + DECIMAL : Infinity
}
