/** Reads values that PHP has serialised, as parameters of log entries are. */
import type { EventValue } from '../domain/logEvent.js'

const MAX_DEPTH = 8
const MAX_VALUES = 5000

/** Undefined for a text that is no such value, is cut off, or has objects, too many values or too deep ones. */
export function readPhpValue(text: string): EventValue | undefined {
  try {
    const reader = new Reader(Buffer.from(text))
    const value = reader.value(0)
    return reader.isAtEnd ? value : undefined
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

class Unreadable extends Error {}

/** Lengths of texts count bytes. */
class Reader {
  readonly #bytes: Buffer
  #at = 0
  #values = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  value(depth: number): EventValue {
    if (depth > MAX_DEPTH || ++this.#values > MAX_VALUES) throw new Unreadable()
    const kind = this.#take(1)
    if (kind === 'N') return this.#expect(';', null)
    this.#expect(':', null)
    if (kind === 'b') return this.#until(';') === '1'
    if (kind === 'i' || kind === 'd') return finite(this.#until(';'))
    if (kind === 's') return this.#expect(';', this.#text())
    if (kind === 'a') return this.#list(depth)
    throw new Unreadable()
  }

  #text(): string {
    const length = count(this.#until(':'))
    this.#expect('"', null)
    return this.#expect('"', this.#take(length))
  }

  #list(depth: number): EventValue {
    const length = count(this.#until(':'))
    this.#expect('{', null)
    const entries: [string, EventValue][] = []
    for (let n = 0; n < length; n++) {
      const key = this.value(depth + 1)
      if (typeof key === 'object') throw new Unreadable()
      entries.push([String(key), this.value(depth + 1)])
    }
    this.#expect('}', null)
    const isList = entries.every(([key], n) => key === String(n))
    return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries)
  }

  #take(length: number): string {
    if (this.#at + length > this.#bytes.length) throw new Unreadable()
    return this.#bytes.toString('utf8', this.#at, (this.#at += length))
  }

  #until(sign: string): string {
    const end = this.#bytes.indexOf(sign, this.#at)
    if (end < 0) throw new Unreadable()
    const text = this.#bytes.toString('latin1', this.#at, end)
    this.#at = end + 1
    return text
  }

  #expect<Value>(sign: string, value: Value): Value {
    if (this.#take(1) !== sign) throw new Unreadable()
    return value
  }
}

function count(digits: string): number {
  if (!/^\d{1,8}$/.test(digits)) throw new Unreadable()
  return Number(digits)
}

function finite(digits: string): number {
  const value = Number(digits)
  if (digits === '' || !Number.isFinite(value)) throw new Unreadable()
  return value
}
