/** One turn of the event loop: the requests that arrived together see the store as of its beginning. */
import type { Store } from '../storage/store.js'

/**
 * Refreshes the view of the store once per turn, at its first request: so an answer never shows less than what was
 * committed, by whichever process, before the request was read; and all requests of a turn share the cost.
 */
export class Turn {
  readonly #store: Pick<Store, 'refresh'>
  readonly #onEnd: (ms: number) => void
  #generation = 0
  #begun = false
  #startMs = 0

  /** `onEnd` is told how long each turn took, from its first request on. */
  constructor(store: Pick<Store, 'refresh'>, onEnd: (ms: number) => void) {
    this.#store = store
    this.#onEnd = onEnd
  }

  /** Milliseconds since the turn began. */
  elapsedMs(): number {
    return performance.now() - this.#startMs
  }

  /** The generation of the store as of this turn. Call it before any read for a request. */
  begin(): number {
    if (!this.#begun) {
      this.#begun = true
      // Immediates run after all sockets of the turn were served.
      setImmediate(() => {
        this.#begun = false
        this.#onEnd(this.elapsedMs())
      })
      this.#startMs = performance.now()
      this.#generation = this.#store.refresh()
    }
    return this.#generation
  }
}
