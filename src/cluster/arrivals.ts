/** Waits until the store has applied the log up to a position, whichever process applies it. */
import type { Store } from '../storage/store.js'

/** Time between two looks at the store, while another process applies. */
const POLL_MS = 2

interface Waiter {
  readonly sequence: number
  readonly deadlineMs: number
  resolve(isHere: boolean): void
}

export class Arrivals {
  readonly #store: Store
  #waiters: Waiter[] = []
  #isPolling = false
  #timer: NodeJS.Timeout | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** False if the store has not reached the position at the deadline, in milliseconds of `performance.now()`. */
  reaches(sequence: number, deadlineMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiters.push({ sequence, deadlineMs, resolve })
      this.settle()
    })
  }

  /** Answers those whose position the store has reached, or whose time is over. */
  settle(): void {
    this.#store.refresh()
    const { sequence } = this.#store.position()
    const now = performance.now()
    const rest: Waiter[] = []
    for (const waiter of this.#waiters)
      if (waiter.sequence <= sequence) waiter.resolve(true)
      else if (waiter.deadlineMs <= now) waiter.resolve(false)
      else rest.push(waiter)
    this.#waiters = rest
    this.#settleLater()
  }

  /** Looks at the store again and again, since another process applies. */
  poll(): void {
    this.#isPolling = true
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.settle()
  }

  stopPolling(): void {
    this.#isPolling = false
  }

  /** Answers all who wait: nothing more is applied here. */
  close(): void {
    clearTimeout(this.#timer)
    for (const waiter of this.#waiters.splice(0)) waiter.resolve(false)
  }

  #settleLater(): void {
    if (this.#waiters.length === 0 || this.#timer !== undefined) return
    const next = Math.min(...this.#waiters.map(({ deadlineMs }) => deadlineMs)) - performance.now()
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        this.settle()
      },
      this.#isPolling ? POLL_MS : Math.max(1, next),
    )
  }
}
