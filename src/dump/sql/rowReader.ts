/** Reads the values of one row, such as `(2,'de','Eiche')`: only those of wanted columns become strings or numbers. */
import { isUtf8 } from 'node:buffer'
import { DumpError } from '../dumpError.js'
import { BACKSLASH, CLOSE, COMMA, DOUBLE_QUOTE, isSpace, QUOTE } from './sqlTokens.js'

/** `undefined`: bytes that are not UTF-8. */
export type SqlValue = string | number | null | undefined

/**
 * `number`: NaN if the value is none. `text`: numbers as written. `name`: a text with few different values, such as a
 * language code, whose strings are shared.
 */
export type ColumnKind = 'number' | 'text' | 'name'

/**
 * For each place of a row the kind of its column and the index of its value; undefined for an unwanted column. An empty
 * plan fits all rows.
 */
export type RowPlan = readonly ({ readonly kind: ColumnKind; readonly index: number } | undefined)[]

const ZERO = 0x30
const NINE = 0x39
const UNDERSCORE = 0x5f
const DEL = 0x7f
const MAX_DIGITS = 15
const REPLACEMENT = '\ufffd'
const MAX_SHARED_BYTES = 32
const SHARED_NAMES = 1024
/** Escapes of mysqldump. Other characters after a backslash mean themselves. */
const ESCAPES: ReadonlyMap<number, number> = new Map([
  [0x30, 0],
  [0x62, 8],
  [0x74, 9],
  [0x6e, 10],
  [0x72, 13],
  [0x5a, 26],
])

export class RowReader {
  /** Values of the last row. The next row overwrites them. */
  readonly values: SqlValue[] = []
  /** Position after the value that was read last. */
  #at = 0
  readonly #names = new Array<string>(SHARED_NAMES).fill('')

  /** Sets the number of values of a row. Values of columns that no plan has stay null. */
  begin(values: number): void {
    this.values.length = 0
    for (let n = 0; n < values; n++) this.values.push(null)
  }

  /** Reads the row whose bracket opens at `from`. Returns the position after it, or -1 if the bytes end before. */
  read(bytes: Buffer, from: number, plan: RowPlan): number {
    const { length } = bytes
    let at = from + 1
    for (let column = 0; ; column++) {
      while (at < length && isSpace(bytes[at]!)) at++
      if (at >= length) return -1
      const place = plan[column]
      if (!this.#readValue(bytes, at, place)) return -1
      at = this.#at
      while (at < length && isSpace(bytes[at]!)) at++
      if (at >= length) return -1
      const sign = bytes[at++]
      if (sign === COMMA) continue
      if (sign !== CLOSE) throw new DumpError('has a row that goes on as none should')
      if (column + 1 === plan.length || plan.length === 0) return at
      throw new DumpError(`has a row of ${column + 1} values in a table of ${plan.length} columns`)
    }
  }

  #readValue(bytes: Buffer, from: number, place: RowPlan[number]): boolean {
    return isQuote(bytes[from]!) ? this.#readString(bytes, from, place) : this.#readBare(bytes, from, place)
  }

