/** Workers that wait for their next request: an idle one is taken first, a new one is started where there is none. */

/** A worker that may end at any time. */
export interface KeptWorker {
  /** It has ended, or is about to. */
  readonly hasEnded: boolean
  end(): Promise<unknown>
}

export class KeptWorkers<Kept extends KeptWorker> {
  readonly #start: (onEnd: () => void) => Kept
  readonly #idle: Kept[] = []
  readonly #all = new Set<Kept>()

  /** `start` starts a worker that calls `onEnd` when it has ended. */
  constructor(start: (onEnd: () => void) => Kept) {
    this.#start = start
  }

  /** Workers that run, busy or not. */
  get size(): number {
    return this.#all.size
  }

  take(): Kept {
    return this.#idle.pop() ?? this.#startOne()
  }

  giveBack(worker: Kept): void {
    if (!worker.hasEnded) this.#idle.push(worker)
  }

  /** Starts workers until there are `count`. */
  warm(count: number): void {
    while (this.#all.size < count) this.#idle.push(this.#startOne())
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#all].map((worker) => worker.end()))
  }

  #startOne(): Kept {
    const worker = this.#start(() => {
      this.#all.delete(worker)
      const at = this.#idle.indexOf(worker)
      if (at >= 0) this.#idle.splice(at, 1)
    })
    this.#all.add(worker)
    return worker
  }
}
