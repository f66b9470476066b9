/**
 * Values of ids on disk, in runs that are each in the order of ids. The file has no name, so it is gone when the
 * process ends, however that happens.
 *
 *     run      records in the order of ids; one id may have several in a row
 *     record   id u32, SQL rows u32, length u32 → JSON [name, value, name, value, …]
 */
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'

const HEAD_BYTES = 12
const WRITE_BYTES = 2 ** 20
const READ_BYTES = 2 ** 18
/** UTF-8 takes at most this many bytes for a UTF-16 unit. */
const BYTES_PER_UNIT = 3

/** Values of one id, and the number of SQL rows that they come from. */
export interface Record {
  readonly id: number
  readonly rows: number
  /** Names and values in turn. */
  readonly flat: string[]
}

export class SortedRuns {
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