  /** Reads a string from its quote on; false if the bytes end before the byte after it. */
  #readString(bytes: Buffer, from: number, place: RowPlan[number]): boolean {
    const quote = bytes[from]!
    const last = bytes.length - 1
    const start = from + 1
    let at = start
    let isEscaped = false
    let bits = 0
    for (; ; at++) {
      if (at >= last) return false
      const byte = bytes[at]!
      bits |= byte
      if (byte === BACKSLASH) {
        isEscaped = true
        bits |= bytes[++at]!
      } else if (byte === quote) {
        if (bytes[at + 1] !== quote) break
        isEscaped = true
        at++
      }
    }
    this.#at = at + 1
    if (place === undefined) return true
    const isAscii = bits <= DEL
    const value = isEscaped
      ? decode(unescaped(bytes.subarray(start, at), quote))
      : isAscii && place.kind === 'name' && at - start <= MAX_SHARED_BYTES
        ? this.#sharedName(bytes, start, at)
        : isAscii
          ? bytes.toString('latin1', start, at)
          : decode(bytes, start, at)
    this.#take(value, place)
    return true
  }

  #take(value: SqlValue, place: RowPlan[number]): void {
    if (place === undefined) return
    this.values[place.index] = place.kind === 'number' && typeof value === 'string' ? toNumber(value) : value
  }

  /** Reads a number, `NULL`, bytes in hexadecimal, or a string with a prefix. */
  #readBare(bytes: Buffer, from: number, place: RowPlan[number]): boolean {
    const { length } = bytes
    let at = from
    let number = 0
    for (; at < length && bytes[at]! >= ZERO && bytes[at]! <= NINE; at++)
      number = 10 * number + bytes[at]! - ZERO
    if (at < length && at > from && at - from <= MAX_DIGITS && isValueEnd(bytes[at]!)) {
      this.#at = at
      if (place !== undefined)
        this.values[place.index] = place.kind === 'number' ? number : bytes.toString('latin1', from, at)
      return true
    }
    while (at < length && !isValueEnd(bytes[at]!) && !isQuote(bytes[at]!)) at++
    if (at >= length) return false
    const written = bytes.toString('latin1', from, at)
    // A character set before a value, such as _binary'…' or _binary 0x41, says nothing here.
    if (bytes[from] === UNDERSCORE || (isQuote(bytes[at]!) && /^n$/i.test(written))) {
      while (at < length && isSpace(bytes[at]!)) at++
      return at < length && this.#readValue(bytes, at, place)
    }
    if (bytes[at] === QUOTE && /^x$/i.test(written)) return this.#readHexadecimal(bytes, at, place)
    this.#at = at
    this.#take(bareValue(written), place)
    return true
  }

  /** Reads the rest of `X'41'` from its quote on. */
  #readHexadecimal(bytes: Buffer, from: number, place: RowPlan[number]): boolean {
    const end = bytes.indexOf(QUOTE, from + 1)
    if (end < 0 || end + 1 >= bytes.length) return false
    const digits = bytes.toString('latin1', from + 1, end)
    if (!/^(?:[0-9a-f]{2})*$/i.test(digits)) throw noValue()
    this.#at = end + 1
    this.#take(decode(Buffer.from(digits, 'hex')), place)
    return true
  }

  /** A string for ASCII bytes: one that was made before, if the cache has it. */
  #sharedName(bytes: Buffer, start: number, end: number): string {
    let hash = end - start
    for (let at = start; at < end; at++) hash = (31 * hash + bytes[at]!) & (SHARED_NAMES - 1)
    const known = this.#names[hash]!
    if (known.length === end - start && isEqual(known, bytes, start)) return known
    return (this.#names[hash] = bytes.toString('latin1', start, end))
  }
}

function isEqual(text: string, bytes: Buffer, start: number): boolean {
  for (let n = 0; n < text.length; n++) if (text.charCodeAt(n) !== bytes[start + n]) return false
  return true
}

const isQuote = (byte: number): boolean => byte === QUOTE || byte === DOUBLE_QUOTE

const isValueEnd = (byte: number): boolean => byte === COMMA || byte === CLOSE || isSpace(byte)

/** Throws a DumpError for a word that is no value. */
function bareValue(written: string): SqlValue {
  if (written.toUpperCase() === 'NULL') return null
  if (/^0x(?:[0-9a-f]{2})+$/i.test(written)) return decode(Buffer.from(written.slice(2), 'hex'))
  if (/^[-+]?[0-9.]+(?:e[-+]?[0-9]+)?$/i.test(written)) return written
  throw noValue()
}

const noValue = (): DumpError => new DumpError('has a row with something that is no value')

const toNumber = (value: string): number => (/^-?[0-9]/.test(value) ? Number(value) : NaN)

/** Undefined for bytes that are not UTF-8. Only texts with a replacement character need a check of the bytes. */
function decode(bytes: Buffer, start = 0, end = bytes.length): string | undefined {
  const text = bytes.toString('utf8', start, end)
  return text.includes(REPLACEMENT) && !isUtf8(bytes.subarray(start, end)) ? undefined : text
}

function unescaped(bytes: Buffer, quote: number): Buffer {
  const result = Buffer.allocUnsafe(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    // Two quotes mean one.
    if (byte === quote) at++
    result[length++] = byte === BACKSLASH ? (ESCAPES.get(bytes[++at]!) ?? bytes[at]!) : byte
  }
  return result.subarray(0, length)
}
