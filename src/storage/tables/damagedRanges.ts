/**
 * Ranges of keys whose pages in the store's file are damaged. LMDB must not read them: it would end the process by a
 * signal, or not find rows that exist. All threads of a process share the list, so it lies in shared memory.
 */
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

/** Keys as bytes, from `from` on and below `to`; undefined means the first or the last key of the table. */
export interface KeyRange {
  readonly from: Buffer | undefined
  readonly to: Buffer | undefined
}

/** A range of a table, by the table's name. Threads send it to each other, so its keys are plain bytes. */
export interface TableRange {
  readonly table: string
  readonly from: Uint8Array | undefined
  readonly to: Uint8Array | undefined
}

/** Bytes of the list. */
const CAPACITY = 2 ** 18
/** Ranges of one table; with more of them, all between the first and the last counts as damaged. */
const MAX_RANGES = 32

/** In words of 4 bytes: version of the list, its length in bytes; then the list as JSON. */
const VERSION = 0
const LENGTH = 1
const HEAD_BYTES = 8

type Written = readonly [table: string, from: string | null, to: string | null]

export class DamagedRanges {
  readonly #name: string
  readonly #words: Int32Array
  readonly #bytes: Buffer
  #version = 0
  #byTable = new Map<string, readonly KeyRange[]>()

  /** Threads that start later share the list of the thread that opened the store at `path` first. */
  constructor(path: string) {
    this.#name = `palimpsest damaged ranges ${path}`
    const known = getEnvironmentData(this.#name)
    const shared = known instanceof SharedArrayBuffer ? known : new SharedArrayBuffer(HEAD_BYTES + CAPACITY)
    if (shared !== known) setEnvironmentData(this.#name, shared)
    this.#words = new Int32Array(shared, 0, 2)
    this.#bytes = Buffer.from(shared, HEAD_BYTES)
  }

  /** Whether there is any. Every read of a row asks this. */
  get any(): boolean {
    return this.#words[LENGTH] !== 0
  }

  /** The ranges of a table, in the order of their keys. */
  of(table: string): readonly KeyRange[] {
    const version = Atomics.load(this.#words, VERSION)
    if (version !== this.#version) {
      this.#byTable = this.#read()
      this.#version = version
    }
    return this.#byTable.get(table) ?? []
  }

  count(): number {
    this.of('')
    return [...this.#byTable.values()].reduce((sum, ranges) => sum + ranges.length, 0)
  }

  /** Replaces the list. One thread of a process does so. */
  replace(ranges: readonly TableRange[]): void {
    const bytes = encode(ranges)
    this.#words[LENGTH] = 0
    this.#bytes.set(bytes)
    this.#words[LENGTH] = ranges.length === 0 ? 0 : bytes.length
    Atomics.add(this.#words, VERSION, 1)
  }

  /** Threads that start later begin with a list of their own. */
  close(): void {
    setEnvironmentData(this.#name, undefined)
  }

  #read(): Map<string, readonly KeyRange[]> {
    if (!this.any) return new Map()
    const text = Buffer.from(this.#bytes.subarray(0, this.#words[LENGTH])).toString()
    return byTable(JSON.parse(text) as Written[])
  }
}

/** Ranges that lie next to each other become one; more than fit are widened. */
function encode(ranges: readonly TableRange[]): Buffer {
  const all = byTable(ranges.map(({ table, from, to }): Written => [table, toHex(from), toHex(to)]))
  for (let most = MAX_RANGES; ; most = Math.floor(most / 2)) {
    const written = [...all].flatMap(([table, ofTable]) =>
      widened(ofTable, most).map(({ from, to }): Written => [table, toHex(from), toHex(to)]),
    )
    const bytes = Buffer.from(JSON.stringify(written))
    if (bytes.length <= CAPACITY) return bytes
  }
}

/** At most `most` ranges that hold all of the given ones. */
function widened(ranges: readonly KeyRange[], most: number): readonly KeyRange[] {
  return ranges.length <= Math.max(1, most) ? ranges : [{ from: ranges[0]!.from, to: ranges.at(-1)!.to }]
}

function byTable(ranges: readonly Written[]): Map<string, readonly KeyRange[]> {
  const groups = new Map<string, KeyRange[]>()
  for (const [table, from, to] of ranges) {
    const group = groups.get(table) ?? []
    group.push({ from: fromHex(from), to: fromHex(to) })
    groups.set(table, group)
  }
  return new Map([...groups].map(([table, group]) => [table, joined(group)]))
}

/** In order, without overlaps. */
function joined(ranges: readonly KeyRange[]): KeyRange[] {
  const sorted = ranges.toSorted((a, b) => compareFrom(a.from, b.from))
  const result: KeyRange[] = []
  for (const range of sorted) {
    const last = result.at(-1)
    if (last === undefined || (last.to !== undefined && compareFrom(range.from, last.to) > 0))
      result.push(range)
    else result[result.length - 1] = { from: last.from, to: later(last.to, range.to) }
  }
  return result
}

/** Undefined comes first. */
function compareFrom(a: Buffer | undefined, b: Buffer | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  return Buffer.compare(a, b)
}

function later(a: Buffer | undefined, b: Buffer | undefined): Buffer | undefined {
  if (a === undefined || b === undefined) return undefined
  return Buffer.compare(a, b) < 0 ? b : a
}

const toHex = (key: Uint8Array | undefined): string | null =>
  key === undefined ? null : Buffer.from(key).toString('hex')

const fromHex = (hex: string | null): Buffer | undefined =>
  hex === null ? undefined : Buffer.from(hex, 'hex')

/** Name of the counter's memory. */
const COUNT_NAME = 'palimpsest damaged rows'

/** Counts the damaged rows that the threads of this process have read, in one number for all threads. */
export class DamageCount {
  readonly #count: Int32Array

  /** Threads that start later share the counter of the thread that opened a store first. */
  constructor() {
    const known = getEnvironmentData(COUNT_NAME)
    const shared = known instanceof SharedArrayBuffer ? known : new SharedArrayBuffer(4)
    if (shared !== known) setEnvironmentData(COUNT_NAME, shared)
    this.#count = new Int32Array(shared)
  }

  add(): void {
    Atomics.add(this.#count, 0, 1)
  }

  get value(): number {
    return Atomics.load(this.#count, 0)
  }
}
