/** What a command says of an error. */
import { printable } from '../domain/printable.js'
import { describeSystemError, isSystemError } from '../systemErrors.js'
import { UserError } from '../userError.js'

/** Exit status of a command that failed, unless its error has its own. */
const FAILED = 1

export interface Fault {
  /** One line, without control characters. */
  readonly line: string
  readonly exitStatus: number
}

/** An error that the person at the command line can mend; undefined for one of the program itself. */
export function faultOf(error: unknown): Fault | undefined {
  if (error instanceof UserError) return { line: printable(error.message), exitStatus: error.exitStatus }
  if (isSystemError(error)) return { line: printable(describeSystemError(error)), exitStatus: FAILED }
  return isDamagedArchive(error) ? { line: printable(error.message), exitStatus: FAILED } : undefined
}

/** zlib's errors: the packed file is cut or damaged. */
function isDamagedArchive(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code.startsWith('Z_')
}
