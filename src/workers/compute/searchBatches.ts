/**
 * Batches of searches for threads. Passing a task to a thread and taking its answer back costs the event loop 0.1 ms,
 * as much as a search for rare words. The cost is the same for one search or eight.
 */
import type { ComputePool } from './pool.js'
import { PoolFullError, TaskTimeoutError } from '../hosting/poolErrors.js'
import type { PooledSearch } from './tasks.js'

/** Searches in one task. With so many, passing them on costs little, and none waits long for the others. */
const MAX_BATCH = 8
const MAX_WAITING_PER_THREAD = 64

/** The search engine failed on a search. */
export class SearchFailure extends Error {
  override readonly name = 'SearchFailure'
}

interface Waiting {
  readonly search: PooledSearch
  readonly sinceMs: number
  readonly resolve: (answer: Uint8Array) => void
  readonly reject: (error: unknown) => void
}

export interface SearchBatchesOptions {
  readonly pool: Pick<ComputePool, 'run' | 'threads'>
  /** Longest time that a search may wait for a thread. */
  readonly maxWaitMs: number
}

export class SearchBatches {
  readonly #options: SearchBatchesOptions
  /** In the order of arrival. */
  #waiting: Waiting[] = []
  #underWay = 0

  constructor(options: SearchBatchesOptions) {
    this.#options = options
  }

  /** Tells if threads are running searches. Another search then costs the event loop next to nothing. */
  get isBusy(): boolean {
    return this.#underWay > 0
  }

  /**
   * The answer to a search, as UTF-8 of JSON. Throws a PoolFullError if too many wait, and a TaskTimeoutError if the
   * search does not begin or end in time. Throws a SearchFailure if the engine failed on it.
   */
  answer(search: PooledSearch): Promise<Uint8Array> {
    const maxWaiting = MAX_WAITING_PER_THREAD * this.#options.pool.threads
    if (this.#waiting.length >= maxWaiting) return Promise.reject(new PoolFullError('no room for a search'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ search, sinceMs: performance.now(), resolve, reject })
      this.#handOver()
    })
  }

  #handOver(): void {
    while (this.#underWay < this.#options.pool.threads && this.#waiting.length > 0) {
      this.#dropLate()
      const batch = this.#waiting.splice(0, MAX_BATCH)
      if (batch.length > 0) void this.#run(batch)
    }
  }

  /** Rejects the searches that have waited too long, which are first in the queue. */
  #dropLate(): void {
    const sinceMs = performance.now() - this.#options.maxWaitMs
    while (this.#waiting[0] !== undefined && this.#waiting[0].sinceMs < sinceMs) {
      this.#waiting.shift()!.reject(new TaskTimeoutError('no thread for a search'))
    }
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    this.#underWay++
    try {
      const searches = batch.map(({ search }) => search)
      const answers = await this.#options.pool.run('searchPages', { searches })
      batch.forEach(({ resolve, reject }, n) => {
        const answer = answers[n]!
        if (answer instanceof Uint8Array) resolve(answer)
        else reject(new SearchFailure(answer.failure))
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      this.#underWay--
      this.#handOver()
    }
  }
}
