/** A table that seals rows when it writes them, and checks the seals when it reads them. */
import type { Database, Key } from 'lmdb'
import type { IndexRange, IndexTable } from '../../index/rows/tables.js'
import type { ColdRows } from './coldReads.js'
import { type CheckedRows, MIN_REMEMBERED_BYTES } from './checkedRows.js'
import type { DamageCount, DamagedRanges, KeyRange } from './damagedRanges.js'
import { DamagedRowError } from './errors.js'
import type { KeyCodec } from '../rows/keys.js'
import { hashBytes, SEAL_BYTES, sealed, tableHash, unsealed } from '../rows/seal.js'

/** State that all tables of a store share. */
export interface SealState {
  readonly damage: DamageCount
  readonly checked: CheckedRows
  readonly ranges: DamagedRanges
  readonly cold: ColdRows
  /** Called after LMDB failed to read, since LMDB then refuses further reads from the same snapshot. */
  readonly afterFault: () => void
}

/**
 * Encodes keys for lmdb, and keeps the hash of the key that was encoded or decoded last, so that no key is encoded
 * twice.
 */
export class HashingCodec<K> implements KeyCodec<K> {
  keyHash = 0
  readonly #codec: KeyCodec<K>
  readonly #tableHash: number

  readonly #name: string
  readonly #damage: DamageCount

  constructor(name: string, codec: KeyCodec<K>, damage: DamageCount) {
    this.#name = name
    this.#codec = codec
    this.#damage = damage
    this.#tableHash = tableHash(name)
    // lmdb takes these methods from the object and calls them without it.
    this.writeKey = this.writeKey.bind(this)
    this.readKey = this.readKey.bind(this)
  }

