/** One turn of the event loop: the requests that arrived together see the store as of its beginning. */
import type { Store } from '../../storage/store.js'

/**
 * Connections that the event loop surely takes at once, those of the server's own besides: libuv asks the system for
 * 1024 at a time, and when it gets as many, again before the turn ends.
 */
const CONNECTIONS_AT_ONCE = 900

/**
 * Refreshes the view of the store once per turn, at its first request: so an answer never shows less than what was
 * committed, by whichever process, before the request was read; and all requests of a turn share the cost. With so many
 * connections that the event loop may ask the system for more of them within a turn, each request has a view of its
 * own, for 0.7 µs.
 */
export class Turn {
  readonly #store: Pick<Store, 'refresh'>
  readonly #connections: { readonly count: number }
  readonly #onEnd: (ms: number) => void
  #generation = 0
  #begun = false
  #startMs = 0

  /** `connections` are those that are open; `onEnd` is told how long each turn took, from its first request on. */
  constructor(
    store: Pick<Store, 'refresh'>,
    connections: { readonly count: number },
    onEnd: (ms: number) => void,
  ) {
    this.#store = store
    this.#connections = connections
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
    } else if (this.#connections.count >= CONNECTIONS_AT_ONCE) {
      this.#generation = this.#store.refresh()
    }
    return this.#generation
  }
}
