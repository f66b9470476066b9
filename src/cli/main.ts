/**
 * The command line: runs a subcommand. A fault that the user can fix prints one line; the exit status is 1 or the
 * fault's own.
 */
import { CommanderError } from 'commander'
import { sourceTrace } from '../runtime/stackTraces.js'
import { faultOf } from './faults.js'
import { Outputs } from './outputs.js'
import { buildProgram } from './program.js'
import type { ServeSignals } from './serve/signals.js'

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
