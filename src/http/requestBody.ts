/** Bodies of requests as they arrive: bounded each, and bounded together. */
import { PoolFullError } from '../workers/pool.js'
import { HttpError } from './errors.js'

/** Bodies of the largest size that may be under way at once; smaller ones in proportion. */
const LARGE_BODIES_AT_ONCE = 16

/** The client went away before its request was whole: nobody waits for an answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}

/** Memory that the bodies of a server may take while they arrive. */
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

/** Collects one body. Only what has arrived counts against the budget, whatever length a client claims. */
export class BodyCollector {
  /** All bytes, or the reason why there are none: rest-body-too-large, a PoolFullError, a ClientGoneError. */
  readonly whole: Promise<Uint8Array>
  readonly #budget: BodyBudget
  #chunks: Uint8Array[] = []
  #heldBytes = 0
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
    if (this.#heldBytes + chunk.length > this.#budget.maxBodyBytes) return this.#refuse(this.#tooLarge())
    if (!this.#budget.take(chunk.length)) return this.#refuse(new PoolFullError('bodies fill their memory'))
    this.#heldBytes += chunk.length
    this.#chunks.push(Uint8Array.from(chunk))
    if (!isLast) return
    const [first, ...rest] = this.#chunks
    this.#resolve(first !== undefined && rest.length === 0 ? first : Buffer.concat(this.#chunks))
    this.#close()
  }

  /** The client has gone. */
  abandon(): void {
    if (this.#isOpen) this.#refuse(new ClientGoneError('the client went away'))
  }

  #tooLarge(): HttpError {
    const { maxBodyBytes } = this.#budget
    return new HttpError('rest-body-too-large', [maxBodyBytes], { closesConnection: true })
  }

  #refuse(reason: Error): void {
    this.#reject(reason)
    this.#close()
  }

  #close(): void {
    this.#isOpen = false
    this.#budget.give(this.#heldBytes)
    this.#heldBytes = 0
    this.#chunks = []
  }
}
