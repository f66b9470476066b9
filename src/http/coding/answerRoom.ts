import type { BodyPart } from '../reply/reply.js'

const BYTES = 64 * 1024
const MAX_BYTES = 1024 * 1024

/**
 * Memory in which answers are put together. The socket copies them in the same tick, so the next answer may take their
 * place. Answers of usual size need no memory of their own.
 */
export class AnswerRoom {
  #room = Buffer.allocUnsafeSlow(BYTES)

  /** At least `length` bytes. */
  take(length: number): Buffer<ArrayBuffer> {
    if (length > MAX_BYTES) return Buffer.allocUnsafeSlow(length)
    if (length > this.#room.length) this.#room = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(length)))
    return this.#room
  }
}

/** A bound of the bytes of some parts. */
export function mostBytes(parts: readonly BodyPart[]): number {
  // A UTF-16 unit has at most three bytes in UTF-8.
  return parts.reduce((sum, part) => sum + part.length * (typeof part === 'string' ? 3 : 1), 0)
}
