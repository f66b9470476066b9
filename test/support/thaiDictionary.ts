/** Small dictionaries in libdatrie's format, and the one of libthai where it is installed. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FIRST = 0xe01
const LAST = 0xe5b
const ROOT = 2

/** Where Debian's libthai-data has it. */
export const LIBTHAI_FILE = '/usr/share/libthai/thbrk.tri'
export const hasLibthai = existsSync(LIBTHAI_FILE)

/** Own lines, and where libthai breaks them: made by fixtures/thai/record.py. */
export function recordedLines(): (readonly [line: string, breaks: readonly number[]])[] {
  return readFileSync(join(import.meta.dirname, '../fixtures/thai/lines.jsonl'), 'utf8')
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => JSON.parse(row) as [string, number[]])
}

const codeOf = (sign: string): number => sign.charCodeAt(0) - FIRST + 1

export const u32 = (...numbers: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * numbers.length)
  numbers.forEach((number, n) => bytes.writeInt32BE(number | 0, 4 * n))
  return bytes
}

export const ALPHABET = u32(0xd9fcd9fc, 1, FIRST, LAST)

/** A cell for each number up to the last, as [base, check]; cell 0 is the head. */
export function cellsOf(cells: ReadonlyMap<number, readonly [base: number, check: number]>): Buffer {
  const count = Math.max(...cells.keys()) + 1
  const numbers = Array.from({ length: count - 1 }, (_, n) => cells.get(n + 1) ?? [-1, -1])
  return u32(0xdafcdafc, count, ...numbers.flat())
}

export function tailsOf(tails: readonly (readonly number[])[]): Buffer {
  const blocks = tails.map((codes) =>
    Buffer.concat([u32(-1, -1), Buffer.from([codes.length >> 8, codes.length & 255]), Buffer.from(codes)]),
  )
  return Buffer.concat([u32(0xdffcdffc, 0, tails.length), ...blocks])
}

/** A dictionary of words that begin with different signs. */
export function dictionaryOf(words: readonly string[]): Buffer {
  const cells = new Map<number, readonly [number, number]>([[ROOT, [ROOT, 0]]])
  words.forEach((word, n) => cells.set(ROOT + codeOf(word), [-1 - n, ROOT]))
  const tails = words.map((word) => Array.from(word.slice(1), codeOf))
  return Buffer.concat([ALPHABET, cellsOf(cells), tailsOf(tails)])
}
