/** A time limit for work that a signal ends. */

export interface TimeLimit {
  /** Aborts with the given signal, and at the end of the time with a TimeoutError. */
  readonly signal: AbortSignal
  /** Call it when the work is done. */
  readonly end: () => void
}

/**
 * Limits the time of work that `signal` ends, too. `AbortSignal.timeout` within `AbortSignal.any` cannot do that: the
 * garbage collector takes it, and then the time never ends.
 */
export function limitTime(ms: number, signal: AbortSignal): TimeLimit {
  const limit = new AbortController()
  const timer = setTimeout(
    () => limit.abort(new DOMException(`not done within ${ms} ms`, 'TimeoutError')),
    ms,
  )
  return { signal: AbortSignal.any([signal, limit.signal]), end: () => clearTimeout(timer) }
}
