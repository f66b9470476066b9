/**
 * Brings rows of a table into the order of ids, so that the store writes each id once. Tables are mostly in that order
 * already: their rows pass. From the first row out of order on, rows are sorted in runs, which are merged at the end.
 *
 *     in order ──────────────────────────────────────────────► take
 *     then     ──► 262,144 values ──sort──► run on disk ─┐
 *              ──► 262,144 values ──sort──► run on disk ─┴merge─► take
 */
import type { NamedValues } from '../../storage/sqlTables/sqlTables.js'
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'

export interface SorterLimits {
  /** Values that are sorted at once. */
  readonly runValues: number
  /** Runs that are merged at once. More would need more memory. */
  readonly maxRuns: number
}
/** A run takes about 40 MB. Keys are exact, since ids are below 2^32. */
const LIMITS: SorterLimits = { runValues: 2 ** 18, maxRuns: 64 }
/** A record ends after this many values, or UTF-16 units of them. */
const MAX_RECORD_VALUES = 512
const MAX_RECORD_UNITS = 65_536

export class RowSorter {
  readonly #makePath: () => string
  readonly #take: (record: Record) => void
  readonly #limits: SorterLimits
  #lastId = 0
  #isInOrder = true
  #runs: SortedRuns | undefined
  /** For each value its id, times `runValues`, plus its place in the arrays below. */
  #keys = new Float64Array(0)
  readonly #names: string[] = []
  readonly #values: string[] = []
  /** 1 for the first value of an SQL row. */
  #isFirst = new Uint8Array(0)

  /** `makePath` names a file for rows that do not fit into memory. `take` gets records in the order of ids. */
  constructor(makePath: () => string, take: (record: Record) => void, limits: SorterLimits = LIMITS) {
    this.#makePath = makePath
    this.#take = take
    this.#limits = limits
  }

