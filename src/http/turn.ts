/** One turn of the event loop: the requests that arrived together see the store as of its beginning. */
import type { Store } from '../storage/store.js'

/**
 * Refreshes the view of the store once per turn, at its first request: so an answer never shows less than what was
 * committed, by whichever process, before the request was read; and all requests of a turn share the cost.
 */
export class Turn {
  readonly #store: Pick<Store, 'refresh'>
  #generation = 0
  #begun = false

  constructor(store: Pick<Store, 'refresh'>) {
    this.#store = store
  }

  /** The generation of the store as of this turn. Call it before any read for a request. */
  begin(): number {
    if (!this.#begun) {
      this.#begun = true
      // Immediates run after all sockets of the turn were served.
      setImmediate(() => (this.#begun = false))
      this.#generation = this.#store.refresh()
    }
    return this.#generation
  }
}
