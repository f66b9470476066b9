/** Promises with a limit of time. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves as `work` does, or with what `late` returns after `ms`. `late` may throw. The work goes on all the same. */
export async function within<T, L>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  const cancelled = new AbortController()
  const limit = sleep(ms, undefined, { signal: cancelled.signal }).then(late)
  try {
    return await Promise.race([work, limit])
  } finally {
    limit.catch(() => undefined) // of the cancelled timer
    cancelled.abort()
  }
}
