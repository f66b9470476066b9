/** Time and chance as the follower knows them. No time of this machine enters anything but waiting. */
import { pause } from '../runtime/pause.js'

export interface Clock {
  /** Milliseconds from any beginning. */
  now(): number
  /** Resolves after a time, or at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** A number from 0 to 1, without 1. */
  chance(): number
}

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  sleep: pause,
  chance: () => Math.random(),
}
