/**
 * Brings rows of a table into the order of ids, so that the store writes each id once. Tables are mostly in that order
 * already: their rows pass. From the first row out of order on, rows are sorted in runs, which are merged at the end.
 *
 *     in order ──────────────────────────────────────────────► take
 *     then     ──► 262,144 values ──sort──► run on disk ─┐
 *              ──► 262,144 values ──sort──► run on disk ─┴merge─► take
 */
import type { NamedValues } from '../../storage/sqlTables/sqlTables.js'
import { type Record, SortedRuns } from './sortedRuns.js'

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
