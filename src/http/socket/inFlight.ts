/** Counts open requests or connections, and reports when the count is zero. */
export class InFlight {
  #count = 0
  readonly #waiting = new Set<() => void>()

  get count(): number {
    return this.#count
  }

  add(): void {
    this.#count += 1
  }

  done(): void {
    this.#count -= 1
    if (this.#count > 0) return
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  /** Waits for a count of zero, at most `timeoutMs`; false when the time ran out. */
  async idle(timeoutMs: number): Promise<boolean> {
    if (this.#count === 0) return true
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(wake)
        resolve(false)
      }, timeoutMs)
      this.#waiting.add(wake)
    })
  }
}
