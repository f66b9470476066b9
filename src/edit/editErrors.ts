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
