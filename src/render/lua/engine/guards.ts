/**
 * Lua's C functions that need something before they run.
 *
 * Some may take long within one instruction. Others convert numbers to integers: for places in strings to 64 bits, on
 * an x86-64 machine, elsewhere to 32. The engine has 32 bits for all, and turns each larger number into the least
 * integer. A guard replaces such a number by the integer of that machine, or by one that means the same.
 */
export interface Guarded {
  readonly library: string
  readonly name: string
  /** May take long within one instruction. */
  readonly isLong?: true
  /** Arguments that are places in a string. */
  readonly places?: readonly number[]
  /** Arguments of 32 bits: the last bits of a number that is too large. `all`: every argument. */
  readonly counts?: readonly number[] | 'all'
  /** `counts` are values with another number of arguments. */
  readonly onlyWith?: number
  /** Puts argument 3 into a list at a place that may be far below it: the engine shifts all between, one by one. */
  readonly isInsertion?: true
  /** Repeats argument 1 as often as argument 2 says. The engine counts through even for an empty text. */
  readonly isRepetition?: true
  /** Reads numerals: argument 1 is a text, argument 2 its base. */
  readonly isNumeral?: true
}

const STRING: readonly Omit<Guarded, 'library'>[] = [
  { name: 'byte', places: [2, 3] },
  { name: 'char', counts: 'all' },
  { name: 'find', isLong: true, places: [3] },
  { name: 'gmatch', isLong: true },
  { name: 'gsub', isLong: true, counts: [4] },
  { name: 'lower', isLong: true },
  { name: 'match', isLong: true, places: [3] },
  { name: 'rep', isLong: true, counts: [2], isRepetition: true },
  { name: 'reverse', isLong: true },
  { name: 'sub', isLong: true, places: [2, 3] },
  { name: 'upper', isLong: true },
]
const TABLE: readonly Omit<Guarded, 'library'>[] = [
  { name: 'concat', isLong: true, counts: [3, 4] },
  { name: 'insert', isLong: true, counts: [2], onlyWith: 3, isInsertion: true },
  { name: 'maxn', isLong: true },
  { name: 'remove', isLong: true, counts: [2] },
  { name: 'sort', isLong: true },
]
const MATH: readonly Omit<Guarded, 'library'>[] = [
  { name: 'ldexp', counts: [2] },
  { name: 'random', counts: [1, 2] },
  { name: 'randomseed', counts: [1] },
]
const BASE: readonly Omit<Guarded, 'library'>[] = [
  { name: 'select', counts: [1] },
  { name: 'tonumber', counts: [2], isNumeral: true },
  { name: 'unpack', counts: [2, 3] },
]

export const GUARDED: readonly Guarded[] = [
  ...STRING.map((one) => ({ library: 'string', ...one })),
  ...TABLE.map((one) => ({ library: 'table', ...one })),
  ...MATH.map((one) => ({ library: 'math', ...one })),
  ...BASE.map((one) => ({ library: '_G', ...one })),
]

const MIN_INT32 = -(2 ** 31)
const MAX_INT32 = 2 ** 31 - 1
const MAX_INT64 = 2 ** 63

/** A place in a string that needs 64 bits, as one of 32 bits: both are beyond every string. */
export function placeOf(value: number): number {
  // The processor converts all other numbers to the least integer.
  if (!(Math.abs(value) < MAX_INT64)) return MIN_INT32
  return Math.max(MIN_INT32, Math.min(MAX_INT32, Math.trunc(value)))
}

/** The last 32 bits of a number's integer of 64 bits. The least one, of what cannot be converted, ends with zeros. */
export function countOf(value: number): number {
  return Math.abs(value) < MAX_INT64 ? Number(BigInt.asIntN(32, BigInt(Math.trunc(value)))) : 0
}
