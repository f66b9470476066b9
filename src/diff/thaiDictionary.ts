/**
 * A Thai dictionary in the format of libdatrie, such as libthai's `thbrk.tri`. All numbers are big-endian.
 *
 *     alphabet   magic u32, count u32, then [first u32, last u32]: ranges of code points; codes count from 1
 *     cells      magic u32, count u32, then from cell 1 on [base i32, check i32]; cell 2 is the root
 *     tails      magic u32, first free u32, count u32, then [next free i32, data i32, length u16, codes u8…]
 *
 * The cell `base[s] + code` follows `s` if its `check` is `s`. Code 0 ends a word. A negative base leads to the tail
 * with the rest of the only word: -1 to the first one.
 */
import { UserError } from '../runtime/userError.js'

const ALPHABET_MAGIC = 0xd9fcd9fc
const CELLS_MAGIC = 0xdafcdafc
const TAILS_MAGIC = 0xdffcdffc
const ROOT_CELL = 2
const MAX_RANGES = 64
const MAX_CODE = 254
/** Longer words are refused, since a run takes at most this many steps for each of its characters. */
const MAX_WORD = 64
const CELL_BYTES = 8
const TAIL_BYTES = 10
const WORD_END = 0
const FIRST_THAI = 0xe00
const THAI_SIGNS = 0x80

/** The file is no dictionary, or is damaged. */
export class ThaiDictionaryError extends UserError {
  override readonly name: string = 'ThaiDictionaryError'
}

/**
 * States are numbers: a cell, or, below 0, a place in `#tails`. 0 is no state. Reading a word costs constant time for
 * each character, whatever the file has in it.
 */
export class ThaiDictionary {
  readonly root = ROOT_CELL
  readonly #codes: Uint8Array
  readonly #base: Int32Array
  readonly #check: Int32Array
  /** The tails one after another, each with `WORD_END` behind it. `-1 - state` is a place in it. */
  readonly #tails: Uint8Array
  /** By tail, the state of its start. */
  readonly #tailStates: Int32Array

  /** Throws a ThaiDictionaryError. Takes time and memory in proportion to the file. */
  constructor(bytes: Uint8Array) {
    const reader = new Reader(bytes)
    this.#codes = readAlphabet(reader)
    const cells = readCells(reader)
    this.#base = cells.base
    this.#check = cells.check
    const tails = readTails(reader)
    this.#tails = tails.codes
    this.#tailStates = tails.states
    if (!reader.isAtEnd) throw new ThaiDictionaryError('has bytes behind its end')
    checkCells(this.#base, this.#check, this.#tailStates.length)
  }

  /** The code of a UTF-16 unit; one that no word has if the alphabet lacks it. */
  code(unit: number): number {
    return this.#codes[unit - FIRST_THAI] ?? 0
  }

  /** The state after one more character, or 0 if no word goes on with it. `code` is not 0. */
  next(state: number, code: number): number {
    if (code === WORD_END) return 0
    if (state < 0) return this.#tails[-1 - state] === code ? state - 1 : 0
    const cell = this.#follow(state, code)
    if (cell === 0) return 0
    const base = this.#base[cell]!
    return base < 0 ? this.#tailStates[-1 - base]! : cell
  }

  isWord(state: number): boolean {
    return state < 0 ? this.#tails[-1 - state] === WORD_END : this.#follow(state, WORD_END) !== 0
  }

  /** Whether a longer word begins with this one. */
  canGoOn(state: number): boolean {
    return state > 0 || this.#tails[-1 - state] !== WORD_END
  }

  #follow(cell: number, code: number): number {
    const next = this.#base[cell]! + code
    return next > ROOT_CELL && this.#check[next] === cell ? next : 0
  }
}

class Reader {
  readonly bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get isAtEnd(): boolean {
    return this.#at === this.bytes.length
  }

