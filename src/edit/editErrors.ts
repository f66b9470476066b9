/** Errors of the rules for edits. They are values instead of exceptions, since they cross threads. */
import type { EDIT_REFUSALS } from '../domain/refusal.js'

export type EditErrorKey = keyof typeof EDIT_REFUSALS

/** `args` replace $1 and $2 in the text of the key. */
export interface EditError {
  readonly key: EditErrorKey
  readonly args: readonly string[]
}

export function editError(key: EditErrorKey, ...args: string[]): EditError {
  return { key, args }
}

// Size limit for the text of a page.

const KIBIBYTE = 1024
export const MAX_TEXT_BYTES = 2048 * KIBIBYTE

/** The error for a text of more than 2 MiB of UTF-8; exactly 2 MiB is allowed. */
export function sizeError(text: string): EditError | undefined {
  return Buffer.byteLength(text) > MAX_TEXT_BYTES ? tooBig() : undefined
}

export function tooBig(): EditError {
  return editError('contenttoobig', String(MAX_TEXT_BYTES / KIBIBYTE))
}
