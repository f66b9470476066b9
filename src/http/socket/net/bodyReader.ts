/** Finds the end of a request's body: by its length, or by its chunks as RFC 9112 section 7.1 frames them. */
import { CHUNKED } from './headerBlock.js'

const [TAB, LF, CR, SEMICOLON] = [9, 10, 13, 59]
/** Digits of a chunk's size: below 2^52. */
const MOST_DIGITS = 13
/** Bytes of extensions of one chunk, and of all trailers together. */
const MOST_EXTRA_BYTES = 4096

/** What the next byte belongs to. */
const enum At {
  Size,
  Extension,
  SizeEnd,
  Data,
  DataCr,
  DataLf,
  TrailerStart,
  Trailer,
  TrailerLf,
  LastLf,
  Done,
}

/** Reads a body of a stated length, or one in chunks, in pieces of any size. */
export class BodyReader {
  #at: At
  /** Bytes left of the body or of the chunk. */
  #left: number
  #digits = 0
  #extraBytes = 0
  readonly #isChunked: boolean

  constructor(bodyLength: number) {
    this.#isChunked = bodyLength === CHUNKED
    this.#left = this.#isChunked ? 0 : bodyLength
    this.#at = this.#isChunked ? At.Size : bodyLength === 0 ? At.Done : At.Data
  }

  get isDone(): boolean {
    return this.#at === At.Done
  }

  /**
   * Reads bytes from `from` on, and passes each part that is content to `take`. Returns the index behind the last byte
   * that belongs to the body, or -1 when the framing breaks a rule.
   */
  read(bytes: Uint8Array, from: number, take: (content: Uint8Array) => void): number {
    let at = from
    while (at < bytes.length && this.#at !== At.Done) {
      if (this.#at === At.Data) {
        const end = Math.min(bytes.length, at + this.#left)
        take(bytes.subarray(at, end))
        this.#left -= end - at
        at = end
        if (this.#left === 0) this.#at = this.#isChunked ? At.DataCr : At.Done
      } else {
        const next = this.#step(bytes[at++]!)
        if (next === undefined) return -1
        this.#at = next
      }
    }
    return at
  }

  /** Takes a byte that is no content; undefined when it may not stand there. */
  #step(byte: number): At | undefined {
    switch (this.#at) {
      case At.Size:
        return this.#readSize(byte)
      case At.Extension:
        return byte === CR ? At.SizeEnd : this.#extra(byte, At.Extension)
      case At.SizeEnd:
        if (byte !== LF) return undefined
        return this.#left === 0 ? At.TrailerStart : At.Data
      case At.DataCr:
        return byte === CR ? At.DataLf : undefined
      case At.DataLf:
        this.#digits = 0
        return byte === LF ? At.Size : undefined
      case At.TrailerStart:
        return byte === CR ? At.LastLf : this.#extra(byte, At.Trailer)
      case At.Trailer:
        return byte === CR ? At.TrailerLf : this.#extra(byte, At.Trailer)
      case At.TrailerLf:
        return byte === LF ? At.TrailerStart : undefined
      case At.LastLf:
        return byte === LF ? At.Done : undefined
      case At.Data:
      case At.Done:
        return this.#at
    }
  }

  #readSize(byte: number): At | undefined {
    const digit = digitOf(byte)
    if (digit >= 0) {
      this.#left = (this.#digits === 0 ? 0 : this.#left * 16) + digit
      return ++this.#digits > MOST_DIGITS ? undefined : At.Size
    }
    if (this.#digits === 0) return undefined
    if (byte === CR) return At.SizeEnd
    return byte === SEMICOLON ? At.Extension : undefined
  }

  /** A byte of an extension or a trailer: no control character, and not too many of them. */
  #extra(byte: number, stays: At): At | undefined {
    const isControl = (byte < 0x20 && byte !== TAB) || byte === 0x7f
    return isControl || ++this.#extraBytes > MOST_EXTRA_BYTES ? undefined : stays
  }
}

function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