  /** Adds a row. Ids are below 2^32. */
  add(id: number, values: NamedValues): void {
    if (this.#isInOrder && id >= this.#lastId) {
      this.#lastId = id
      this.#take({ id, rows: 1, flat: values.flat() })
      return
    }
    if (this.#isInOrder) this.#beginSorting()
    if (this.#names.length + values.length > this.#limits.runValues) this.#spill()
    for (let n = 0; n < values.length; n++) {
      const at = this.#names.length
      this.#keys[at] = id * this.#limits.runValues + at
      this.#isFirst[at] = n === 0 ? 1 : 0
      this.#names.push(values[n]![0])
      this.#values.push(values[n]![1])
    }
  }

  /** Hands over the rest of the rows. More may be added afterwards. */
  end(): void {
    if (this.#runs === undefined) this.#sort(this.#take)
    else {
      this.#spill()
      this.#runs.drain(this.#take)
    }
    this.close()
  }

  /** Forgets the rest of the rows. */
  close(): void {
    this.#runs?.close()
    this.#runs = undefined
    this.#names.length = this.#values.length = 0
    this.#keys = new Float64Array(0)
    this.#isFirst = new Uint8Array(0)
    this.#isInOrder = true
    this.#lastId = 0
  }

  #beginSorting(): void {
    this.#isInOrder = false
    this.#keys = new Float64Array(this.#limits.runValues)
    this.#isFirst = new Uint8Array(this.#limits.runValues)
  }

  #spill(): void {
    const runs = (this.#runs ??= new SortedRuns(this.#makePath()))
    this.#sort((record) => runs.write(record))
    runs.endRun()
    if (runs.count === this.#limits.maxRuns) runs.drain(this.#take)
  }

  /** Hands over the values in memory in the order of ids, then as they came, and forgets them. */
  #sort(take: (record: Record) => void): void {
    const keys = this.#keys.subarray(0, this.#names.length).sort()
    for (let at = 0; at < keys.length;) {
      const record = this.#recordAt(keys, at)
      at += record.flat.length / 2
      take(record)
    }
    this.#names.length = this.#values.length = 0
  }

  /** The values of one id from a place in the order on, as many as one record may have. */
  #recordAt(keys: Float64Array, from: number): Record {
    const { runValues } = this.#limits
    const id = Math.floor(keys[from]! / runValues)
    const flat: string[] = []
    let rows = 0
    let units = 0
    for (let at = from; at < keys.length && at < from + MAX_RECORD_VALUES && units < MAX_RECORD_UNITS; at++) {
      const place = keys[at]! - id * runValues
      if (place >= runValues) break
      flat.push(this.#names[place]!, this.#values[place]!)
      rows += this.#isFirst[place]!
      units += this.#values[place]!.length
    }
    return { id, rows, flat }
  }
}

// Values of ids on disk, in runs that are each in the order of ids. The file has no name, so it is gone when the
// process ends, however that happens.
//
//     run      records in the order of ids; one id may have several in a row
//     record   id u32, SQL rows u32, length u32 → JSON [name, value, name, value, …]

const HEAD_BYTES = 12
const WRITE_BYTES = 2 ** 20
const READ_BYTES = 2 ** 18
/** UTF-8 takes at most this many bytes for a UTF-16 unit. */
const BYTES_PER_UNIT = 3

/** Values of one id, and the number of SQL rows that they come from. */
interface Record {
  readonly id: number
  readonly rows: number
  /** Names and values in turn. */
  readonly flat: string[]
}

class SortedRuns {
  readonly #file: number
  /** Where each run ends in the file. */
  readonly #ends: number[] = []
  #length = 0
  #out = Buffer.allocUnsafe(WRITE_BYTES)
  #outLength = 0

  /** Makes the file at a path and takes its name away. */
  constructor(path: string) {
    this.#file = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
  }

  get count(): number {
    return this.#ends.length
  }

  /** Adds a record to the run. Ids do not fall within a run. */
  write({ id, rows, flat }: Record): void {
    const json = JSON.stringify(flat)
    const most = HEAD_BYTES + BYTES_PER_UNIT * json.length
    if (this.#outLength + most > this.#out.length) this.#flush()
    if (most > this.#out.length) this.#out = Buffer.allocUnsafe(most)
    const at = this.#outLength
    const length = this.#out.write(json, at + HEAD_BYTES)
    this.#out.writeUInt32LE(id, at)
    this.#out.writeUInt32LE(rows, at + 4)
    this.#out.writeUInt32LE(length, at + 8)
    this.#outLength = at + HEAD_BYTES + length
  }

  endRun(): void {
    this.#flush()
    this.#ends.push(this.#length)
  }

  /** Hands over all records in the order of ids, those of one id in the order in which they came, and forgets them. */
  drain(take: (record: Record) => void): void {
    const readers = this.#ends.map((end, n) => new RunReader(this.#file, this.#ends[n - 1] ?? 0, end))
    for (;;) {
      let least = Infinity
      for (const { id } of readers) if (id < least) least = id
      if (least === Infinity) break
      for (const reader of readers) while (reader.id === least) take(reader.take())
    }
    this.#ends.length = this.#length = 0
  }

  close(): void {
    closeSync(this.#file)
  }

  #flush(): void {
    for (let at = 0; at < this.#outLength;)
      at += writeSync(this.#file, this.#out, at, this.#outLength - at, this.#length + at)
    this.#length += this.#outLength
    this.#outLength = 0
  }
}

/** Reads one run. */
class RunReader {
  /** Id of the next record; Infinity at the end. */
  id = Infinity
  readonly #file: number
  readonly #end: number
  /** Place in the file behind the bytes of `#buffer`. */
  #place: number
  #buffer: Buffer = Buffer.alloc(0)
  #at = 0

  constructor(file: number, start: number, end: number) {
    this.#file = file
    this.#place = start
    this.#end = end
    this.#readHead()
  }

  take(): Record {
    const rows = this.#buffer.readUInt32LE(this.#at + 4)
    const length = this.#buffer.readUInt32LE(this.#at + 8)
    this.#require(HEAD_BYTES + length)
    const start = this.#at + HEAD_BYTES
    const flat = JSON.parse(this.#buffer.toString('utf8', start, start + length)) as string[]
    const { id } = this
    this.#at = start + length
    this.#readHead()
    return { id, rows, flat }
  }

  #readHead(): void {
    const isAtEnd = this.#place === this.#end && this.#at === this.#buffer.length
    if (!isAtEnd) this.#require(HEAD_BYTES)
    this.id = isAtEnd ? Infinity : this.#buffer.readUInt32LE(this.#at)
  }

  /** Makes sure that the buffer has this many bytes from `#at` on. */
  #require(bytes: number): void {
    const rest = this.#buffer.subarray(this.#at)
    if (rest.length >= bytes) return
    const wanted = Math.min(Math.max(READ_BYTES, bytes), rest.length + this.#end - this.#place)
    const buffer = Buffer.allocUnsafeSlow(wanted)
    let length = rest.copy(buffer)
    while (length < wanted) {
      const read = readSync(this.#file, buffer, length, wanted - length, this.#place)
      if (read === 0) throw new Error('a file of sorted rows is shorter than what was written to it')
      length += read
      this.#place += read
    }
    this.#buffer = buffer
    this.#at = 0
  }
}
