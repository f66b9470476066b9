/**
 * Rows that may not be in memory. LMDB maps its file into memory, so a read of such a row stops the whole thread until
 * the disk answers. While `armed`, a table therefore refuses to read rows that no thread has touched in the last
 * seconds: it throws a ColdRowError, and leaves a `refusal` that reads them in another thread. See coldReads.ts.
 */

/** Slots for hashes of keys: a newer row replaces an older one in its slot. */
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
export type Touch = () => Promise<void>

export class ColdRows {
  /** Whether tables refuse rows that were not touched lately. */
  armed = false
  /** The first refusal since the caller last cleared it. A handler may have caught the error itself. */
  refusal: Touch | undefined
  /** Hashes of the keys of touched rows, for this period and the one before. */
  #present = new Int32Array(SLOTS)
  #before = new Int32Array(SLOTS)

  /** Whether the row with this hash of its key was touched in this period or the one before. */
  isWarm(keyHash: number): boolean {
    const slot = slotOf(keyHash)
    const known = keyHash | 0
    return this.#present[slot] === known || this.#before[slot] === known
  }

  /** Refuses to read rows, given by the hashes of their keys. Afterwards they count as touched. */
  refuse(keyHashes: readonly number[], touch: Touch): never {
    this.refusal ??= async () => {
      await touch()
      for (const hash of keyHashes) this.#present[slotOf(hash)] = hash | 0
    }
    throw COLD_ROW
  }

  /** Begins a new period. */
  nextPeriod(): void {
    const forgotten = this.#before
    this.#before = this.#present
    this.#present = forgotten.fill(0)
  }
}

const slotOf = (keyHash: number): number => (keyHash >>> 0) % SLOTS
