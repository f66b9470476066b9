/** Counts events by key over a sliding window, in bounded memory. */

/** Keys with a count of their own in one window; all further keys share one. */
const MAX_KEYS = 50_000
const CROWD = ''

/**
 * Allows `limit` events per key and window. The count of the sliding window is an estimate from two fixed windows: the
 * current one, and the part of the previous one that the sliding window still overlaps.
 */
export class RateLimit {
  readonly #limit: number
  readonly #windowMs: number
  #window = 0
  #current = new Map<string, number>()
  #previous = new Map<string, number>()

  constructor(limit: number, windowMs: number) {
    this.#limit = limit
    this.#windowMs = windowMs
  }

  /** Counts one event. At the limit, returns false and does not count it. */
  take(key: string, nowMs: number): boolean {
    if (!this.allows(key, nowMs)) return false
    const counted = this.#current.has(key) || this.#current.size < MAX_KEYS ? key : CROWD
    this.#current.set(counted, (this.#current.get(counted) ?? 0) + 1)
    return true
  }

  /** Whether the limit allows one more event. */
  allows(key: string, nowMs: number): boolean {
    this.#turn(Math.floor(nowMs / this.#windowMs))
    const share = 1 - (nowMs % this.#windowMs) / this.#windowMs
    return this.#count(this.#current, key) + this.#count(this.#previous, key) * share < this.#limit
  }

  /** Takes back an event that `take` counted just before, such as a login that succeeded. */
  giveBack(key: string): void {
    const counted = this.#current.has(key) || this.#current.size < MAX_KEYS ? key : CROWD
    const count = this.#current.get(counted) ?? 0
    if (count > 1) this.#current.set(counted, count - 1)
    else this.#current.delete(counted)
  }

  #count(counts: ReadonlyMap<string, number>, key: string): number {
    return counts.get(key) ?? (counts.size >= MAX_KEYS ? (counts.get(CROWD) ?? 0) : 0)
  }

  #turn(window: number): void {
    if (window === this.#window) return
    this.#previous = window === this.#window + 1 ? this.#current : new Map<string, number>()
    this.#current = new Map()
    this.#window = window
  }
}

/** Key of a client address: an IPv6 client has a whole /64. Expects eight groups, as `clientAddress` writes them. */
export function addressKey(address: string): string {
  return address.includes(':') ? address.split(':', 4).join(':') : address
}
