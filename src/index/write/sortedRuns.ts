/**
 * Postings on the disk, on their way into an index. A run has the postings of some thousand pages by term. The runs are
 * merged at the end, so that each row of the index is written once, whatever the number of pages.
 *
 *     pages ──► run ─┐
 *     pages ──► run ─┼─ merge by term ──► rows
 *     pages ──► run ─┘
 *
 * Without runs, a transaction changes rows all over the index: nearly each posting of a large wiki costs a page of the
 * file, and the memory for it.
 */
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { Postings } from '../rows/postingRow.js'
import type { TermChange } from './termChanges.js'

/** Written at once. */
const BLOCK_BYTES = 2 ** 20
/** For reading all runs together, and the least for one. */
const READ_BYTES = 32 * 2 ** 20
const MIN_READ_BYTES = 2 ** 12
/** Longest number as bytes of seven bits: 40 bits of distance and slot. */
const MAX_NUMBER_BYTES = 6

interface Run {
  readonly from: number
  readonly to: number
}

export class SortedRuns {
  readonly #file: number
  readonly #runs: Run[] = []
  readonly #block = Buffer.allocUnsafe(BLOCK_BYTES)
  #used = 0
  #written = 0
  #read = 0

  /** Makes a file that is gone with this process. */
  constructor(path: string) {
    this.#file = openSync(path, 'wx+')
    unlinkSync(path)
  }

  get count(): number {
    return this.#runs.length
  }

  /** Share of the bytes that the merge has read. */
  get share(): number {
    return this.#written === 0 ? 0 : this.#read / this.#written
  }

  /** Adds a run. Terms come in order, and pages within each. No page has a term in two runs. */
  add(changes: Iterable<TermChange>): void {
    const from = this.#written + this.#used
    for (const change of changes) this.#put(change)
    const to = this.#written + this.#used
    if (to > from) this.#runs.push({ from, to })
  }

