/** Errors and warnings of the action API, with the texts that clients know from MediaWiki. */

/** Data of an error that clients read, such as `limit`. */
type ErrorData = Readonly<Record<string, unknown>>

/** An error of the action API. The answer has status 200, and the error in its body and in a header. */
export class ActionError extends Error {
  override readonly name = 'ActionError'
  readonly code: string
  readonly data: ErrorData
  /** Path of the module, such as `query+revisions`. Set where a module is run. */
  module: string | undefined

  /** `info` is the English text. */
  constructor(code: string, info: string, data: ErrorData = {}) {
    super(info)
    this.code = code
    this.data = data
  }
}

export interface Warning {
  /** Path of the module, such as `query+revisions`. */
  readonly module: string
  readonly code: string
  readonly text: string
  readonly data?: ErrorData
}

/** Appended once to each answer that warns of something deprecated. */
const ANNOUNCE =
  'Subscribe to the mediawiki-api-announce mailing list at <https://lists.wikimedia.org/postorius/lists/mediawiki-api-announce.lists.wikimedia.org/> for notice of API deprecations and breaking changes.'

/** Faults that were tolerated. The same text of a module counts once. */
export class Warnings {
  readonly #list: Warning[] = []
  #isDeprecation = false

  add(module: string, code: string, text: string, data?: ErrorData): void {
    if (this.#list.some((known) => known.module === module && known.text === text)) return
    this.#list.push({ module, code, text, ...(data && { data }) })
  }

  deprecation(module: string, text: string): void {
    this.#isDeprecation = true
    this.add(module, 'deprecation', text)
  }

  list(): readonly Warning[] {
    if (!this.#isDeprecation) return this.#list
    return [...this.#list, { module: 'main', code: 'deprecation-help', text: ANNOUNCE }]
  }
}

const MAX_SHOWN = 10
const MAX_SHOWN_LENGTH = 200

/** A value of a client as messages show it. */
export const shown = (value: string): string => value.slice(0, MAX_SHOWN_LENGTH)

/** As in MediaWiki's warnings, without a full stop. Names ten values at most. */
export function unrecognized(name: string, values: readonly string[]): string {
  const list = values.slice(0, MAX_SHOWN).map(shown).join(', ')
  return `Unrecognized value${values.length > 1 ? 's' : ''} for parameter "${name}": ${list}`
}

export const badValue = (name: string, value: string): ActionError =>
  new ActionError('badvalue', `${unrecognized(name, [value])}.`)

export const missingParameter = (name: string): ActionError =>
  new ActionError('missingparam', `The "${name}" parameter must be set.`)

const listed = (names: readonly string[], word: 'and' | 'or'): string => {
  const quoted = names.map((name) => `"${name}"`)
  return `${quoted.slice(0, -1).join(', ')} ${word} ${quoted.at(-1)}`
}

/** Throws an error unless exactly one of the values is there. */
export function requireOneOf(given: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(given)
  const present = names.filter((name) => given[name] !== undefined && given[name] !== '')
  if (present.length === 1) return
  if (present.length === 0)
    throw new ActionError('missingparam', `One of the parameters ${listed(names, 'and')} is required.`)
  throw together(present)
}

export function requireAtLeastOneOf(given: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(given)
  if (names.some((name) => given[name] !== undefined && given[name] !== '')) return
  throw new ActionError('missingparam', `At least one of the parameters ${listed(names, 'and')} is required.`)
}

/** Throws an error if more than one of the values is there. */
export function requireAtMostOneOf(given: Readonly<Record<string, unknown>>): void {
  const present = Object.keys(given).filter((name) => given[name] !== undefined && given[name] !== false)
  if (present.length > 1) throw together(present)
}

const together = (names: readonly string[]): ActionError =>
  new ActionError('invalidparammix', `The parameters ${listed(names, 'and')} can not be used together.`)

export const badContinue = (): ActionError =>
  new ActionError(
    'badcontinue',
    'Invalid continue param. You should pass the original value returned by the previous query.',
  )

export const invalidTitle = (text: string): ActionError =>
  new ActionError('invalidtitle', `Bad title "${shown(text)}".`)

export const noSuchPage = (id: number): ActionError =>
  new ActionError('nosuchpageid', `There is no page with ID ${id}.`)

/** Throws an error for `x` together with `!x`. */
export function requireNoContradiction(words: readonly string[] | undefined): void {
  if (words?.some((word) => words.includes(`!${word}`)) !== true) return
  throw new ActionError('show', 'Incorrect parameter - mutually exclusive values may not be supplied.')
}
