/** A bounded queue for a fixed number of slots. The job that has waited longest is next. */
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
   * In the order of arrival, so the first to time out is in front. It is not a Set: a Set that is filled and emptied
   * all the time leaves tables behind, which keep all its former entries in memory until a full garbage collection.
   */
  readonly #waiting: Waiting[] = []
  /**
   * Finds jobs that have waited too long. It runs only while jobs wait. One timer serves all, since most waits take
   * milliseconds.
   */
  #timer: NodeJS.Timeout | undefined
  /** Waiting times of jobs that got a slot. */
  readonly waits = new Times()
  /** Jobs refused at once, and jobs that waited too long. */
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
   * Waits for a slot; `release` frees it. Throws a PoolFullError at once if the queue is full, and a TaskTimeoutError
   * after waiting too long.
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

  /** Frees a slot, and passes it directly to the job that has waited longest. */
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
    // A timer may fire a fraction of a millisecond early.
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
