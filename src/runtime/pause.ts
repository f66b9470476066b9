/** Waiting that can end early. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves after a time, or at once when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

// Waiting times before a process or thread that ended by itself starts again.

const FIRST_MS = 100
const LONGEST_MS = 10_000
/** A run of this length counts as healthy: the next failure waits FIRST_MS again. */
const SOUND_MS = 60_000

export class BackOff {
  #nextMs = FIRST_MS

  /** The wait after a run of `ranMs`: 100 ms, twice as much each time, 10 s at most. */
  delayAfter(ranMs: number): number {
    if (ranMs >= SOUND_MS) this.#nextMs = FIRST_MS
    const delayMs = this.#nextMs
    this.#nextMs = Math.min(LONGEST_MS, 2 * delayMs)
    return delayMs
  }
}
