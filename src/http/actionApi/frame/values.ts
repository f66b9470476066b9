/**
 * Answers in formatversion 1 and 2. Modules make values of version 2, and mark what version 1 writes otherwise:
 *
 *     value               version 1                      version 2
 *     true, false         "" or absent                   true, false
 *     {}, {0: …, 1: …}    a list                         as it is
 *     Table               an object, even when empty     as it is
 *     Named               its text is called `*`         as it is
 *     Keyed               object by key                  list
 *     Wrapped             {"*": value}                   the value
 *     Mapped              [{name: key, "*": value}, …]   object by key
 */

export type Fields = Readonly<Record<string, unknown>>

/** An object with a main text. */
export class Named {
  constructor(
    readonly textKey: string,
    readonly fields: Fields,
  ) {}
}

type KeyedEntries = readonly (readonly [key: string | number, value: unknown])[]

/** A list whose entries have keys. */
export class Keyed {
  constructor(
    readonly entries: KeyedEntries,
    /** The same in the order of version 1. */
    readonly inFirst: KeyedEntries = entries,
  ) {}
}

/** A value that stands in an object of its own in version 1. */
export class Wrapped {
  constructor(readonly value: unknown) {}
}

/** An object that is a list in version 1. */
export class Mapped {
  constructor(
    readonly keyName: string,
    readonly entries: readonly (readonly [key: string, value: unknown])[],
  ) {}
}

/** An object that version 1 prints as one, even when empty. */
export class Table {
  constructor(readonly fields: Fields) {}
}

/** A boolean that version 1 writes as one. */
export class Truth {
  constructor(readonly value: boolean) {}
}

export const named = (textKey: string, fields: Fields): Named => new Named(textKey, fields)

export type Version = 1 | 2

/** The value as JSON has it. */
export function shaped(value: unknown, version: Version): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => shaped(item, version))
  if (value instanceof Named) return shapedNamed(value, version)
  if (value instanceof Wrapped)
    return version === 2 ? shaped(value.value, 2) : { '*': shaped(value.value, 1) }
  if (value instanceof Keyed) return shapedKeyed(value, version)
  if (value instanceof Mapped) return shapedMapped(value, version)
  if (value instanceof Truth) return value.value
  if (value instanceof Table) return shapedFields(value.fields, version)
  const fields = shapedFields(value as Fields, version)
  return version === 1 && isList(Object.keys(fields)) ? Object.values(fields) : fields
}

function shapedFields(fields: Fields, version: Version): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    if (typeof value !== 'boolean' || version === 2) result[name] = shaped(value, version)
    else if (value) result[name] = ''
  }
  return result
}

function shapedNamed({ textKey, fields }: Named, version: Version): Record<string, unknown> {
  const result = shapedFields(fields, version)
  if (version === 2 || !(textKey in result)) return result
  const { [textKey]: text, ...rest } = result
  return { ...rest, '*': text }
}

/** Keys that count from 0 upwards make a list in version 1. So does an object without any. */
const isList = (keys: readonly (string | number)[]): boolean =>
  keys.every((key, index) => String(key) === String(index))

function shapedKeyed({ entries, inFirst }: Keyed, version: Version): unknown {
  if (version === 2 || isList(entries.map(([key]) => key)))
    return entries.map(([, value]) => shaped(value, version))
  const mark = inFirst === entries ? '' : KEY_MARK
  return Object.fromEntries(inFirst.map(([key, value]) => [`${mark}${key}`, shaped(value, 1)]))
}

/** Stands before numbers as keys, which objects would put into the order of the numbers. */
const KEY_MARK = '\0'
// A quotation mark within a text has a backslash before it.
const MARKED_KEY = /(?<!\\)"\\u0000(-?\d+)":/g

/** The JSON of a shape. */
export function jsonOf(shape: unknown, indent?: number): string {
  const json = JSON.stringify(shape, null, indent)
  return json.includes('"\\u0000') ? json.replace(MARKED_KEY, '"$1":') : json
}

function shapedMapped({ keyName, entries }: Mapped, version: Version): unknown {
  if (version === 2) return Object.fromEntries(entries.map(([key, value]) => [key, shaped(value, 2)]))
  return entries.map(([key, value]) => ({ [keyName]: key, '*': shaped(value, 1) }))
}
