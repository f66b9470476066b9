/** A bounded queue for a number of slots. The job that has waited longest is next. */
import { SlotLine, type Waiting } from './slotLine.js'

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
