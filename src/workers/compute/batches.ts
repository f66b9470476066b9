/**
 * Batches of small jobs of one kind for threads. Passing a task to a thread and taking its answer back costs both sides
 * 0.1 ms, as much as a small job. The cost is nearly the same for one job or sixteen.
 */
import { setImmediate } from 'node:timers/promises'
import { PoolFullError, TaskTimeoutError } from '../hosting/poolErrors.js'
import type { Failed, PooledSearch, RevisionPair } from './tasks.js'
import type { WikiPool } from './pool.js'

const MAX_WAITING_PER_THREAD = 64
/** The event loop takes other requests between so many answers, each of which takes it some 40 µs. */
const ANSWERS_AT_ONCE = 4

/** A job failed in its thread. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure'
}

export interface BatchesOptions<Job, Answer> {
  readonly threads: number
  /** Longest time that a job may wait for a thread. */
  readonly maxWaitMs: number
  /** Most work in a batch, in the unit of `weigh`. A job that is heavier goes alone. Nobody should wait long for it. */
  readonly maxWeight: number
  readonly weigh: (job: Job) => number
  /** Runs a batch in a thread. The answers have the order of the jobs. */
  readonly run: (batch: readonly Job[]) => Promise<readonly (Answer | Failed)[]>
}

interface Waiting<Job, Answer> {
  readonly job: Job
  readonly sinceMs: number
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

export class Batches<Job, Answer extends Uint8Array | undefined> {
  readonly #options: BatchesOptions<Job, Answer>
  /** In the order of arrival. */
  readonly #waiting: Waiting<Job, Answer>[] = []
  #underWay = 0

  constructor(options: BatchesOptions<Job, Answer>) {
    this.#options = options
  }

  /** Tells if threads are running jobs. */
  get isBusy(): boolean {
    return this.#underWay > 0
  }

  /**
   * The answer to a job. Throws a PoolFullError if too many wait, and a TaskTimeoutError if the job does not begin or
   * end in time, or would not. Throws a JobFailure if the job failed.
   */
  answer(job: Job): Promise<Answer> {
    const maxWaiting = MAX_WAITING_PER_THREAD * this.#options.threads
    if (this.#waiting.length >= maxWaiting) return Promise.reject(new PoolFullError('no room for a job'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, sinceMs: performance.now(), resolve, reject })
      this.#handOver()
    })
  }

  #handOver(): void {
    while (this.#underWay < this.#options.threads && this.#waiting.length > 0) {
      this.#dropLate()
      const batch = this.#waiting.splice(0, this.#countOfBatch())
      if (batch.length > 0) void this.#run(batch)
    }
  }

  #countOfBatch(): number {
    const { maxWeight, weigh } = this.#options
    let weight = 0
    let count = 0
    for (const { job } of this.#waiting) {
      weight += weigh(job)
      if (count > 0 && weight > maxWeight) break
      count++
    }
    return count
  }

  /** Rejects the jobs that have waited too long, which are first in the queue. */
  #dropLate(): void {
    const sinceMs = performance.now() - this.#options.maxWaitMs
    while (this.#waiting[0] !== undefined && this.#waiting[0].sinceMs < sinceMs) {
      this.#waiting.shift()!.reject(new TaskTimeoutError('no thread for a job'))
    }
  }

  async #run(batch: readonly Waiting<Job, Answer>[]): Promise<void> {
    this.#underWay++
    let answers: readonly (Answer | Failed)[]
    try {
      answers = await this.#options.run(batch.map(({ job }) => job))
    } catch (error) {
      for (const { reject } of batch) reject(error)
      return
    } finally {
      this.#underWay--
      this.#handOver()
    }
    for (const [n, { resolve, reject }] of batch.entries()) {
      if (n % ANSWERS_AT_ONCE === 0 && n > 0) await setImmediate()
      const answer = answers[n]!
      if (answer === undefined || answer instanceof Uint8Array) resolve(answer)
      else if (answer.isTooLong === true) reject(new TaskTimeoutError(answer.failure, { isOverrun: true }))
      else reject(new JobFailure(answer.failure))
    }
  }
}

/** Bytes of texts that a thread compares within some milliseconds. */
const MAX_BATCH_BYTES = 512 * 1024
/** A comparison counts as so many bytes at least. So at most sixteen go together. */
const LEAST_BYTES = 32 * 1024

/** A revision that exists, with the size of its text. */
export interface ComparedRevision {
  readonly id: number
  /** Undefined only if the text is hidden, and the thread has nothing to compare. */
  readonly sizeBytes: number | undefined
}

interface Comparison extends RevisionPair {
  readonly bytes: number
}

/** Comparisons of revisions, several in one task while the threads are busy. */
export class Comparer {
  readonly #batches: Batches<Comparison, Uint8Array | undefined>

  constructor(pool: WikiPool, maxWaitMs: number) {
    this.#batches = new Batches({
      threads: pool.threads,
      maxWaitMs,
      maxWeight: MAX_BATCH_BYTES,
      weigh: ({ bytes }) => Math.max(bytes, LEAST_BYTES),
      run: (batch) => pool.run('compare', { pairs: batch.map(({ from, to }) => ({ from, to })) }),
    })
  }

  /** The whole answer as UTF-8; undefined if a text is hidden or gone. Throws as `Batches` does. */
  compare(from: ComparedRevision, to: ComparedRevision): Promise<Uint8Array | undefined> {
    const bytes = (from.sizeBytes ?? 0) + (to.sizeBytes ?? 0)
    return this.#batches.answer({ from: from.id, to: to.id, bytes })
  }
}

/** The time of a search depends on the index more than on its text, and is bounded. */
const MAX_SEARCHES = 8

/** Full-text searches, several in one task while the threads are busy. */
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
