import { asciiBuffer } from './nativeText.js'
import type { RequestIds } from '../request/requestId.js'

/** Status and all header lines, ASCII, with room for a request id of one length: one native call writes them all. */
export class Head {
  readonly buffer: ArrayBuffer
  readonly #bytes: Uint8Array
  readonly #idAt: number
  readonly #idLength: number

  constructor(before: string, id: string, after: string) {
    this.buffer = asciiBuffer(before + id + after)
    this.#bytes = new Uint8Array(this.buffer)
    this.#idAt = before.length
    this.#idLength = id.length
  }

  /** Puts in the next of the ids that the first one came from. */
  stamp(ids: RequestIds): void {
    ids.stamp(this.#bytes, this.#idAt)
  }

  fits(id: string): boolean {
    return id.length === this.#idLength
  }

  /** Puts in an id that fits, of ASCII characters. */
  name(id: string): void {
    for (let n = 0; n < id.length; n++) this.#bytes[this.#idAt + n] = id.charCodeAt(n)
  }
}
