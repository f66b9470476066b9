/** Standard output and error that nobody takes: behind `| head`, or on a full disk. */
import { describeSystemError } from '../systemErrors.js'

/** Watches both for as long as the process runs. */
export class Outputs {
  readonly #faults = new Set<unknown>()
  #hasFailed = false

  constructor() {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      this.#faults.add(error)
      // A reader that has gone, as behind `| head`: the command does its work to the end, unheard.
      if (error.code !== 'EPIPE') this.#tellOnce(error)
    })
    // Nobody can be told. What the command does is more important than what it says of it.
    process.stderr.on('error', (error) => this.#faults.add(error))
  }

  /** Whether an error is one of these, which were told of already. */
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
