/** Copies of rows in few blocks of memory, which can be transferred to another thread. */
const BLOCK_BYTES = 2 ** 20

export class RowBlocks {
  #block = new Uint8Array(0)
  #used = 0

  /** Copies a row, and returns the copy. */
  add(row: Uint8Array): Uint8Array {
    if (this.#used + row.length > this.#block.length) {
      this.#block = new Uint8Array(Math.max(BLOCK_BYTES, row.length))
      this.#used = 0
    }
    const copy = this.#block.subarray(this.#used, this.#used + row.length)
    copy.set(row)
    this.#used += row.length
    return copy
  }
}
