/**
 * Which large rows were found whole within the last minute: a check takes some 0.25 µs a kilobyte, which a page of 20
 * kB would pay with each read. A table of fixed size, where a newer row takes the place of an older one.
 */
const SLOTS = 2 ** 16
/** After this long all rows are checked again. */
const REMEMBERED_MS = 60_000
/** Smaller rows are checked with every read. */
export const MIN_REMEMBERED_BYTES = 512

export class CheckedRows {
  readonly #keys = new Int32Array(SLOTS)
  readonly #seals = new Int32Array(SLOTS)
  readonly #timer = setInterval(() => this.clear(), REMEMBERED_MS).unref()

  /** Whether the row of a key was whole when it had this seal. */
  has(keyHash: number, seal: number): boolean {
    const slot = slotOf(keyHash, seal)
    return this.#keys[slot] === (keyHash | 0) && this.#seals[slot] === (seal | 0)
  }

  add(keyHash: number, seal: number): void {
    const slot = slotOf(keyHash, seal)
    this.#keys[slot] = keyHash
    this.#seals[slot] = seal
  }

  /** Has all rows checked again. */
  clear(): void {
    this.#keys.fill(0)
    this.#seals.fill(0)
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

const slotOf = (keyHash: number, seal: number): number => ((keyHash ^ seal) >>> 0) % SLOTS
