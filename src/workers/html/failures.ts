/** Revisions without HTML: each is not tried again for a while. */

/** Time for which a failed revision is not tried again, and the number of failures to remember. */
export const FAILURE_MS = 10 * 60_000
const MAX_FAILURES = 1000

/** A text has no HTML: it exceeds a limit of the engine, or broke it. */
export class RenderError extends Error {
  override readonly name = 'RenderError'
  /** The text exceeds a limit, which the message names. Other messages are only for the log. */
  readonly isLimit: boolean

  constructor(message: string, options: ErrorOptions & { readonly isLimit: boolean }) {
    super(message, options)
    this.isLimit = options.isLimit
  }
}

interface Failure {
  readonly error: RenderError
  readonly untilMs: number
}

export class Failures {
  readonly #clock: { nowMs(): number }
  readonly #failures = new Map<number, Failure>()

  constructor(clock: { nowMs(): number }) {
    this.#clock = clock
  }

  /** The error of a revision that is not to be tried again yet. */
  of(revisionId: number): RenderError | undefined {
    const failure = this.#failures.get(revisionId)
    return failure !== undefined && failure.untilMs > this.#clock.nowMs() ? failure.error : undefined
  }

  add(revisionId: number, error: RenderError): void {
    const [oldest] = this.#failures.keys()
    if (this.#failures.size >= MAX_FAILURES && oldest !== undefined) this.#failures.delete(oldest)
    this.#failures.set(revisionId, { error, untilMs: this.#clock.nowMs() + FAILURE_MS })
  }

  forget(revisionId: number): void {
    this.#failures.delete(revisionId)
  }

  count(): number {
    const now = this.#clock.nowMs()
    return [...this.#failures.values()].filter(({ untilMs }) => untilMs > now).length
  }
}
