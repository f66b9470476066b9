/** Request ids: in every answer and in the log of every fault. */
import { randomBytes } from 'node:crypto'

const PREFIX_BYTES = 6
const COUNTER_DIGITS = 12
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/

/** Makes ids of 24 hex digits: 12 random ones for this process, then a counter. */
export class RequestIds {
  readonly #prefix = randomBytes(PREFIX_BYTES).toString('hex')
  #count = 0

  next(): string {
    this.#count += 1
    return this.#prefix + this.#count.toString(16).padStart(COUNTER_DIGITS, '0')
  }
}

/** Whether an id from a proxy can be taken over into headers and logs. */
export function isAcceptableRequestId(id: string): boolean {
  return ACCEPTABLE.test(id)
}
