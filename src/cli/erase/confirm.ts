/** Asks on the terminal. */
import { createInterface } from 'node:readline/promises'
import { CommandError } from '../commandError.js'

/** Whether the answer was yes. Throws a CommandError where nobody can answer. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new CommandError('there is no terminal to ask on: add --yes')
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
  } finally {
    lines.close()
  }
}
