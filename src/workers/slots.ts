/** A bounded queue before a fixed number of slots: who waits longest is next. */
import { Times } from '../metrics/figures.js'

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
    return this.#waiting.size
  }

  /** Waits for a slot, which `release` gives back. Throws a SlotsFullError at once, a SlotWaitError when time is up. */
  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      this.waits.add(0)
      return
    }
    const { maxWaiting, maxWaitMs } = this.#limits
    if (this.#waiting.size >= maxWaiting) {
      this.refused++
      throw new SlotsFullError(`${maxWaiting} are waiting already`)
    }
    const startMs = performance.now()
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(enter)
        this.expired++
        reject(new SlotWaitError(`no slot became free in ${maxWaitMs} ms`))
      }, maxWaitMs)
      this.#waiting.add(enter)
    })
    this.waits.add(performance.now() - startMs)
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
