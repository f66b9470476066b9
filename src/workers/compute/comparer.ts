/** Comparisons of revisions, several in one task while the threads are busy. */
import { Batches } from './batches.js'
import type { WikiPool } from './pool.js'
import type { RevisionPair } from './tasks.js'

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
