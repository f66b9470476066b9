const LEAST_CAPACITY = 256

/**
 * What the engine notes for each distinct item while it works; kept between edit scripts, so that none pays for all
 * items.
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

  /** Sides that hold the item; all 0 between edit scripts. */
  get presence(): Uint8Array {
    return this.#presence
  }

  /** How often the item occurs; all 0 between uses. */
  get counts(): Int32Array {
    return this.#counts
  }

  /** Last place of the item in the range at hand; all -1 between edit scripts. */
  get lastPlace(): Int32Array {
    return this.#lastPlace
  }
}
