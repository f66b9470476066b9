import { asciiBuffer } from './nativeText.js'
import type { RequestIds } from '../request/requestId.js'

/** Status and all header lines in ASCII, with a request id of fixed length. One native call writes them all. */
export class Head {
  readonly buffer: ArrayBuffer
  readonly #bytes: Uint8Array
  readonly #idAt: number
  readonly #idLength: number
  #id: Uint8Array | undefined

  constructor(before: string, id: string, after: string) {
    this.buffer = asciiBuffer(before + id + after)
    this.#bytes = new Uint8Array(this.buffer)
    this.#idAt = before.length
    this.#idLength = id.length
  }

  /** Replaces the id with the next one of `ids`, which must have made the first one too. */
  stamp(ids: RequestIds): void {
    ids.stamp(this.#bytes, this.#idAt)
  }

  /** The digits of the id that it has now. */
  get id(): Uint8Array {
    return (this.#id ??= this.#bytes.subarray(this.#idAt, this.#idAt + this.#idLength))
  }

  fits(id: string): boolean {
    return id.length === this.#idLength
  }

  /** Replaces the id with another of the same length, in ASCII. */
  name(id: string): void {
    for (let n = 0; n < id.length; n++) this.#bytes[this.#idAt + n] = id.charCodeAt(n)
  }
}
