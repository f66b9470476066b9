/** Bytes that are put together out of pieces, up to a limit. */
import { outOfMemory } from '../engine/state.js'

const FIRST_BYTES = 1024

export class ByteBuilder {
  readonly #maxBytes: number
  #bytes: Buffer = Buffer.allocUnsafe(FIRST_BYTES)
  #length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** A piece of a text. Throws a LuaError at the limit. */
  add(source: Buffer, from: number, to: number): void {
    const length = this.#length + to - from
    if (length > this.#bytes.length) this.#grow(length)
    source.copy(this.#bytes, this.#length, from, to)
    this.#length = length
  }

  addText(text: string): void {
    this.add(Buffer.from(text), 0, Buffer.byteLength(text))
  }

  /** Not a copy. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #grow(length: number): void {
    if (length > this.#maxBytes) throw outOfMemory()
    const larger = Buffer.allocUnsafe(2 * length)
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
