const LEAST_CAPACITY = 256

/**
 * Scratch arrays with one entry for each distinct item. They are kept between edit scripts, so that a script does not
 * pay for all items.
 */
export class ItemTable {
  #presence = new Uint8Array(0)
  #lastPlace = new Int32Array(0)
  #counts = new Int32Array(0)

  /** Makes room for items numbered below `itemCount`. */
  reserve(itemCount: number): void {
    if (itemCount <= this.#presence.length) return
    const capacity = Math.max(itemCount, 2 * this.#presence.length, LEAST_CAPACITY)
    this.#presence = new Uint8Array(capacity)
    this.#lastPlace = new Int32Array(capacity).fill(-1)
    this.#counts = new Int32Array(capacity)
  }

  /** Bit mask of the sides that hold the item; all 0 between edit scripts. */
  get presence(): Uint8Array {
    return this.#presence
  }

  /** Number of occurrences of the item; all 0 between uses. */
  get counts(): Int32Array {
    return this.#counts
  }

  /** Last position of the item in the current range; all -1 between edit scripts. */
  get lastPlace(): Int32Array {
    return this.#lastPlace
  }
}
