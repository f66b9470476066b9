/** Limits the reads of each client, with a token bucket per address in bounded memory. */
import { addressKey } from '../../auth/rateLimit.js'
import { BoundedCache } from '../../runtime/boundedCache.js'

/** Number of remembered clients. A forgotten client starts with a full bucket again. */
const CLIENTS = 100_000
/** Burst after a pause, in seconds of the rate. */
const BURST_SECONDS = 10

interface Bucket {
  tokens: number
  filledMs: number
}

export class ReadLimit {
  readonly #perMs: number
  readonly #capacity: number
  readonly #buckets = new BoundedCache<Bucket>(CLIENTS, () => 1)

  constructor(readsPerSecond: number) {
    this.#perMs = readsPerSecond / 1000
    this.#capacity = readsPerSecond * BURST_SECONDS
  }

  /**
   * Takes one read of a client. Returns 0, or the seconds until its next read is allowed. `address` has the form of
   * `clientAddress`; an IPv6 client counts by its /64 network.
   */
  take(address: string, nowMs: number): number {
    const key = addressKey(address)
    const bucket = this.#buckets.get(key) ?? this.#begin(key, nowMs)
    const gained = Math.max(0, nowMs - bucket.filledMs) * this.#perMs
    bucket.tokens = Math.min(this.#capacity, bucket.tokens + gained)
    bucket.filledMs = nowMs
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / this.#perMs / 1000))
    bucket.tokens -= 1
    return 0
  }

  #begin(key: string, nowMs: number): Bucket {
    const bucket = { tokens: this.#capacity, filledMs: nowMs }
    this.#buckets.set(key, bucket)
    return bucket
  }
}
