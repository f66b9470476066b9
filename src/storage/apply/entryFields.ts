/** Checks of an entry's fields: entries may come from a log that others write. */
import { MAX_U32 } from '../rows/keys.js'

/** Whether a value is what a field must hold. */
export type Check = (value: unknown) => boolean

/** The most bytes that a title without its prefix may have: a key of the store holds no more. */
const MAX_DBKEY_BYTES = 255
const MAX_NAMESPACE = 32767

export const isText: Check = (value) => typeof value === 'string'
/** A text without half of a surrogate pair, which UTF-8 cannot hold: the log would give back another one. */
export const isWellFormedText: Check = (value) => typeof value === 'string' && value.isWellFormed()
export const isFlag: Check = (value) => typeof value === 'boolean'
export const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
/** A number that a row can hold: of 32 bits, without sign. */
export const isCount: Check = (value) => isIntegerUpTo(value, MAX_U32)
export const isId: Check = (value) => isCount(value) && value !== 0
/** Bytes of a file, which may be more than 32 bits count. */
export const isSize: Check = (value) => isIntegerUpTo(value, Number.MAX_SAFE_INTEGER)
export const isNamespace: Check = (value) => isIntegerUpTo(value, MAX_NAMESPACE)
export const isDbkey: Check = (value) =>
  typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= MAX_DBKEY_BYTES
/** Printable ASCII, as names of content models and hashes are. */
export const isName: Check = (value) => typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value)
export const isEntryId: Check = (value) => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value)

export const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
export const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
/** An object with these fields; others do not matter. */
export const withFields =
  (fields: Fields): Check =>
  (value) =>
    isObject(value) && faultyField(value as object, fields) === undefined

export type Fields = Readonly<Record<string, Check>>

/** The name of the first field that is missing or malformed. */
export function faultyField(value: object, fields: Fields): string | undefined {
  const known = value as Readonly<Record<string, unknown>>
  return Object.keys(fields).find((name) => !fields[name]!(known[name]))
}

function isIntegerUpTo(value: unknown, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most
}
