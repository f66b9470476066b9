/**
 * The command line: runs a subcommand. A fault that the user can fix prints one line; the exit status is 1 or the
 * fault's own.
 */
import { CommanderError } from 'commander'
import { sourceTrace } from '../runtime/stackTraces.js'
import { faultOf } from './commandError.js'
import { buildProgram } from './program.js'
import type { ServeSignals } from './serve/signals.js'
import { describeSystemError } from '../runtime/systemErrors.js'

/** Runs the command line. `signals` are those of a server, which start.ts has already taken over. */
export async function runCommand(signals: ServeSignals | undefined): Promise<void> {
  const outputs = new Outputs()
  try {
    await buildProgram(signals).parseAsync()
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode
    else if (!outputs.isKnown(error)) report(error)
  }
}

function report(error: unknown): void {
  const fault = faultOf(error)
  if (fault === undefined) {
    process.stderr.write(
      'palimpsest: this is an error in the program; please report it with the lines below\n',
    )
    if (error instanceof Error && error.stack !== undefined) error.stack = sourceTrace(error.stack)
    throw error
  }
  process.stderr.write(`palimpsest: ${fault.line}\n`)
  process.exitCode = fault.exitStatus
}

/**
 * Handles write errors of standard output and error while the process runs: a closed pipe (`| head`), or a full disk.
 */
class Outputs {
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
