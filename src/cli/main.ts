/**
 * The command line: picks a subcommand; faults that the user can mend end in one line and exit status 1 or their own.
 */
import { CommanderError } from 'commander'
import { faultOf } from './faults.js'
import { Outputs } from './outputs.js'
import { buildProgram } from './program.js'
import type { ServeSignals } from './serve/signals.js'

/** Runs what the command line says; a server's `signals` have been taken already. */
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
    throw error
  }
  process.stderr.write(`palimpsest: ${fault.line}\n`)
  process.exitCode = fault.exitStatus
}
