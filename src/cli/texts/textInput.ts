/** Texts in UTF-8 that commands read from files or standard input, and how such a command ends. */
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { describeSystemError, isSystemError } from '../../systemErrors.js'
import { UserError } from '../../userError.js'

/** Exit status when a command could not do its work; 1 is left to what it may have found, as with diff3. */
export const TROUBLE = 2

/** What a command was given cannot be read as text; the message says where and why. */
export class TextInputError extends UserError {
  override readonly name = 'TextInputError'
  override readonly exitStatus = TROUBLE
}

/** Gives wrong arguments of a command the exit status for trouble, too. */
export function exitWithTrouble(command: Command): void {
  command.exitOverride((error) => {
    if (error.exitCode !== 0) error.exitCode = TROUBLE
    throw error
  })
}

/** Throws a TypeError when the bytes are not UTF-8. A byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (!isSystemError(error)) throw error
    throw new TextInputError(describeSystemError(error, path), { cause: error })
  })
  try {
    return decodeUtf8(bytes)
  } catch (error) {
    throw new TextInputError(`${path} is not text in UTF-8`, { cause: error })
  }
}
