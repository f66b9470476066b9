/** Collects request bodies, with a limit for each and a limit for all together. */
import { PoolFullError } from '../../workers/hosting/poolErrors.js'
import { HttpError } from '../reply/errors.js'

/** The memory limit for all bodies, in bodies of the largest size. Smaller bodies use less of it. */
const LARGE_BODIES_AT_ONCE = 16
const LEAST_ROOM_BYTES = 4096

/** The client disconnected before its request was complete, so nobody waits for an answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}

/** Memory limit for all bodies of a server. A body counts from its first byte until its request is answered. */
export class BodyBudget {
  readonly maxBodyBytes: number
  #leftBytes: number

  constructor(maxBodyBytes: number) {
    this.maxBodyBytes = maxBodyBytes
    this.#leftBytes = maxBodyBytes * LARGE_BODIES_AT_ONCE
  }

  /** False when the bytes exceed the remaining memory. */
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
 * Collects one body in a buffer that grows as chunks arrive, since clients may send one byte at a time. The buffer's
 * real size counts against the budget until `release`, whatever length the client claims.
 */
export class BodyCollector {
  /** All bytes. Rejects with rest-body-too-large, a PoolFullError or a ClientGoneError. */
  readonly whole: Promise<Uint8Array>
  readonly #budget: BodyBudget
  #buffer = new Uint8Array(0)
  #length = 0
  #isOpen = true
  #resolve!: (bytes: Uint8Array) => void
  #reject!: (reason: Error) => void

  /** `contentLength` as received, empty when absent. A length above the limit is refused before any chunk arrives. */
  constructor(budget: BodyBudget, contentLength: string) {
    this.#budget = budget
    this.whole = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    if (Number(contentLength) > budget.maxBodyBytes) this.#refuse(this.#tooLarge())
  }

  /** Copies the next bytes, so the caller may reuse the chunk afterwards. */
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

  /** Reports that the client disconnected. */
  abandon(): void {
    if (this.#isOpen) this.#refuse(new ClientGoneError('the client went away'))
  }

  /** Frees the memory; the bytes are invalid afterwards. Safe to call twice. */
  release(): void {
    this.#isOpen = false
    this.#budget.give(this.#buffer.length)
    this.#buffer = new Uint8Array(0)
  }

  /**
   * Grows the buffer to `length` bytes, or to twice as many when more chunks follow. False when the budget is used up.
   */
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