  writeKey(key: K, target: Buffer, start: number): number {
    const end = this.#codec.writeKey(key, target, start)
    this.keyHash = hashBytes(this.#tableHash, target, start, end)
    return end
  }

  readKey(source: Buffer, start: number, end: number): K {
    this.keyHash = hashBytes(this.#tableHash, source, start, end)
    try {
      return this.#codec.readKey(source, start, end)
    } catch (error) {
      // The length of the key is not that of the table's keys.
      this.#damage.add()
      throw new DamagedRowError(this.#name, undefined, error)
    }
  }
}

/** Rows to read from the disk at a time. libuv has four threads, unless UV_THREADPOOL_SIZE says otherwise. */
const READS_AT_ONCE = 16

/** Longer than any key. */
const scratchKey = Buffer.alloc(4096)

/** The methods of lmdb's tables in use here. */
type LmdbTable = Pick<
  Database<Buffer, Key>,
  | 'getBinary'
  | 'doesExist'
  | 'putSync'
  | 'removeSync'
  | 'clearSync'
  | 'getRange'
  | 'getKeys'
  | 'getKeysCount'
  | 'prefetch'
> & { getBinaryFast(key: Key): Uint8Array | undefined }

export class SealedTable<K> implements IndexTable<K> {
  readonly #name: string
  readonly #codec: HashingCodec<K>
  readonly #rows: LmdbTable
  readonly #damage: DamageCount
  readonly #checked: CheckedRows
  readonly #ranges: DamagedRanges
  readonly #cold: ColdRows
  readonly #afterFault: () => void

  /** `codec` must be the one with which lmdb encodes the table's keys. */
  constructor(
    name: string,
    codec: HashingCodec<K>,
    rows: LmdbTable,
    { damage, checked, ranges, cold, afterFault }: SealState,
  ) {
    this.#name = name
    this.#codec = codec
    this.#rows = rows
    this.#damage = damage
    this.#checked = checked
    this.#ranges = ranges
    this.#cold = cold
    this.#afterFault = afterFault
  }

  getBinaryFast(key: K): Buffer | undefined {
    // No closure here: every page read runs this code.
    if (this.#ranges.any) this.#refuseKey(key)
    if (this.#cold.armed) this.#requireWarm(key)
    let bytes: Uint8Array | undefined
    try {
      bytes = this.#rows.getBinaryFast(key as Key)
    } catch (error) {
      if (isDamage(error)) return this.#fail(key, error)
      throw error
    }
    return bytes === undefined ? undefined : this.#openKnown(key, asBuffer(bytes))
  }

  getBinary(key: K): Buffer | undefined {
    if (this.#ranges.any) this.#refuseKey(key)
    if (this.#cold.armed) this.#requireWarm(key)
    const bytes = this.#read(key, () => this.#rows.getBinary(key as Key))
    return bytes === undefined ? undefined : this.#open(key, asBuffer(bytes))
  }

  getUnchecked(key: K): Buffer | undefined {
    const bytes = this.#rows.getBinary(key as Key)
    return bytes === undefined ? undefined : asBuffer(bytes)
  }

  expect(keys: () => readonly K[]): void {
    if (this.#cold.armed) return this.#requireWarm(...keys())
    if (!this.#cold.isAlert) return
    const cold = this.#coldOf(keys())
    for (const key of cold) this.#cold.touched(this.#hashOf(key))
    // If a row cannot be touched, its read fails, too, and reports why.
    this.#touch(cold).catch(() => undefined)
  }

  doesExist(key: K): boolean {
    if (this.#ranges.any) this.#refuseKey(key)
    if (this.#cold.armed) this.#requireWarm(key)
    return this.#read(key, () => this.#rows.doesExist(key as Key))
  }

  putSync(key: K, row: Uint8Array): void {
    if (this.#ranges.any) this.#refuseKey(key)
    this.#codec.writeKey(key, scratchKey, 0)
    this.#rows.putSync(key as Key, sealed(this.#codec.keyHash, row))
  }

  removeSync(key: K): boolean {
    if (this.#ranges.any) this.#refuseKey(key)
    return this.#rows.removeSync(key as Key)
  }

  clearSync(): void {
    if (this.#ranges.any && this.#ranges.of(this.#name).length > 0) this.#fail(undefined)
    this.#rows.clearSync()
  }

  getRange(range: IndexRange<K>): Iterable<{ key: K; value: Buffer }> {
    const cut = this.#ranges.any ? this.#cut(range) : undefined
    if (this.#cold.armed) this.#requireWarm(range.start, range.end)
    return cut === undefined ? this.#rowsOf(range) : this.#upTo(cut, range, (part) => this.#rowsOf(part))
  }

  *#rowsOf(range: IndexRange<K>): Generator<{ key: K; value: Buffer }> {
    const rows = this.#rows.getRange(range as object)[Symbol.iterator]()
    try {
      for (;;) {
        // No closure here: a history has many rows.
        let next
        try {
          next = rows.next()
        } catch (error) {
          if (isDamage(error)) this.#fail(undefined, error)
          throw error
        }
        if (next.done) return
        const { key, value } = next.value as unknown as { key: K; value: Uint8Array }
        yield { key, value: this.#open(key, asBuffer(value)) }
      }
    } finally {
      rows.return?.()
    }
  }

  getKeys(range: IndexRange<K>): Iterable<K> {
    const cut = this.#ranges.any ? this.#cut(range) : undefined
    if (this.#cold.armed) this.#requireWarm(range.start, range.end)
    return cut === undefined ? this.#keysOf(range) : this.#upTo(cut, range, (part) => this.#keysOf(part))
  }

  /** lmdb writes into the range that it gets, which callers use again: hence the copy. */
  #keysOf(range: IndexRange<K>): Iterable<K> {
    return this.#rows.getKeys({ ...range } as object) as unknown as Iterable<K>
  }

  getKeysCount(range: IndexRange<K>): number {
    if (this.#ranges.any && this.#cut(range) !== undefined) this.#fail(undefined)
    if (this.#cold.armed) this.#requireWarm(range.start, range.end)
    return this.#read(undefined, () => this.#rows.getKeysCount({ ...range } as object))
  }

  /** Like `#open`, but does not check a large row again that was checked a moment ago. */
  #openKnown(key: K, bytes: Buffer): Buffer {
    const end = bytes.length - SEAL_BYTES
    if (end < MIN_REMEMBERED_BYTES) return this.#open(key, bytes)
    const { keyHash } = this.#codec
    const seal = bytes.readUInt32BE(end)
    if (this.#checked.has(keyHash, seal)) return bytes.subarray(0, end)
    const row = this.#open(key, bytes)
    this.#checked.add(keyHash, seal)
    return row
  }

  /** Checks the row of the key that was encoded or decoded last. */
  #open(key: K, bytes: Buffer): Buffer {
    return unsealed(this.#codec.keyHash, bytes) ?? this.#fail(key)
  }

  /** Throws for a key that LMDB would look for in a damaged page. */
  #refuseKey(key: K): void {
    const bytes = this.#bytesOf(key)
    if (this.#ranges.of(this.#name).some((range) => holds(range, bytes))) this.#fail(key)
  }

  /** Throws a ColdRowError unless rows were touched lately. Of a range, its ends stand for the rows between. */
  #requireWarm(...keys: readonly (K | undefined)[]): void {
    const cold = this.#coldOf(keys)
    if (cold.length === 0) return
    const hashes = cold.map((key) => this.#hashOf(key))
    this.#cold.refuse(hashes, () => this.#touch(cold))
  }

  #coldOf(keys: readonly (K | undefined)[]): K[] {
    return keys.filter((key): key is K => key !== undefined && !this.#cold.isWarm(this.#hashOf(key)))
  }

  /** Reads rows in threads of libuv, several at a time, roughly in the order of their keys. */
  async #touch(keys: readonly K[]): Promise<void> {
    const parts = Array.from({ length: Math.min(keys.length, READS_AT_ONCE) }, (_, part) =>
      keys.filter((_key, n) => n % READS_AT_ONCE === part),
    )
    await Promise.all(parts.map((part) => this.#rows.prefetch(part as Key[])))
  }

  #hashOf(key: K): number {
    this.#codec.writeKey(key, scratchKey, 0)
    return this.#codec.keyHash
  }

  /** The first damaged range that a walk over `range` would come to. */
  #cut({ start, end, reverse = false }: IndexRange<K>): KeyRange | undefined {
    const [low, high] = (reverse ? [end, start] : [start, end]).map((key) =>
      key === undefined ? undefined : Buffer.from(this.#bytesOf(key)),
    )
    const isReached = ({ from, to }: KeyRange): boolean =>
      isBelow(from, high, reverse) && isBelow(low, to, false)
    const ranges = this.#ranges.of(this.#name)
    return reverse ? ranges.findLast(isReached) : ranges.find(isReached)
  }

  /** Walks up to a damaged range, and fails there unless the limit comes first. A walk in reverse fails at once. */
  *#upTo<Found>(
    cut: KeyRange,
    range: IndexRange<K>,
    walk: (part: IndexRange<K>) => Iterable<Found>,
  ): Generator<Found> {
    const { start, reverse = false, limit = Infinity } = range
    const begin = start === undefined ? undefined : Buffer.from(this.#bytesOf(start))
    let count = 0
    if (!reverse && cut.from !== undefined && isBelow(begin, cut.from, false)) {
      for (const found of walk({ ...range, end: this.#codec.readKey(cut.from, 0, cut.from.length) })) {
        count++
        yield found
      }
    }
    if (count < limit) this.#fail(undefined)
  }

  /** A view that the next key takes the place of. */
  #bytesOf(key: K): Buffer {
    return scratchKey.subarray(0, this.#codec.writeKey(key, scratchKey, 0))
  }

  #fail(key: K | undefined, cause?: unknown): never {
    this.#damage.add()
    if (cause !== undefined) this.#afterFault()
    throw new DamagedRowError(this.#name, key, cause)
  }

  /** Reports a row that LMDB cannot read as damaged. */
  #read<Result>(key: K | undefined, read: () => Result): Result {
    try {
      return read()
    } catch (error) {
      if (isDamage(error)) return this.#fail(key, error)
      throw error
    }
  }
}

const holds = ({ from, to }: KeyRange, key: Buffer): boolean =>
  (from === undefined || Buffer.compare(from, key) <= 0) && (to === undefined || Buffer.compare(key, to) < 0)

/** Whether a lower end lies below an upper one, or at it where that is taken in. Undefined means no end. */
function isBelow(low: Buffer | undefined, high: Buffer | undefined, isTakenIn: boolean): boolean {
  return low === undefined || high === undefined || Buffer.compare(low, high) < (isTakenIn ? 1 : 0)
}

/** LMDB's error for a snapshot that already had a fault. */
const BAD_TRANSACTION = -30782

/** LMDB's own error numbers. */
function isDamage(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'number' && code < -30700 && code > -30800 && code !== BAD_TRANSACTION
}

/** lmdb returns values above 16 MiB as plain Uint8Arrays, contrary to its types. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
