/** Turns at something that may be used by one at a time, and that may need a rest between two uses. */

export interface Turn {
  /** The rest that is left, in milliseconds. Above 0, the holder must not use the thing, and ends the turn. */
  readonly restsMs: number
  /** Ends the turn. For `restMs` from now on, later turns have a rest left. */
  end(restMs?: number): void
}

export type TakeTurn = () => Promise<Turn>

export class Turns {
  readonly #nowMs: () => number
  #restsUntil = 0
  #isTaken = false
  readonly #waiting: (() => void)[] = []

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Resolves once all earlier turns have ended. */
  take(): Promise<Turn> {
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(this.#begin()))
      this.#next()
    })
  }

  #begin(): Turn {
    let hasEnded = false
    return {
      restsMs: Math.max(0, this.#restsUntil - this.#nowMs()),
      end: (restMs = 0) => {
        if (hasEnded) return
        hasEnded = true
        this.#restsUntil = Math.max(this.#restsUntil, this.#nowMs() + restMs)
        this.#isTaken = false
        this.#next()
      },
    }
  }

  #next(): void {
    if (this.#isTaken) return
    const begin = this.#waiting.shift()
    if (begin === undefined) return
    this.#isTaken = true
    begin()
  }
}
