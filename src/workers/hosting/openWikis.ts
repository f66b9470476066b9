/** The wikis that a thread has open. */
import type { Store } from '../../storage/store.js'

/**
 * Most open stores of a thread. Each holds caches of its own, so a thread of a server with many wikis closes those that
 * it has not used for longest.
 */
const MAX_OPEN = 8

/** Where a thread finds the store of a wiki. */
export interface ThreadPlace {
  readonly dataDir: string
}

export class OpenWikis<Place extends ThreadPlace, Opened extends { readonly store: Store }> {
  readonly #places: readonly Place[]
  readonly #open: (place: Place) => Opened
  readonly #maxOpen: number
  /** By number, the last used one at the end. */
  readonly #opened = new Map<number, Opened>()

  /** Opens one wiki at once. `open` opens a wiki with its store. Throws its error if no wiki can be opened. */
  constructor(places: readonly Place[], open: (place: Place) => Opened, maxOpen = MAX_OPEN) {
    this.#places = places
    this.#open = open
    this.#maxOpen = maxOpen
    this.#openFirst(0)
  }

  /** Number of open wikis. */
  get size(): number {
    return this.#opened.size
  }

  /**
   * The wiki with a number of `places`. It may close another one, so no work on another wiki may be under way. Throws
   * what `open` throws.
   */
  get(wiki: number): Opened {
    const opened = this.#opened.get(wiki) ?? this.#openOne(wiki)
    if (this.#places.length > 1) {
      this.#opened.delete(wiki)
      this.#opened.set(wiki, opened)
    }
    return opened
  }

  /** Any open wiki. */
  first(): Opened {
    const [opened] = this.#opened.values()
    return opened!
  }

  /** A store that cannot be opened fails the work for its own wiki alone. */
  #openFirst(wiki: number): void {
    try {
      this.get(wiki)
    } catch (error) {
      if (wiki + 1 === this.#places.length) throw error
      this.#openFirst(wiki + 1)
    }
  }

  #openOne(wiki: number): Opened {
    const place = this.#places[wiki]
    if (place === undefined) throw new Error(`the thread knows no wiki ${wiki}`)
    for (const [oldest, { store }] of this.#opened) {
      if (this.#opened.size < this.#maxOpen) break
      this.#opened.delete(oldest)
      void store.close()
    }
    const opened = this.#open(place)
    this.#opened.set(wiki, opened)
    return opened
  }
}
