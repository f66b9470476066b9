/** Full-text searches, several in one task while the threads are busy. */
import { Batches } from './batches.js'
import type { WikiPool } from './pool.js'
import type { PooledSearch } from './tasks.js'

/** The time of a search depends on the index more than on its text, and is bounded. */
const MAX_SEARCHES = 8

export class SearchBatches {
  readonly #batches: Batches<PooledSearch, Uint8Array>

  constructor(pool: WikiPool, maxWaitMs: number) {
    this.#batches = new Batches({
      threads: pool.threads,
      maxWaitMs,
      maxWeight: MAX_SEARCHES,
      weigh: () => 1,
      run: (searches) => pool.run('searchPages', { searches }),
    })
  }

  /** Tells if threads are running searches. Another search then costs the event loop next to nothing. */
  get isBusy(): boolean {
    return this.#batches.isBusy
  }

  /** The answer to a search, as UTF-8 of JSON. Throws as `Batches` does. */
  answer(search: PooledSearch): Promise<Uint8Array> {
    return this.#batches.answer(search)
  }
}
