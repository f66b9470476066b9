/** A bounded queue for a number of slots, and what it shares with the fair one of `fairSlots.ts`. */
import { counter, type Figure, gauge, histogram, Times } from '../../metrics/figures.js'
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

/** The common part of both queues: limits, counts, and timeouts of waiting jobs. */
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

/** The job that has waited longest is next. */
export class Slots extends SlotLine {
  /**
   * In the order of arrival, so the first to time out is in front. It is not a Set: a Set that is filled and emptied
   * all the time leaves tables behind, which keep all its former entries in memory until a full garbage collection.
   */
  readonly #waiting: Waiting[] = []

  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Waits for a slot; `release` frees it. Throws a PoolFullError at once if the queue is full, and a TaskTimeoutError
   * after waiting too long.
   */
  async take(): Promise<void> {
    if (this.free > 0) {
      this.free -= 1
      this.waits.add(0)
      return
    }
    if (this.#waiting.length >= this.limits.maxWaiting) {
      this.refused++
      throw this.fullError()
    }
    const sinceMs = performance.now()
    await this.wait(this.#waiting, sinceMs)
    this.waits.add(performance.now() - sinceMs)
  }

  /** Frees a slot, and passes it directly to the job that has waited longest. */
  release(): void {
    if (this.free < 0) {
      this.free += 1
      return
    }
    const next = this.#waiting.shift()
    if (next === undefined) {
      this.free += 1
      return
    }
    if (this.#waiting.length === 0) this.stopTimer()
    next.enter()
  }

  /** Changes the number of slots. If more are taken, jobs keep theirs, and slots released next go away. */
  resize(slots: number): void {
    while (this.slots < slots) {
      this.slots += 1
      this.release()
    }
    this.free -= this.slots - slots
    this.slots = slots
  }

  protected lists(): Waiting[][] {
    return [this.#waiting]
  }
}

/** Metrics of the pool `pool`. `ended` counts the tasks that ran too long and whose thread was ended. */
export function poolFigures(pool: string, slots: SlotLine, ended: number): Figure[] {
  const labels = { pool }
  return [
    gauge('palimpsest_pool_running', 'Tasks that run in a thread.', [{ labels, value: slots.taken }]),
    gauge('palimpsest_pool_waiting', 'Tasks that wait for a thread.', [{ labels, value: slots.waiting }]),
    counter('palimpsest_pool_shed_total', 'Tasks that were given up, by reason.', [
      { labels: { pool, reason: 'queue_full' }, value: slots.refused },
      { labels: { pool, reason: 'waited_too_long' }, value: slots.expired },
      { labels: { pool, reason: 'ran_too_long' }, value: ended },
    ]),
    histogram('palimpsest_pool_wait_seconds', 'How long tasks waited for a thread.', [
      { labels, times: slots.waits },
    ]),
  ]
}
