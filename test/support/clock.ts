/** The clock of the servers that run in the process of the tests. */
import { onTestFinished, vi } from 'vitest'

const MINUTE_MS = 60_000

/**
 * Stops the clock in the middle of this minute until the test has ended, since time limits count windows of a minute.
 */
export function stopClock(): void {
  const minute = Math.floor(Date.now() / MINUTE_MS)
  vi.useFakeTimers({ toFake: ['Date'], now: (minute + 0.5) * MINUTE_MS })
  onTestFinished(() => void vi.useRealTimers())
}
