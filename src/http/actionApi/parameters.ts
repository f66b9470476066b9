/** Parameters of a request to the action API, from its form and its query. */
import type { FormFields } from './formBody.js'
import { ActionError, missingParameter } from './actionError.js'

/** Understood, or without meaning here: no request is told that they are unknown. */
const COMMON = [
  'maxlag',
  'utf8',
  'ascii',
  'errorformat',
  'errorlang',
  'uselang',
  'origin',
  'smaxage',
  'maxage',
]

export class ActionParameters {
  readonly isPost: boolean
  readonly #form: FormFields
  readonly #query: ReadonlyMap<string, string>
  readonly #asked = new Set<string>(COMMON)
  readonly #warnings = new Map<string, string[]>()

  /** `query` is raw, without the question mark. */
  constructor(query: string, form: FormFields | undefined) {
    this.isPost = form !== undefined
    this.#form = form ?? new Map<string, string>()
    this.#query = new Map(new URLSearchParams(query))
  }

  /** Undefined when absent; the form wins over the query. */
  get(name: string): string | undefined {
    this.#asked.add(name)
    return this.#form.get(name) ?? this.#query.get(name)
  }

  /** Throws a missingparam for one that is absent or empty. */
  require(name: string): string {
    return this.get(name) || fail(missingParameter(name))
  }

  /** For secrets, which must not stand in URLs: throws a mustpostparams. */
  getPosted(name: string): string | undefined {
    this.#asked.add(name)
    if (this.#query.has(name)) {
      const info = 'The following parameter was found in the query string, but must be in the POST body'
      throw new ActionError('mustpostparams', `${info}: ${name}.`)
    }
    return this.#form.get(name)
  }

  requirePosted(name: string): string {
    return this.getPosted(name) || fail(missingParameter(name))
  }

  /** One of the known words; throws a badvalue for another. */
  oneOf<Word extends string>(name: string, known: readonly Word[], standard: Word): Word {
    const value = this.get(name) ?? standard
    const word = known.find((candidate) => candidate === value)
    return word ?? fail(new ActionError('badvalue', unrecognized(name, value)))
  }

  /** The known words of a list such as `a|b`, or of `*` for all; the others become a warning of `module`. */
  listOf<Word extends string>(
    module: string,
    name: string,
    known: readonly Word[],
    standard: readonly Word[],
  ): readonly Word[] {
    const value = this.get(name)
    if (value === undefined || value === '') return standard
    if (value === '*') return known
    const words = value.startsWith('\x1f') ? value.slice(1).split('\x1f') : value.split('|')
    const unknown = words.filter((word) => !(known as readonly string[]).includes(word))
    for (const word of unknown.slice(0, 1)) this.warn(module, unrecognized(name, word))
    return known.filter((word) => words.includes(word))
  }

  warn(module: string, text: string): void {
    this.#warnings.set(module, [...(this.#warnings.get(module) ?? []), text])
  }

  /** What went through all the same, by module: parameters that nobody asked for belong to `main`. */
  warnings(): ReadonlyMap<string, readonly string[]> {
    const given = [...new Set([...this.#form.keys(), ...this.#query.keys()])]
    const unknown = given.filter((name) => !this.#asked.has(name))
    if (unknown.length > 0) {
      const names = unknown.slice(0, 10).map((name) => name.slice(0, 50))
      this.warn('main', `Unrecognized parameter${unknown.length > 1 ? 's' : ''}: ${names.join(', ')}.`)
    }
    return this.#warnings
  }
}

function unrecognized(name: string, value: string): string {
  return `Unrecognized value for parameter "${name}": ${value.slice(0, 100)}.`
}

function fail(error: Error): never {
  throw error
}
