/** Bodies of requests as they arrive: bounded each, and bounded together. */
import { PoolFullError } from '../../workers/hosting/poolErrors.js'
import { HttpError } from '../reply/errors.js'

/** Bodies of the largest size that may be under way at once; smaller ones in proportion. */
const LARGE_BODIES_AT_ONCE = 16
const LEAST_ROOM_BYTES = 4096

/** The client went away before its request was whole: nobody waits for an answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}

/** Memory that the bodies of a server may take, from their first byte until their requests are answered. */
export class BodyBudget {
  readonly maxBodyBytes: number
  #leftBytes: number

  constructor(maxBodyBytes: number) {
    this.maxBodyBytes = maxBodyBytes
    this.#leftBytes = maxBodyBytes * LARGE_BODIES_AT_ONCE
  }

  /** False when there is no room for so many bytes more. */
  take(bytes: number): boolean {
    if (bytes > this.#leftBytes) return false
    this.#leftBytes -= bytes
    return true
  }

  give(bytes: number): void {
    this.#leftBytes += bytes
  }
}

/**
 * Collects one body in a buffer that grows with it: a client may send it in chunks of a byte each. The buffer counts
 * against the budget, whatever length a client claims, until `release`.
 */
export class BodyCollector {
  /** All bytes, or the reason why there are none: rest-body-too-large, a PoolFullError, a ClientGoneError. */
  readonly whole: Promise<Uint8Array>
  readonly #budget: BodyBudget
  #buffer = new Uint8Array(0)
  #length = 0
  #isOpen = true
  #resolve!: (bytes: Uint8Array) => void
  #reject!: (reason: Error) => void

  /** `contentLength` as received, empty when absent: too large a one is refused before anything arrives. */
  constructor(budget: BodyBudget, contentLength: string) {
    this.#budget = budget
    this.whole = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    if (Number(contentLength) > budget.maxBodyBytes) this.#refuse(this.#tooLarge())
  }

  /** Takes the next bytes, which need to live only until this returns. */
  add(chunk: Uint8Array, isLast: boolean): void {
    if (!this.#isOpen) return
    const length = this.#length + chunk.length
    if (length > this.#budget.maxBodyBytes) return this.#refuse(this.#tooLarge())
    if (!this.#makeRoom(length, isLast)) return this.#refuse(new PoolFullError('bodies fill their memory'))
    this.#buffer.set(chunk, this.#length)
    this.#length = length
    if (!isLast) return
    this.#isOpen = false
    this.#resolve(this.#buffer.subarray(0, length))
  }

  /** The client has gone. */
  abandon(): void {
    if (this.#isOpen) this.#refuse(new ClientGoneError('the client went away'))
  }

  /** Gives the memory back: nobody needs the bytes any more. Safe to call twice. */
  release(): void {
    this.#isOpen = false
    this.#budget.give(this.#buffer.length)
    this.#buffer = new Uint8Array(0)
  }

  /** Room for `length` bytes, and for as many again when more are to come. False when there is no memory for it. */
  #makeRoom(length: number, isLast: boolean): boolean {
    const held = this.#buffer.length
    if (length <= held) return true
    const wanted = isLast ? length : Math.max(2 * length, LEAST_ROOM_BYTES)
    const capacity = Math.min(wanted, this.#budget.maxBodyBytes)
    if (!this.#budget.take(capacity - held)) return false
    const grown = new Uint8Array(capacity)
    grown.set(this.#buffer.subarray(0, this.#length))
    this.#buffer = grown
    return true
  }

  #tooLarge(): HttpError {
    const { maxBodyBytes } = this.#budget
    return new HttpError('rest-body-too-large', [maxBodyBytes], { closesConnection: true })
  }

  #refuse(reason: Error): void {
    this.#reject(reason)
    this.release()
  }
}
