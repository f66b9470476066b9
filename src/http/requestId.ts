/** Request ids: in every answer and in the log of every fault. */
import { randomBytes } from 'node:crypto'

const PREFIX_BYTES = 6
const PREFIX_DIGITS = 2 * PREFIX_BYTES
const COUNTER_DIGITS = 12
const HEX_DIGITS = Buffer.from('0123456789abcdef')
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/

/** Makes ids of 24 hex digits: 12 random ones for this process, then a counter. */
export class RequestIds {
  readonly #prefix = randomBytes(PREFIX_BYTES).toString('hex')
  /** The digits of the last id of `nextBytes`, as ASCII. */
  readonly #digits = Uint8Array.from(Buffer.from(this.#prefix + '0'.repeat(COUNTER_DIGITS)))
  #count = 0

  next(): string {
    this.#count += 1
    return this.#prefix + this.#count.toString(16).padStart(COUNTER_DIGITS, '0')
  }

  /** The next id as ASCII, without making a string; the same memory each time. */
  nextBytes(): ArrayBuffer {
    const digits = this.#digits
    // Zeros that lead are there already, since the ids of one process only grow.
    let rest = (this.#count += 1)
    for (let digit = PREFIX_DIGITS + COUNTER_DIGITS - 1; rest > 0; digit--) {
      digits[digit] = HEX_DIGITS[rest % 16]!
      rest = Math.floor(rest / 16)
    }
    return digits.buffer
  }
}

/** Whether an id from a proxy can be taken over into headers and logs. */
export function isAcceptableRequestId(id: string): boolean {
  return ACCEPTABLE.test(id)
}
