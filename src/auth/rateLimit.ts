/** Counts what happens under a key within a time, in bounded memory. */

/** Keys of one window: more share a count. */
const MAX_KEYS = 50_000
const CROWD = ''

/**
 * Allows so many events per key and window. The count of a sliding window is reckoned from two fixed ones: that of
 * now, and so much of the one before as still lies within reach.
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

  /** Counts one event, unless there were too many: then false, and the event does not count. */
  take(key: string, nowMs: number): boolean {
    if (!this.allows(key, nowMs)) return false
    const counted = this.#current.has(key) || this.#current.size < MAX_KEYS ? key : CROWD
    this.#current.set(counted, (this.#current.get(counted) ?? 0) + 1)
    return true
  }

  /** Whether one more would be allowed. */
  allows(key: string, nowMs: number): boolean {
    this.#turn(Math.floor(nowMs / this.#windowMs))
    const share = 1 - (nowMs % this.#windowMs) / this.#windowMs
    return this.#count(this.#current, key) + this.#count(this.#previous, key) * share < this.#limit
  }

  /** Takes back an event that was counted just now, since it was none of those that matter. */
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

/** What stands for an address: an IPv6 client has a whole /64. Takes eight groups, as `clientAddress` gives them. */
export function addressKey(address: string): string {
  return address.includes(':') ? address.split(':', 4).join(':') : address
}
