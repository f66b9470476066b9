/** Sources of modules: those that do not parse are not saved. */
import { cutWithMark } from './comment.js'
import { editError, type EditError } from './editErrors.js'

/** Why a source does not parse. */
export interface ModuleFault {
  readonly text: string
  /**
   * The page as Lua names it (`Module:My_page`), and a line, counted from 1; undefined when the fault has no place, as
   * when memory ran out.
   */
  readonly place: { readonly name: string; readonly line: number } | undefined
}

/** Parses the source of a module; undefined when it can be run, or where modules do not run. */
export type CheckModule = (source: string) => ModuleFault | undefined

/** A message quotes from the source, in which a word may be as long as the page. */
const MAX_MESSAGE_LETTERS = 500

/** `scribunto-lua-error-location`, or `scribunto-lua-error` for a fault without a place. */
export function moduleError({ text, place }: ModuleFault): EditError {
  const message = cutWithMark(text, MAX_MESSAGE_LETTERS)
  if (place === undefined) return editError('scribunto-lua-error', '', message)
  return editError('scribunto-lua-error-location', `in ${place.name} at line ${place.line}`, message)
}
