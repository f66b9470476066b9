/**
 * Numbers the distinct terms of many texts. A hash table over one array of units: it makes no string for a term that it
 * knows, and no object for a new one.
 */

const FIRST_SLOTS = 2 ** 14
const FIRST_UNITS = 2 ** 16
/** Units of a term in its sort prefix, each cut to a byte. */
const PREFIX_UNITS = 4
/** Numbers of terms that fit beside a prefix of 32 bits in the 53 bits of a number. */
export const MAX_TERMS = 2 ** 21
const SPACE = 0x20

export class TermTable {
  /** Units of all terms, one after another. */
  #units = new Uint16Array(FIRST_UNITS)
  /** Start of each term in `#units`, and the end of the last. */
  #starts = new Uint32Array(FIRST_SLOTS / 2 + 1)
  #hashes = new Int32Array(FIRST_SLOTS / 2)
  /** Open addressing: number of a term plus one, or 0. */
  #slots = new Uint32Array(FIRST_SLOTS)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The number of a term, which is `units` up to `length`. A new term gets the next number. */
  number(units: Uint16Array, length: number, hash: number): number {
    const mask = this.#slots.length - 1
    for (let at = spread(hash) & mask; ; at = (at + 1) & mask) {
      const known = this.#slots[at]! - 1
      if (known < 0) return this.#add(units, length, hash, at)
      if (this.#hashes[known] === hash && this.#equals(known, units, length)) return known
    }
  }

  /** Forgets all terms, and keeps the memory. */
  clear(): void {
    this.#slots.fill(0)
    this.#size = 0
  }

  /** Numbers of all terms, in the order of the terms' UTF-16 units. */
  sorted(): Uint32Array {
    const keys = new Float64Array(this.#size)
    for (let n = 0; n < this.#size; n++) keys[n] = this.#prefix(n) * MAX_TERMS + n
    keys.sort()
    const numbers = Uint32Array.from(keys, (key) => key % MAX_TERMS)
    for (let from = 0, to = 0; from < keys.length; from = to) {
      const prefix = Math.floor(keys[from]! / MAX_TERMS)
      while (to < keys.length && Math.floor(keys[to]! / MAX_TERMS) === prefix) to++
      if (to - from > 1) numbers.subarray(from, to).sort((one, other) => this.#compare(one, other))
    }
    return numbers
  }

  /** The terms with these numbers, with a space between them. */
  joined(numbers: Uint32Array): string {
    if (numbers.length === 0) return ''
    let length = numbers.length - 1
    for (const number of numbers) length += this.#starts[number + 1]! - this.#starts[number]!
    const joined = new Uint16Array(length)
    let at = 0
    for (const number of numbers) {
      if (at > 0) joined[at++] = SPACE
      for (let n = this.#starts[number]!; n < this.#starts[number + 1]!; n++) joined[at++] = this.#units[n]!
    }
    return Buffer.from(joined.buffer).toString('utf16le')
  }

  #add(units: Uint16Array, length: number, hash: number, at: number): number {
    const number = this.#size++
    if (this.#size > MAX_TERMS) throw new RangeError(`more than ${MAX_TERMS} terms`)
    const start = this.#starts[number]!
    this.#reserve(number + 1, start + length)
    for (let n = 0; n < length; n++) this.#units[start + n] = units[n]!
    this.#starts[number + 1] = start + length
    this.#hashes[number] = hash
    this.#slots[at] = number + 1
    if (2 * this.#size > this.#slots.length) this.#grow()
    return number
  }

  #reserve(terms: number, units: number): void {
    if (terms >= this.#hashes.length) {
      this.#hashes = grown(this.#hashes, new Int32Array(2 * this.#hashes.length))
      this.#starts = grown(this.#starts, new Uint32Array(2 * this.#starts.length))
    }
    if (units > this.#units.length) this.#units = grown(this.#units, new Uint16Array(2 * this.#units.length))
  }

  #grow(): void {
    const slots = new Uint32Array(2 * this.#slots.length)
    for (let n = 0; n < this.#size; n++) {
      let at = spread(this.#hashes[n]!) & (slots.length - 1)
      while (slots[at] !== 0) at = (at + 1) & (slots.length - 1)
      slots[at] = n + 1
    }
    this.#slots = slots
  }

  #equals(number: number, units: Uint16Array, length: number): boolean {
    const start = this.#starts[number]!
    if (this.#starts[number + 1]! - start !== length) return false
    for (let n = 0; n < length; n++) if (this.#units[start + n] !== units[n]) return false
    return true
  }

  /** The first units as bytes. A unit above a byte becomes 255, and ends the prefix. */
  #prefix(number: number): number {
    const [start, end] = [this.#starts[number]!, this.#starts[number + 1]!]
    let prefix = 0
    let isCut = false
    for (let at = start; at < start + PREFIX_UNITS; at++) {
      const unit: number = isCut || at >= end ? 0 : this.#units[at]!
      prefix = prefix * 256 + Math.min(unit, 255)
      isCut ||= unit >= 255
    }
    return prefix
  }

  #compare(one: number, other: number): number {
    const [from, otherFrom] = [this.#starts[one]!, this.#starts[other]!]
    const [length, otherLength] = [this.#starts[one + 1]! - from, this.#starts[other + 1]! - otherFrom]
    for (let n = 0; n < Math.min(length, otherLength); n++) {
      const difference = this.#units[from + n]! - this.#units[otherFrom + n]!
      if (difference !== 0) return difference
    }
    return length - otherLength
  }
}

/** Mixes the upper bits into the lower ones, which choose the slot. */
const spread = (hash: number): number => hash ^ (hash >>> 15)

function grown<Values extends Int32Array | Uint32Array | Uint16Array>(values: Values, into: Values): Values {
  into.set(values)
  return into
}
