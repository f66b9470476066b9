/** Parameters of the action API: their documentation, and their values in the form and the query of a request. */
import type { QueryDoc } from '../openapi/describedRoute.js'
import type { JsonSchema } from '../request/params.js'

const TEXT = { type: 'string' }
const oneOf = (...words: string[]): JsonSchema => ({ enum: words })

type ParameterTable = Readonly<Record<string, readonly [description: string, schema?: JsonSchema]>>

/** Parameters of a GET, and those that only a form may have. Other fields of a form are ignored. */
const OF_QUERY = {
  action: ['what to do', oneOf('query', 'login', 'clientlogin', 'logout', 'createaccount')],
  format: ['of the answer', oneOf('json')],
  formatversion: ['2 for booleans and names instead of `""` and `*`', oneOf('1', '2', 'latest')],
  assert: ['the request fails unless the client is such a user', oneOf('anon', 'bot', 'user')],
  assertuser: ['the request fails unless the client is the user of this name'],
  requestid: ['comes back in the answer'],
  curtimestamp: ['when present, the answer has the time'],
  meta: ['of `query`: `siteinfo`, `tokens`, `userinfo`, with bars between them'],
  list: ['of `query`: this server has no lists, so each is an error'],
  prop: ['of `query`: this server has no properties, so each is an error'],
  generator: ['of `query`: this server has no generators, so each is an error'],
  type: ['of `meta=tokens`: `csrf`, `login`, `createaccount` and others, with bars between them'],
  siprop: ['of `meta=siteinfo`: `general`, `namespaces` and others, with bars between them'],
  uiprop: ['of `meta=userinfo`: `groups`, `rights` and others, with bars between them'],
} as const satisfies ParameterTable
const OF_FORM = {
  lgname: ['of `login`: name of the account'],
  lgpassword: ['of `login`: password of the account'],
  lgtoken: ['of `login`: token of the type `login`'],
  logintoken: ['of `clientlogin`: token of the type `login`'],
  loginreturnurl: ['of `clientlogin`: any URL'],
  logincontinue: ['of `clientlogin`: in place of `loginreturnurl`'],
  createtoken: ['of `createaccount`: token of the type `createaccount`'],
  createreturnurl: ['of `createaccount`: any URL'],
  createcontinue: ['of `createaccount`: in place of `createreturnurl`'],
  username: ['of `clientlogin` and `createaccount`: name of the account'],
  password: ['of `clientlogin` and `createaccount`: password of the account'],
  retype: ['of `createaccount`: the password again'],
  token: ['of `logout`: token of the type `csrf`'],
} as const satisfies ParameterTable

type ParameterName = keyof typeof OF_QUERY | keyof typeof OF_FORM

/** For the description of the API. */
export const QUERY_DOCS = docsOf(OF_QUERY)
export const FORM_DOCS = docsOf({ ...OF_QUERY, ...OF_FORM })
export const PARAMETER_NAMES: readonly string[] = FORM_DOCS.map(({ name }) => name)

function docsOf(table: ParameterTable): QueryDoc[] {
  return Object.entries(table).map(([name, [description, schema = TEXT]]) => ({ name, description, schema }))
}

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

/** An error of the action API. The answer has status 200, and the error in its body and in a header. */
export class ActionError extends Error {
  override readonly name = 'ActionError'
  readonly code: string

  /** `info` is the English text. */
  constructor(code: string, info: string) {
    super(info)
    this.code = code
  }
}

const missingParameter = (name: string): ActionError =>
  new ActionError('missingparam', `The "${name}" parameter must be set.`)

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
