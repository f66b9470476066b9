/**
 * Lets work that can wait begin in turns of the event loop of its own, one piece in each. Edits that wait for one flush
 * to the disk are answered together, so that their clients' next ones come together too: done in one go, sixteen of
 * them kept page reads waiting for 15 ms.
 */
export class Pacer {
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  /** Resolves in a turn that no other piece of work has begun in, in the order of the calls. */
  async turn(): Promise<void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#take()
  }

  #take(): void {
    this.#isTaken = true
    // Immediates run after all sockets of a turn were served, and those of the next turn after its own.
    setImmediate(() => {
      this.#isTaken = false
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#take()
      next()
    })
  }
}
