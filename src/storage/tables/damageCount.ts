/** Counts the damaged rows that the threads of this process have read, in one number for all threads. */
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

const NAME = 'palimpsest damaged rows'

export class DamageCount {
  readonly #count: Int32Array

  /** Threads that start later share the counter of the thread that opened a store first. */
  constructor() {
    const known = getEnvironmentData(NAME)
    const shared = known instanceof SharedArrayBuffer ? known : new SharedArrayBuffer(4)
    if (shared !== known) setEnvironmentData(NAME, shared)
    this.#count = new Int32Array(shared)
  }

  add(): void {
    Atomics.add(this.#count, 0, 1)
  }

  get value(): number {
    return Atomics.load(this.#count, 0)
  }
}
