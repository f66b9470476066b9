/** Replacement texts of `gsub`. */
import { outOfMemory } from '../engine/state.js'

// Bytes that are put together out of pieces, up to a limit.

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

const PERCENT = 0x25
const DIGIT_0 = 0x30
const DIGIT_9 = 0x39

/** A long text may have a million captures, so all is numbers. */
export interface Replacement {
  readonly bytes: Buffer
  /** For each piece of the bytes: where it begins and ends, and the capture that follows it; -1: none. */
  readonly pieces: readonly number[]
}

/** Numbers for each piece. */
const PIECE_SIZE = 3

/** `%` means something before a digit and before itself. Elsewhere it is a character like any other. */
export function replacementOf(bytes: Buffer): Replacement {
  const pieces: number[] = []
  let from = 0
  for (let at = bytes.indexOf(PERCENT); at >= 0; at = bytes.indexOf(PERCENT, at + 2)) {
    const next = bytes[at + 1] ?? 0
    if (next >= DIGIT_0 && next <= DIGIT_9) {
      pieces.push(from, at, next - DIGIT_0)
      from = at + 2
    } else if (next === PERCENT) {
      pieces.push(from, at, -1)
      from = at + 1
    }
  }
  pieces.push(from, bytes.length, -1)
  return { bytes, pieces }
}

/** Adds a replacement to a result; `addCapture` adds what a capture holds. */
export function addReplacement(
  result: ByteBuilder,
  { bytes, pieces }: Replacement,
  addCapture: (capture: number) => void,
): void {
  for (let at = 0; at < pieces.length; at += PIECE_SIZE) {
    result.add(bytes, pieces[at] ?? 0, pieces[at + 1] ?? 0)
    const capture = pieces[at + 2] ?? -1
    if (capture >= 0) addCapture(capture)
  }
}
