/** Keeps workers between requests. A request gets an idle worker, or a new one if all are busy. */

/** A worker that may end at any time. */
export interface KeptWorker {
  /** The worker has ended or is ending. */
  readonly hasEnded: boolean
  end(): Promise<unknown>
}

export class KeptWorkers<Kept extends KeptWorker> {
  readonly #start: (onEnd: () => void) => Kept
  readonly #idle: Kept[] = []
  readonly #all = new Set<Kept>()

  /** `start` starts a worker, which calls `onEnd` when it has ended. */
  constructor(start: (onEnd: () => void) => Kept) {
    this.#start = start
  }

  /** Number of running workers, busy or idle. */
  get size(): number {
    return this.#all.size
  }

  take(): Kept {
    let worker = this.#idle.pop()
    while (worker?.hasEnded === true) worker = this.#idle.pop()
    return worker ?? this.#startOne()
  }

  giveBack(worker: Kept): void {
    if (!worker.hasEnded) this.#idle.push(worker)
  }

  /** Starts workers until there are `count`. */
  warm(count: number): void {
    while (this.#all.size < count) this.#idle.push(this.#startOne())
  }

  /** Ends idle workers until there are `count`. */
  trim(count: number): void {
    const surplus = [...this.#all].filter(({ hasEnded }) => !hasEnded).length - count
    for (const worker of this.#idle.slice(0, Math.max(0, surplus))) void worker.end()
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
