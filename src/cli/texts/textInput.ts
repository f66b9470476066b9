/** Commands that read UTF-8 text from files or standard input: reading, and exit statuses. */
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { describeSystemError, isSystemError } from '../../runtime/systemErrors.js'
import { UserError } from '../../runtime/userError.js'

/** Exit status of a failed command. As in diff3, 1 is reserved for a result such as a conflict. */
export const TROUBLE = 2

/** The input is not readable text; the message says where and why. */
export class TextInputError extends UserError {
  override readonly name = 'TextInputError'
  override readonly exitStatus = TROUBLE
}

/** Sets the exit status for trouble on wrong arguments too. */
export function exitWithTrouble(command: Command): void {
  command.exitOverride((error) => {
    if (error.exitCode !== 0) error.exitCode = TROUBLE
    throw error
  })
}

/** Throws a TypeError when the bytes are not UTF-8. Keeps a byte order mark. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (!isSystemError(error)) throw error
    throw new TextInputError(describeSystemError(error, path), { cause: error })
  })
  return decodeText(bytes, path)
}

export async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return decodeText(Buffer.concat(chunks), 'standard input')
}

function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return decodeUtf8(bytes)
  } catch (error) {
    throw new TextInputError(`${name} is not text in UTF-8`, { cause: error })
  }
}
