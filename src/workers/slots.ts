/** A bounded queue before a fixed number of slots: who waits longest is next. */

/** Everything is taken, and so are the places to wait in. */
export class SlotsFullError extends Error {
  override readonly name = 'SlotsFullError'
}

/** No slot became free in time. */
export class SlotWaitError extends Error {
  override readonly name = 'SlotWaitError'
}

export interface SlotLimits {
  readonly slots: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

export class Slots {
  readonly #limits: SlotLimits
  #free: number
  /** In the order of arrival: a Set keeps it, and lets those go that gave up. */
  readonly #waiting = new Set<() => void>()

  constructor(limits: SlotLimits) {
    this.#limits = limits
    this.#free = limits.slots
  }

  /** Waits for a slot, which `release` gives back. Throws a SlotsFullError at once, a SlotWaitError when time is up. */
  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    const { maxWaiting, maxWaitMs } = this.#limits
    if (this.#waiting.size >= maxWaiting) throw new SlotsFullError(`${maxWaiting} are waiting already`)
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(enter)
        reject(new SlotWaitError(`no slot became free in ${maxWaitMs} ms`))
      }, maxWaitMs)
      this.#waiting.add(enter)
    })
  }

  /** Gives a slot back, straight to whoever waits longest. */
  release(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free += 1
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
