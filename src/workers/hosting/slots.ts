/** A bounded queue before a fixed number of slots: who waits longest is next. */
import { Times } from '../../metrics/figures.js'
import { PoolFullError, TaskTimeoutError } from './poolErrors.js'

export interface SlotLimits {
  readonly slots: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

interface Waiting {
  readonly sinceMs: number
  readonly enter: () => void
  readonly giveUp: (reason: TaskTimeoutError) => void
}

export class Slots {
  readonly #limits: SlotLimits
  #free: number
  /**
   * In the order of arrival, and so in that of giving up. No Set: one that is filled and emptied all the time leaves
   * tables behind that keep all who have waited until a full garbage collection.
   */
  readonly #waiting: Waiting[] = []
  /**
   * Looks for those who have waited too long: set while somebody waits. One for all, as most waits take milliseconds.
   */
  #timer: NodeJS.Timeout | undefined
  /** How long those waited that got a slot. */
  readonly waits = new Times()
  /** Turned away at once, and after waiting in vain. */
  refused = 0
  expired = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
    this.#free = limits.slots
  }

  get taken(): number {
    return this.#limits.slots - this.#free
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Waits for a slot, which `release` gives back. Throws a PoolFullError at once, a TaskTimeoutError when time is up.
   */
  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      this.waits.add(0)
      return
    }
    const { maxWaiting, maxWaitMs } = this.#limits
    if (this.#waiting.length >= maxWaiting) {
      this.refused++
      throw new PoolFullError(`${maxWaiting} tasks are waiting already`)
    }
    const sinceMs = performance.now()
    await new Promise<void>((enter, giveUp) => {
      this.#waiting.push({ sinceMs, enter, giveUp })
      this.#timer ??= setTimeout(() => this.#expire(), maxWaitMs)
    })
    this.waits.add(performance.now() - sinceMs)
  }

  /** Gives a slot back, straight to whoever waits longest. */
  release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) {
      this.#free += 1
      return
    }
    if (this.#waiting.length === 0) this.#stopTimer()
    next.enter()
  }

  #expire(): void {
    this.#stopTimer()
    const { maxWaitMs } = this.#limits
    // A timer may be early by part of a millisecond.
    const lateMs = performance.now() - maxWaitMs + 1
    while (this.#waiting[0] !== undefined && this.#waiting[0].sinceMs <= lateMs) {
      this.expired++
      this.#waiting.shift()!.giveUp(new TaskTimeoutError(`nothing became free in ${maxWaitMs} ms`))
    }
    const first = this.#waiting[0]
    if (first !== undefined) this.#timer = setTimeout(() => this.#expire(), first.sinceMs - lateMs + 1)
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
