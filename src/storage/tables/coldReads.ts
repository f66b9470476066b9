/**
 * Reads of a store that is larger than memory. While rows lately came from the disk, a read runs as an attempt: the
 * first row that nobody touched lately ends it, a thread of libuv touches the row, and the read runs again. So the
 * event loop waits for no disk, and readers of rows in memory do not wait for readers of other rows.
 */
import { StoreBusyError, StoreError } from './errors.js'
import { counter, type Figure } from '../../metrics/figures.js'

/** Attempts go on so long after the last wait. */
const ALERT_MS = 5000
/** A touched row counts as in memory for one to two such periods. */
const PERIOD_MS = 2000
/** Rows that a read waits for one after the other. A read that needs more stops the event loop for the others. */
const MAX_ROUNDS = 24
/** Reads that may wait for a row at a time. */
const MAX_WAITING = 1024

export class ColdReads {
  readonly #rows: ColdRows
  #faults = 0
  #alertUntilMs = 0
  #periodEndMs = 0
  #waiting = 0
  #closed = false
  #touched = 0
  #refused = 0

  constructor(rows: ColdRows) {
    this.#rows = rows
  }

  /** Whether reads are to run as attempts. */
  get isAlert(): boolean {
    return this.#rows.isAlert
  }

  /**
   * Tells whether the process waited for the disk since the last call. Call it several times a second. `nowMs` is any
   * steady clock. `faults` counts the major page faults of the process: reads of mapped memory that waited for a disk.
   */
  look(nowMs: number, faults: number): void {
    if (faults > this.#faults) this.#alertUntilMs = nowMs + ALERT_MS
    this.#faults = faults
    this.#rows.isAlert = nowMs < this.#alertUntilMs
    if (nowMs < this.#periodEndMs) return
    this.#periodEndMs = nowMs + PERIOD_MS
    this.#rows.nextPeriod()
  }

  /**
   * Runs `read`, again whenever it came to a row that has to be touched. It must do nothing but read before its first
   * await. `detach` is called before the first wait. Throws a StoreBusyError if too many reads wait.
   */
  run<Result>(read: () => Result | Promise<Result>, detach: () => void): Result | Promise<Result> {
    const tried = this.#attempt(read)
    if ('result' in tried) return tried.result
    if (this.#waiting >= MAX_WAITING) {
      this.#refused++
      throw new StoreBusyError(`${MAX_WAITING} requests wait for rows of the store from the disk`)
    }
    detach()
    return this.#touchAndRun(read, tried.refusal)
  }

  /** Fails the reads that wait. Call it before the store closes. */
  close(): void {
    this.#closed = true
  }

  /** The result of a read in the same tick; undefined if it came to a row that has to be touched. */
  tryNow<Result>(read: () => Result): Result | undefined {
    const tried = this.#attempt(read)
    return 'result' in tried ? tried.result : undefined
  }

  async #touchAndRun<Result>(read: () => Result | Promise<Result>, first: Touch): Promise<Result> {
    let refusal = first
    for (let round = 1; round <= MAX_ROUNDS; round++) {
      await this.#touch(refusal)
      if (this.#closed) throw new StoreError('the store was closed while a row was read from the disk')
      const tried = this.#attempt(read)
      if ('result' in tried) return tried.result
      refusal = tried.refusal
    }
    return read()
  }

  async #touch(touch: Touch): Promise<void> {
    this.#waiting++
    try {
      await touch()
      this.#touched++
    } finally {
      this.#waiting--
    }
  }

  /** A refusal counts even if the read caught it. */
  #attempt<Result>(read: () => Result): { readonly result: Result } | { readonly refusal: Touch } {
    const rows = this.#rows
    rows.refusal = undefined
    rows.armed = true
    try {
      const result = read()
      if (rows.refusal === undefined) return { result }
      // An async read fails with the refusal, which nobody else hears of.
      if (result instanceof Promise) result.catch(() => undefined)
    } catch (error) {
      if (rows.refusal === undefined) throw error
    } finally {
      rows.armed = false
    }
    return { refusal: rows.refusal }
  }

  figures(): Figure[] {
    return [
      counter(
        'palimpsest_cold_rows_total',
        'Times a request waited while a thread read a row of the store that was probably not in memory.',
        this.#touched,
      ),
      counter(
        'palimpsest_cold_reads_refused_total',
        'Requests refused since too many waited for rows of the store.',
        this.#refused,
      ),
    ]
  }
}

/**
 * Slots for hashes of keys. Each has the choice of two: rows that one read needs together must not replace each other.
 * If both are taken, the newer row replaces an older one.
 */
const SLOTS = 2 ** 16

/** A row has to be touched before it can be read. Only a read that `ColdReads` runs gets it. */
export class ColdRowError extends Error {
  override readonly name = 'ColdRowError'

  constructor() {
    super('a row must be touched before it is read')
  }
}

/** Always the same one: its stack says nothing, and takes as long as a read of a row. */
const COLD_ROW = new ColdRowError()

/** Reads refused rows in a thread of libuv, from the disk if it must. */
type Touch = () => Promise<void>

/**
 * Rows that may not be in memory. LMDB maps its file into memory, so a read of such a row stops the whole thread until
 * the disk answers. While `armed`, a table therefore refuses to read rows that no thread has touched in the last
 * seconds: it throws a ColdRowError, and leaves a `refusal` that reads them in another thread.
 */
export class ColdRows {
  /** Whether rows lately came from the disk. */
  isAlert = false
  /** Whether tables refuse rows that were not touched lately. */
  armed = false
  /** The first refusal since the caller last cleared it. A handler may have caught the error itself. */
  refusal: Touch | undefined
  /** Hashes of the keys of touched rows, for this period and the one before. */
  #present = new Int32Array(SLOTS)
  #before = new Int32Array(SLOTS)

  /** Whether the row with this hash of its key was touched in this period or the one before. */
  isWarm(keyHash: number): boolean {
    return hasHash(this.#present, keyHash) || hasHash(this.#before, keyHash)
  }

  /** Refuses to read rows, given by the hashes of their keys. Afterwards they count as touched. */
  refuse(keyHashes: readonly number[], touch: Touch): never {
    this.refusal ??= async () => {
      await touch()
      for (const hash of keyHashes) this.touched(hash)
    }
    throw COLD_ROW
  }

  /** Notes that a thread touches the row with this hash of its key. */
  touched(keyHash: number): void {
    const slot = slotOf(keyHash)
    const isTaken = this.#present[slot] !== 0 && this.#present[slot ^ 1] === 0
    this.#present[isTaken ? slot ^ 1 : slot] = keyHash | 0
  }

  /** Begins a new period. */
  nextPeriod(): void {
    const forgotten = this.#before
    this.#before = this.#present
    this.#present = forgotten.fill(0)
  }
}

function hasHash(hashes: Int32Array, keyHash: number): boolean {
  const slot = slotOf(keyHash)
  const known = keyHash | 0
  return hashes[slot] === known || hashes[slot ^ 1] === known
}

const slotOf = (keyHash: number): number => (keyHash >>> 0) % SLOTS
