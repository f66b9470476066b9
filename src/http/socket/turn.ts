/** One turn of the event loop. Its requests share one view of the store. */
import type { Clock } from '../../context.js'
import type { Store } from '../../storage/store.js'

/**
 * Below this count, one read of events covers all connections, with room for the server's own handles. libuv asks the
 * system for 1024 events at a time. When it gets as many, it asks again before the turn ends.
 */
const CONNECTIONS_AT_ONCE = 900

/**
 * Refreshes the view of the store once per turn, at the first request. An answer therefore shows every commit, of any
 * process, made before its request was read, and all requests of a turn share the cost. With more connections, the
 * event loop may read further requests within a turn, so each request gets a view of its own, for 0.7 µs.
 */
export class Turn {
  readonly #store: Pick<Store, 'refresh'>
  readonly #connections: { readonly count: number }
  readonly #onEnd: (ms: number) => void
  #generation = 0
  #begun = false
  #startMs = 0
  /** Start of the turn in milliseconds since 1970, once somebody asked. */
  #timeMs: number | undefined

  /** `connections` counts open connections. `onEnd` gets the duration of each turn, from its first request. */
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

  /** Start of the turn in milliseconds since 1970. Reads the clock once a turn. */
  timeMs(clock: Clock): number {
    return (this.#timeMs ??= clock.nowMs() - this.elapsedMs())
  }

  /** The generation of the store in this turn. Call it before any read for a request. */
  begin(): number {
    if (!this.#begun) {
      this.#begun = true
      // Immediates run after all sockets of the turn.
      setImmediate(() => {
        this.#begun = false
        this.#onEnd(this.elapsedMs())
      })
      this.#startMs = performance.now()
      this.#timeMs = undefined
      this.#generation = this.#store.refresh()
    } else if (this.#connections.count >= CONNECTIONS_AT_ONCE) {
      this.#generation = this.#store.refresh()
    }
    return this.#generation
  }
}
