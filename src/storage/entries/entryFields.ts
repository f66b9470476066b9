/** Checks the fields of entries, which may come from another program's log. */
import { MAX_U32 } from '../rows/keys.js'

/** Tells if a field may have this value. */
export type Check = (value: unknown) => boolean

/** Limit of MediaWiki for a title without its prefix. A page row has one byte for this length. */
const MAX_DBKEY_BYTES = 255
const MAX_NAMESPACE = 32767

export const isText: Check = (value) => typeof value === 'string'
/** A text without lone surrogates. UTF-8 cannot encode these, so the log would return another text. */
export const isWellFormedText: Check = (value) => typeof value === 'string' && value.isWellFormed()
export const isFlag: Check = (value) => typeof value === 'boolean'
export const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
/** An unsigned number of 32 bits, as rows hold. */
export const isCount: Check = (value) => isIntegerUpTo(value, MAX_U32)
export const isId: Check = (value) => isCount(value) && value !== 0
/** Bytes of a file, which may exceed 32 bits. */
export const isSize: Check = (value) => isIntegerUpTo(value, Number.MAX_SAFE_INTEGER)
export const isNamespace: Check = (value) => isIntegerUpTo(value, MAX_NAMESPACE)
export const isDbkey: Check = (value) =>
  typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= MAX_DBKEY_BYTES
/** Printable ASCII, for names of content models and for hashes. */
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
/** An object with these fields; it may have others. */
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
