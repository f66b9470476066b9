/** Request ids: every answer carries one, and the log names it with each failure. */
import { randomBytes } from 'node:crypto'

const PREFIX_BYTES = 6
const PREFIX_DIGITS = 2 * PREFIX_BYTES
const COUNTER_DIGITS = 12
const HEX_DIGITS = Buffer.from('0123456789abcdef')
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/

/** Makes ids of 24 hex digits: 12 random ones for this process, then a counter. */
export class RequestIds {
  /** The first digits of all ids of this process. */
  readonly #prefix = randomBytes(PREFIX_BYTES).toString('hex')
  /** Placeholder with counter 0, never sent. */
  readonly first = this.#prefix + '0'.repeat(COUNTER_DIGITS)
  #count = 0

  next(): string {
    this.#count += 1
    return this.#prefix + this.#count.toString(16).padStart(COUNTER_DIGITS, '0')
  }

  /**
   * Overwrites the id at `at` in `bytes` (`first` or an earlier id) with the next one. It makes no string, which keeps
   * ready answers fast. Leading zeros are already there, since the ids of a process only grow.
   */
  stamp(bytes: Uint8Array, at: number): void {
    let rest = (this.#count += 1)
    for (let digit = at + PREFIX_DIGITS + COUNTER_DIGITS - 1; rest > 0; digit--) {
      bytes[digit] = HEX_DIGITS[rest % 16]!
      rest = Math.floor(rest / 16)
    }
  }
}

/** Whether an id from a proxy is safe for headers and logs. */
export function isAcceptableRequestId(id: string): boolean {
  return ACCEPTABLE.test(id)
}
