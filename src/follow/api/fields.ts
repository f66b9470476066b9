/**
 * Checks the values of an upstream's answers, of which none is trusted. A value of another type means that the answer
 * is none of the API: a fault, after which the request is repeated. A value that no row can hold spoils only its item.
 */
import { MAX_NAMESPACE } from '../../domain/namespaces.js'
import { parseTimestamp } from '../../domain/timestamp.js'
import { UpstreamFault } from './faults.js'

export type Fields = Readonly<Record<string, unknown>>

/** Ids are stored in 32 bits. Higher ids are reserved. */
export const MAX_ID = 4_000_000_000
/** Sizes of texts, too. */
const MAX_SIZE = 0xffffffff
/** Times are stored in 32 bits. The highest number marks the end of a range. */
const MAX_TIME = 0xfffffffe
/** A text of MediaWiki has 2 MiB unless its operator raises the limit; a comment has 1000 letters. */
const MAX_TEXT = 2 ** 25

/** No row of the store can hold the value. The item that has it is left out. */
export class Unstorable extends Error {
  override readonly name: string = 'Unstorable'
}

/** The title is in a namespace that the wiki did not name when it was last asked. */
export class UnknownNamespace extends Unstorable {
  override readonly name = 'UnknownNamespace'
  readonly id: number

  constructor(id: number) {
    super(`its namespace ${id} is not declared`)
    this.id = id
  }
}

export const unexpected = (what: string): UpstreamFault =>
  new UpstreamFault('answer', `the answer is not one of the API: ${what}`)

export function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unexpected(what)
  return value as Fields
}

/** An absent list is empty: the API leaves out what has no items. */
export function listOf(value: unknown, what: string): readonly unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw unexpected(what)
  return value
}

/** A list that the request asked for: the API sends it even if it is empty. */
export function requiredList(value: unknown, what: string): readonly unknown[] {
  if (value === undefined) throw unexpected(`it lacks ${what}`)
  return listOf(value, what)
}

const asRows = (list: readonly unknown[], what: string): Fields[] => list.map((row) => fieldsOf(row, what))

/** A list of objects; empty if it is absent. */
export const rowsOf = (value: unknown, what: string): Fields[] => asRows(listOf(value, what), what)

/** A list of objects that the request asked for. */
export const requiredRows = (value: unknown, what: string): Fields[] =>
  asRows(requiredList(value, what), what)

/** The values of an object under any names; those of a list too, since PHP writes an empty object as a list. */
export function valuesOf(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined ? [] : Object.values(fieldsOf(value, what))
}

/** Throws Unstorable for a text that UTF-8 cannot hold. */
export function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string') throw unexpected(what)
  if (!value.isWellFormed()) throw new Unstorable(`${what} has half of a surrogate pair`)
  if (value.length > MAX_TEXT) throw new Unstorable(`${what} is longer than ${MAX_TEXT} letters`)
  return value
}

export const optionalText = (value: unknown, what: string): string | undefined =>
  value === undefined ? undefined : textOf(value, what)

export function flagOf(value: unknown, what: string): boolean {
  if (value === undefined || value === false) return false
  if (value !== true && value !== '') throw unexpected(what)
  return true
}

/** A whole number of zero or more. */
export function countOf(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw unexpected(what)
  return value
}

/** A count that a row holds in 32 bits. */
export function sizeOf(value: unknown, what: string): number {
  const size = countOf(value, what)
  if (size > MAX_SIZE) throw new Unstorable(`${what} is ${size}, above ${MAX_SIZE}`)
  return size
}

/** An id of 1 or more. */
export function idOf(value: unknown, what: string): number {
  const id = idOrZero(value, what)
  if (id === 0) throw unexpected(what)
  return id
}

export function idOrZero(value: unknown, what: string): number {
  const id = value === undefined ? 0 : countOf(value, what)
  if (id > MAX_ID) throw new Unstorable(`${what} is ${id}, above ${MAX_ID}`)
  return id
}

export function namespaceOf(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unexpected(what)
  if (Math.abs(value) > MAX_NAMESPACE) throw new Unstorable(`${what} is ${value}`)
  return value
}

/** Seconds since 1970. */
export function timeOf(value: unknown, what: string): number {
  if (typeof value !== 'string') throw unexpected(what)
  const time = parseTimestamp(value)
  if (time === undefined) throw unexpected(what)
  if (time < 0 || time > MAX_TIME) throw new Unstorable(`${what} is ${value}`)
  return time
}

/** Null for what never expires. */
export const expiryOf = (value: unknown, what: string): number | null =>
  value === undefined || value === 'infinity' || value === 'infinite' ? null : timeOf(value, what)

/** A SHA-1 in hex. */
export function sha1Of(value: unknown, what: string): string {
  if (typeof value !== 'string' || !/^[0-9a-f]{40}$/.test(value)) throw unexpected(what)
  return value
}
