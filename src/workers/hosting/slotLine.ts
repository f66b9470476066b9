/** The common part of both queues for slots: limits, counts, and timeouts of waiting jobs. */
import { Times } from '../../metrics/figures.js'
import { PoolFullError, TaskTimeoutError } from './poolErrors.js'

export interface SlotLimits {
  /** At the beginning. */
  readonly slots: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

export interface Waiting {
  readonly sinceMs: number
  readonly enter: () => void
  readonly giveUp: (reason: PoolFullError | TaskTimeoutError) => void
}

export abstract class SlotLine {
  protected readonly limits: SlotLimits
  protected slots: number
  /** Below 0 while more slots are taken than there are. */
  protected free: number
  /** Waiting times of jobs that got a slot. */
  readonly waits = new Times()
  /** Jobs refused because the queue was full. */
  refused = 0
  /** Jobs that waited too long. */
  expired = 0
  /**
   * Finds jobs that have waited too long. It runs only while jobs wait. One timer serves all, since most waits take
   * milliseconds.
   */
  #timer: NodeJS.Timeout | undefined

  constructor(limits: SlotLimits) {
    this.limits = limits
    this.slots = limits.slots
    this.free = limits.slots
  }

  get taken(): number {
    return this.slots - this.free
  }

  abstract get waiting(): number

  /** The waiting jobs in one or more lists, each in the order of arrival. */
  protected abstract lists(): Iterable<Waiting[]>

  /**
   * Waits in a list until `enter` is called, which calls `onEnter` in the same tick. Throws a TaskTimeoutError after
   * waiting too long.
   */
  protected wait(list: Waiting[], sinceMs: number, onEnter?: () => void): Promise<void> {
    return new Promise<void>((resolve, giveUp) => {
      const enter = (): void => {
        onEnter?.()
        resolve()
      }
      list.push({ sinceMs, enter, giveUp })
      this.#timer ??= setTimeout(() => this.#expire(), this.limits.maxWaitMs)
    })
  }

  protected fullError(): PoolFullError {
    return new PoolFullError(`${this.limits.maxWaiting} tasks are waiting already`)
  }

  /** To be called when no job waits any more. */
  protected stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #expire(): void {
    this.stopTimer()
    const { maxWaitMs } = this.limits
    // A timer may fire a fraction of a millisecond early.
    const lateMs = performance.now() - maxWaitMs + 1
    let oldestMs = Infinity
    for (const list of this.lists()) {
      while (list[0] !== undefined && list[0].sinceMs <= lateMs) {
        this.expired++
        list.shift()!.giveUp(new TaskTimeoutError(`nothing became free in ${maxWaitMs} ms`))
      }
      oldestMs = Math.min(oldestMs, list[0]?.sinceMs ?? Infinity)
    }
    if (oldestMs < Infinity) this.#timer = setTimeout(() => this.#expire(), oldestMs - lateMs + 1)
  }
}