  /** All postings, term by term in order. The caller must be done with a term before it takes the next. */
  *merge(): Generator<TermChange, void> {
    this.#flush()
    const bytes = Math.max(MIN_READ_BYTES, Math.floor(READ_BYTES / Math.max(1, this.#runs.length)))
    const readers = this.#runs.map(
      (run) => new RunReader(this.#file, run, bytes, (read) => (this.#read += read)),
    )
    const heap = new Heap(readers.filter((reader) => reader.next()))
    const merged = new Postings()
    while (heap.least !== undefined) {
      const { term } = heap.least
      merged.clear()
      let isInOrder = true
      for (let reader = heap.least; reader?.term === term; reader = heap.least) {
        isInOrder &&= merged.length === 0 || merged.pages[merged.length - 1]! < reader.firstPage
        reader.take(merged)
        heap.advance()
      }
      if (!isInOrder) sortByPage(merged)
      yield { term, pages: merged.pages, slots: merged.slots, from: 0, to: merged.length }
    }
  }

  close(): void {
    closeSync(this.#file)
  }

  #put({ term, pages, slots, from, to }: TermChange): void {
    const length = Buffer.byteLength(term)
    this.#reserve(length + 2 * MAX_NUMBER_BYTES)
    this.#number(length)
    this.#used += this.#block.write(term, this.#used)
    this.#number(to - from)
    let last = 0
    for (let n = from; n < to; n++) {
      this.#reserve(MAX_NUMBER_BYTES)
      this.#number((pages[n]! - last) * SLOTS + slots[n]!)
      last = pages[n]!
    }
  }

  #number(number: number): void {
    let rest = number
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#block[this.#used++] = (rest % 128) | 128
    this.#block[this.#used++] = rest
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes > BLOCK_BYTES) this.#flush()
  }

  #flush(): void {
    for (let at = 0; at < this.#used;)
      at += writeSync(this.#file, this.#block, at, this.#used - at, this.#written + at)
    this.#written += this.#used
    this.#used = 0
  }
}

const SLOTS = 16

/** Reads the records of one run. */
class RunReader {
  term = ''
  /** The first page of the present term. */
  firstPage = 0
  readonly #file: number
  #at: number
  readonly #to: number
  readonly #buffer: Buffer
  readonly #onRead: (bytes: number) => void
  #from = 0
  #end = 0
  #left = 0
  #slot = 0

  constructor(file: number, { from, to }: Run, bytes: number, onRead: (bytes: number) => void) {
    this.#file = file
    this.#at = from
    this.#to = to
    this.#buffer = Buffer.allocUnsafe(bytes)
    this.#onRead = onRead
  }

  /** Goes to the next term. False after the last. */
  next(): boolean {
    this.#fill()
    if (this.#from === this.#end) return false
    const length = this.#number()
    this.term = this.#buffer.toString('utf8', this.#from, this.#from + length)
    this.#from += length
    this.#left = this.#number()
    this.firstPage = this.#posting(0)
    return true
  }

  /** Appends the postings of the present term. */
  take(into: Postings): void {
    into.reserve(this.#left)
    let page = this.firstPage
    into.push(page, this.#slot)
    for (let left = this.#left - 1; left > 0; left--) {
      page = this.#posting(page)
      into.push(page, this.#slot)
    }
  }

  #posting(last: number): number {
    if (this.#end - this.#from < MAX_NUMBER_BYTES) this.#fill()
    const packed = this.#number()
    this.#slot = packed % SLOTS
    return last + Math.floor(packed / SLOTS)
  }

  #number(): number {
    let number = 0
    let factor = 1
    for (;;) {
      const byte = this.#buffer[this.#from++]!
      number += (byte & 127) * factor
      if (byte < 128) return number
      factor *= 128
    }
  }

  /** Fills the buffer, unless it has the longest head of a record. */
  #fill(): void {
    if (this.#end - this.#from >= MAX_HEAD_BYTES || this.#at === this.#to) return
    this.#buffer.copy(this.#buffer, 0, this.#from, this.#end)
    this.#end -= this.#from
    this.#from = 0
    while (this.#end < this.#buffer.length && this.#at < this.#to) {
      const room = Math.min(this.#buffer.length - this.#end, this.#to - this.#at)
      const read = readSync(this.#file, this.#buffer, this.#end, room, this.#at)
      if (read === 0) throw new Error('the file of runs is shorter than its runs')
      this.#end += read
      this.#at += read
      this.#onRead(read)
    }
  }
}

/** A term has 2,000 bytes at most, as the keys of LMDB. */
const MAX_HEAD_BYTES = 2048

/** Readers by term, and among equal terms by page. */
class Heap {
  readonly #readers: RunReader[]

  constructor(readers: readonly RunReader[]) {
    this.#readers = [...readers]
    for (let at = this.#readers.length >> 1; at-- > 0;) this.#sink(at)
  }

  get least(): RunReader | undefined {
    return this.#readers[0]
  }

  /** Moves the least reader to its next term. */
  advance(): void {
    const readers = this.#readers
    if (!readers[0]!.next()) {
      const last = readers.pop()!
      if (readers.length === 0) return
      readers[0] = last
    }
    this.#sink(0)
  }

  #sink(from: number): void {
    const readers = this.#readers
    const moved = readers[from]!
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= readers.length) break
      if (child + 1 < readers.length && isBefore(readers[child + 1]!, readers[child]!)) child++
      if (!isBefore(readers[child]!, moved)) break
      readers[at] = readers[child]!
      at = child
    }
    readers[at] = moved
  }
}

/** Pages of two threads interleave. */
function sortByPage({ pages, slots, length }: Postings): void {
  const packed = Float64Array.from(pages.subarray(0, length), (page, n) => page * SLOTS + slots[n]!).sort()
  for (let n = 0; n < length; n++) {
    pages[n] = Math.floor(packed[n]! / SLOTS)
    slots[n] = packed[n]! % SLOTS
  }
}

const isBefore = (one: RunReader, other: RunReader): boolean =>
  one.term === other.term ? one.firstPage < other.firstPage : one.term < other.term
