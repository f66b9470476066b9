const LEAST_CAPACITY = 256
/** Steps of all edit scripts of a comparison. Each takes 1 to 4 ns. */
const MAX_STEPS = 3_000_000_000

/** Message of the error for texts whose comparison would take many seconds. An error of a thread keeps nothing else. */
export const TOO_DIFFERENT =
  'the texts have too many different lines, or too many words in a line, to compare them'

/** Tells if an error, of this thread or another one, says that texts are too different to compare. */
export const isTooDifferent = (error: unknown): boolean =>
  error instanceof Error && error.message === TOO_DIFFERENT

/**
 * Scratch arrays with one entry for each distinct item. They are kept between edit scripts, so that a script does not
 * pay for all items.
 */
export class ItemTable {
  #presence = new Uint8Array(0)
  #lastPlace = new Int32Array(0)
  #counts = new Int32Array(0)
  #steps = 0

  /** Makes room for items numbered below `itemCount`. */
  reserve(itemCount: number): void {
    if (itemCount <= this.#presence.length) return
    const capacity = Math.max(itemCount, 2 * this.#presence.length, LEAST_CAPACITY)
    this.#presence = new Uint8Array(capacity)
    this.#lastPlace = new Int32Array(capacity).fill(-1)
    this.#counts = new Int32Array(capacity)
  }

  /** Counts steps of an edit script that begins. Throws the error TOO_DIFFERENT if they would be too many. */
  addSteps(steps: number): void {
    this.#steps += steps
    if (this.#steps > MAX_STEPS) throw new Error(TOO_DIFFERENT)
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
