/** Size limit for the text of a page. */
import { editError, type EditError } from './editErrors.js'

const KIBIBYTE = 1024
export const MAX_TEXT_BYTES = 2048 * KIBIBYTE

/** The error for a text of more than 2 MiB of UTF-8; exactly 2 MiB is allowed. */
export function sizeError(text: string): EditError | undefined {
  return Buffer.byteLength(text) > MAX_TEXT_BYTES ? tooBig() : undefined
}

export function tooBig(): EditError {
  return editError('contenttoobig', String(MAX_TEXT_BYTES / KIBIBYTE))
}
