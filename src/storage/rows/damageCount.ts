/** How many damaged rows the threads of this process have met: one number for all of them. */
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

const NAME = 'palimpsest damaged rows'

export class DamageCount {
  readonly #count: Int32Array

  /** Threads that are started later count in the same place as the one that opened a store first. */
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
