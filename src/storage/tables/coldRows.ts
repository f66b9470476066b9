/**
 * Rows that may not be in memory. LMDB maps its file into memory, so a read of such a row stops the whole thread until
 * the disk answers. While `armed`, a table therefore refuses to read rows that no thread has touched in the last
 * seconds: it throws a ColdRowError, and leaves a `refusal` that reads them in another thread. See coldReads.ts.
 */

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
export type Touch = () => Promise<void>

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
