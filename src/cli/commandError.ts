/** Errors of commands, and their messages. */
import { UserError } from '../runtime/userError.js'
import { printable } from '../domain/printable.js'
import { describeSystemError, isSystemError } from '../runtime/systemErrors.js'

/** The request is impossible; the message gives the reason. */
export class CommandError extends UserError {
  override readonly name = 'CommandError'
}

/** Exit status of a failed command whose error has none of its own. */
const FAILED = 1

interface Fault {
  /** One line, without control characters. */
  readonly line: string
  readonly exitStatus: number
}

/** The message of an error that the user can fix; undefined for an error of the program itself. */
export function faultOf(error: unknown): Fault | undefined {
  if (error instanceof UserError) return { line: printable(error.message), exitStatus: error.exitStatus }
  if (isSystemError(error)) return { line: printable(describeSystemError(error)), exitStatus: FAILED }
  return isDamagedArchive(error) ? { line: printable(error.message), exitStatus: FAILED } : undefined
}

/** An error of zlib: the compressed file is incomplete or damaged. */
function isDamagedArchive(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code.startsWith('Z_')
}
