/**
 * Memory for bytes that are kept together and dropped together. Many small blocks of all sizes would leave holes in the
 * allocator's pool, which then grows step by step and never shrinks. A slab goes back to the system whole.
 */

/** From this size on, the allocator takes a block from the system itself (see `bin/palimpsest`). */
const SLAB_BYTES = 2 ** 20
/** Larger bytes get a block of their own, so that little of a slab stays unused. */
const MOST_IN_SLAB = SLAB_BYTES / 4

export class Slabs {
  #slab = new Uint8Array(0)
  #used = 0

  /** A copy, whose slab lives as long as any copy in it. Nothing overwrites it. */
  copy(bytes: Uint8Array): Uint8Array {
    if (bytes.length > MOST_IN_SLAB) return new Uint8Array(bytes)
    if (this.#used + bytes.length > this.#slab.length) {
      this.#slab = new Uint8Array(SLAB_BYTES)
      this.#used = 0
    }
    const copy = this.#slab.subarray(this.#used, this.#used + bytes.length)
    copy.set(bytes)
    this.#used += bytes.length
    return copy
  }
}