  /** Moves on by a number of bytes. Returns the place before. */
  pass(bytes: number): number {
    const from = this.#at
    if (bytes > this.bytes.length - from) throw new ThaiDictionaryError('is cut off')
    this.#at += bytes
    return from
  }

  number(): number {
    return this.#view.getUint32(this.pass(4))
  }

  numbers(count: number): Int32Array {
    const from = this.pass(4 * count)
    const copy = new Uint8Array(this.bytes.subarray(from, from + 4 * count))
    Buffer.from(copy.buffer).swap32()
    return new Int32Array(copy.buffer)
  }

  magic(expected: number, part: string): void {
    if (this.number() !== expected) throw new ThaiDictionaryError(`is no dictionary: it has no ${part}`)
  }

  /** A number of parts that each take at least `bytes`. */
  count(bytes: number, most: number): number {
    const count = this.number()
    if (count > most || count * bytes > this.bytes.length) throw new ThaiDictionaryError('is cut off')
    return count
  }
}

/** Codes by sign of the Thai block; 0 for signs that no word has. */
function readAlphabet(reader: Reader): Uint8Array {
  reader.magic(ALPHABET_MAGIC, 'alphabet')
  const codes = new Uint8Array(THAI_SIGNS)
  let code = 1
  for (let ranges = reader.count(CELL_BYTES, MAX_RANGES); ranges > 0; ranges--) {
    const first = reader.number()
    const last = reader.number()
    if (last < first || last - first >= MAX_CODE || code + last - first > MAX_CODE)
      throw new ThaiDictionaryError('has an alphabet that is too large')
    for (let sign = first; sign <= last; sign++) codes[sign - FIRST_THAI] = code++
  }
  return codes
}

function readCells(reader: Reader): { base: Int32Array; check: Int32Array } {
  reader.magic(CELLS_MAGIC, 'cells')
  const count = reader.count(CELL_BYTES, Infinity)
  if (count <= ROOT_CELL) throw new ThaiDictionaryError('has no words')
  const numbers = reader.numbers(2 * (count - 1))
  const base = new Int32Array(count)
  const check = new Int32Array(count)
  for (let cell = 1; cell < count; cell++) {
    base[cell] = numbers[2 * cell - 2]!
    check[cell] = numbers[2 * cell - 1]!
  }
  return { base, check }
}

function readTails(reader: Reader): { codes: Uint8Array; states: Int32Array } {
  reader.magic(TAILS_MAGIC, 'tails')
  reader.number()
  const count = reader.count(TAIL_BYTES, Infinity)
  const { bytes } = reader
  const states = new Int32Array(count)
  const codes = new Uint8Array(bytes.length)
  let length = 0
  for (let tail = 0; tail < count; tail++) {
    const head = reader.pass(TAIL_BYTES)
    const signs = 256 * bytes[head + 8]! + bytes[head + 9]!
    if (signs > MAX_WORD) throw new ThaiDictionaryError(`has a word of more than ${MAX_WORD} letters`)
    const from = reader.pass(signs)
    states[tail] = -1 - length
    for (let n = 0; n < signs; n++) codes[length++] = bytes[from + n]!
    codes[length++] = WORD_END
  }
  return { codes: codes.slice(0, length), states }
}

/** Refuses cells that lead nowhere, and words that are too long, or endless because cells follow each other. */
function checkCells(base: Int32Array, check: Int32Array, tails: number): void {
  for (let cell = ROOT_CELL + 1; cell < base.length; cell++) {
    if (check[cell]! <= 0) continue
    if (base[cell]! < -tails) throw new ThaiDictionaryError('is damaged: a cell leads to no tail')
    let length = 1
    for (let before = check[cell]!; before !== ROOT_CELL; before = check[before]!) {
      if (!(before > ROOT_CELL) || ++length > MAX_WORD)
        throw new ThaiDictionaryError('is damaged: a cell belongs to no word')
    }
  }
}
