/**
 * Large rows that were found undamaged within the last minute. A check takes some 0.25 µs per kilobyte, and each read
 * of a page of 20 kB would pay for it. The table has a fixed size: newer rows replace older ones.
 */
const SLOTS = 2 ** 16
/** Afterwards all rows are checked again. */
const REMEMBERED_MS = 60_000
/** Smaller rows are checked at every read. */
export const MIN_REMEMBERED_BYTES = 512

export class CheckedRows {
  readonly #keys = new Int32Array(SLOTS)
  readonly #seals = new Int32Array(SLOTS)
  readonly #timer = setInterval(() => this.clear(), REMEMBERED_MS).unref()

  /** Tells if the row with this key and seal was found undamaged. */
  has(keyHash: number, seal: number): boolean {
    const slot = slotOf(keyHash, seal)
    return this.#keys[slot] === (keyHash | 0) && this.#seals[slot] === (seal | 0)
  }

  add(keyHash: number, seal: number): void {
    const slot = slotOf(keyHash, seal)
    this.#keys[slot] = keyHash
    this.#seals[slot] = seal
  }

  /** Makes the next reads check all rows again. */
  clear(): void {
    this.#keys.fill(0)
    this.#seals.fill(0)
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

const slotOf = (keyHash: number, seal: number): number => ((keyHash ^ seal) >>> 0) % SLOTS
