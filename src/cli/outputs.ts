/** Handles write errors of standard output and error: a closed pipe (`| head`), or a full disk. */
import { describeSystemError } from '../runtime/systemErrors.js'

/** Watches both streams while the process runs. */
export class Outputs {
  readonly #faults = new Set<unknown>()
  #hasFailed = false

  constructor() {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      this.#faults.add(error)
      // After EPIPE, the reader has gone, as with `| head`: the command finishes silently.
      if (error.code !== 'EPIPE') this.#tellOnce(error)
    })
    // There is nowhere to report this. The work of the command matters more than its messages.
    process.stderr.on('error', (error) => this.#faults.add(error))
  }

  /** Whether an error is one of these; the user already knows it. */
  isKnown(error: unknown): boolean {
    return this.#faults.has(error)
  }

  #tellOnce(error: NodeJS.ErrnoException): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    process.stderr.write(`palimpsest: ${describeSystemError(error, 'standard output')}\n`)
    process.once('exit', () => (process.exitCode ||= 1))
  }
}
