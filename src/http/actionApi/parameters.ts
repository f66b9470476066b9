/** Parameters of a request to the action API, from its form and its query. */
import { ActionError, missingParameter } from './actionError.js'

/** All parameters that some module reads; other fields of a form are ignored. */
export const PARAMETER_NAMES = [
  'action',
  'format',
  'formatversion',
  'assert',
  'assertuser',
  'requestid',
  'curtimestamp',
  'meta',
  'list',
  'prop',
  'generator',
  'type',
  'siprop',
  'uiprop',
  'lgname',
  'lgpassword',
  'lgtoken',
  'logintoken',
  'loginreturnurl',
  'logincontinue',
  'createtoken',
  'createreturnurl',
  'createcontinue',
  'username',
  'password',
  'retype',
  'token',
] as const
export type ParameterName = (typeof PARAMETER_NAMES)[number]

/** Parameters without effect here. Many clients send them, so they cause no warning. */
const IGNORED = [
  'ascii',
  'continue',
  'createmessageformat',
  'createrequests',
  'email',
  'errorformat',
  'errorlang',
  'lgdomain',
  'loginmergerequestfields',
  'loginmessageformat',
  'loginrequests',
  'maxage',
  'maxlag',
  'origin',
  'realname',
  'reason',
  'rememberMe',
  'sifilteriw',
  'siinlanguagecode',
  'smaxage',
  'uselang',
  'utf8',
]

const KNOWN: ReadonlySet<string> = new Set([...PARAMETER_NAMES, ...IGNORED])

export type Form = ReadonlyMap<string, string>

const MAX_SHOWN = 10
const MAX_SHOWN_LENGTH = 100

export class ActionParameters {
  readonly isPost: boolean
  readonly #form: Form
  readonly #query: ReadonlyMap<string, string>
  readonly #warnings = new Map<string, string[]>()

  /** `query` is raw, without the question mark. */
  constructor(query: string, form: Form | undefined) {
    this.isPost = form !== undefined
    this.#form = form ?? new Map<string, string>()
    this.#query = new Map(new URLSearchParams(query))
  }

  /** The value in the form, else in the query; undefined when absent. */
  get(name: ParameterName): string | undefined {
    return this.#form.get(name) ?? this.#query.get(name)
  }

  /** For secrets, which must not appear in URLs: throws a mustpostparams when the query has the parameter. */
  getPosted(name: ParameterName): string | undefined {
    if (this.#query.has(name)) {
      const info = 'The following parameter was found in the query string, but must be in the POST body'
      throw new ActionError('mustpostparams', `${info}: ${name}.`)
    }
    return this.#form.get(name)
  }

  requirePosted(name: ParameterName): string {
    return this.getPosted(name) || fail(missingParameter(name))
  }

  /** One of the known words; throws a badvalue for any other. */
  oneOf<Word extends string>(name: ParameterName, known: readonly Word[], standard: Word): Word {
    const value = this.get(name) ?? standard
    const word = known.find((candidate) => candidate === value)
    return word ?? fail(new ActionError('badvalue', `${unrecognized(name, [value])}.`))
  }

  /** The known words of a list such as `a|b`, or all for `*`. Unknown words become a warning of `module`. */
  listOf<Word extends string>(
    module: string,
    name: ParameterName,
    known: readonly Word[],
    standard: readonly Word[],
  ): readonly Word[] {
    const value = this.get(name)
    if (value === undefined || value === '') return standard
    if (value === '*') return known
    const words = this.wordsOf(name)
    const unknown = words.filter((word) => !(known as readonly string[]).includes(word))
    if (unknown.length > 0) this.warn(module, unrecognized(name, unknown))
    return known.filter((word) => words.includes(word))
  }

  /** The words of a list such as `a|b`. */
  wordsOf(name: ParameterName): string[] {
    const value = this.get(name) ?? ''
    if (value === '') return []
    return value.startsWith('\x1f') ? value.slice(1).split('\x1f') : value.split('|')
  }

  /** Throws a badvalue when there are any words. */
  refuse(name: ParameterName, words: readonly string[]): void {
    if (words.length > 0) throw new ActionError('badvalue', `${unrecognized(name, words)}.`)
  }

  warn(module: string, text: string): void {
    this.#warnings.set(module, [...(this.#warnings.get(module) ?? []), text])
  }

  /** Faults that were tolerated, by module. Unknown parameters of the query belong to `main`. */
  warnings(): ReadonlyMap<string, readonly string[]> {
    const unknown = [...this.#query.keys()].filter((name) => !KNOWN.has(name))
    if (unknown.length > 0) {
      const names = unknown.slice(0, 10).map((name) => name.slice(0, 50))
      this.warn('main', `Unrecognized parameter${unknown.length > 1 ? 's' : ''}: ${names.join(', ')}.`)
    }
    return this.#warnings
  }
}

/** As in MediaWiki's warnings, without a full stop. Names ten values at most. */
function unrecognized(name: string, values: readonly string[]): string {
  const shown = values.slice(0, MAX_SHOWN).map((value) => value.slice(0, MAX_SHOWN_LENGTH))
  return `Unrecognized value${values.length > 1 ? 's' : ''} for parameter "${name}": ${shown.join(', ')}`
}

function fail(error: Error): never {
  throw error
}
