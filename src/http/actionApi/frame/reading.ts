/** Reads the declared parameters of a module, with MediaWiki's errors and warnings. */
import { userName } from '../../../domain/account.js'
import type { Namespaces } from '../../../domain/namespaces.js'
import { parseTimestamp } from '../../../domain/timestamp.js'
import { canonicalAddress } from '../../request/addresses.js'
import { isIP } from 'node:net'
import type { Parameter, ParameterTable, Values } from './declaration.js'
import { type Input, usualText } from './input.js'
import { ActionError, badValue, missingParameter, shown, unrecognized, type Warnings } from './problems.js'

/** What reading needs to know of the request. */
export interface ReadingContext {
  readonly input: Input
  readonly warnings: Warnings
  readonly namespaces: Namespaces
  readonly nowMs: number
  /** Filled with what `max` meant, by module. */
  readonly limits: Map<string, number>
}

/** Who reads: a module's name, its path such as `query+revisions`, and the prefix of its parameters. */
export interface Reader {
  readonly name: string
  readonly path: string
  readonly prefix: string
}

const INTEGER = /^-?\d{1,19}$/
const DIGITS_14 = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/
const UNIX = /^\d{1,11}$/
const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?Z?$/
const DATE = /^\d{4}-\d\d-\d\d$/
/** Unit separator: a list that begins with it has it between its values. */
const SEPARATOR = '\x1f'

export function readParameters<Table extends ParameterTable>(
  table: Table,
  reader: Reader,
  context: ReadingContext,
): Values<Table> {
  const { input } = context
  const { fields, names } = planOf(table, reader.prefix)
  input.use(names)
  const values: Record<string, unknown> = {}
  try {
    for (const { name, field, parameter, fallback } of fields)
      values[name] =
        parameter.isRequired || input.has(field)
          ? new ParameterReader(field, parameter, reader, context).value()
          : fallback
  } catch (error) {
    if (error instanceof ActionError) error.module ??= reader.path
    throw error
  }
  return values as Values<Table>
}

/** What a table means for requests: most of them have few of its parameters. */
interface Plan {
  readonly fields: readonly {
    readonly name: string
    /** The name in a request, with the module's prefix. */
    readonly field: string
    readonly parameter: Parameter<unknown>
    /** The value of an absent parameter. */
    readonly fallback: unknown
  }[]
  /** The same names in requests. */
  readonly names: ReadonlySet<string>
}

const PLANS = new WeakMap<ParameterTable, Map<string, Plan>>()

function planOf(table: ParameterTable, prefix: string): Plan {
  const known = PLANS.get(table)?.get(prefix)
  if (known !== undefined) return known
  const fields = Object.entries(table).map(([name, parameter]) => ({
    name,
    field: prefix + name,
    parameter,
    fallback: fallbackOf(parameter),
  }))
  const plan = { fields, names: new Set(fields.map(({ field }) => field)) }
  PLANS.set(table, (PLANS.get(table) ?? new Map<string, Plan>()).set(prefix, plan))
  return plan
}

/** Names of the parameters of a module in requests. */
export const fieldNames = (table: ParameterTable, prefix: string): ReadonlySet<string> =>
  planOf(table, prefix).names

function fallbackOf({ default: fallback, isMulti, kind }: Parameter<unknown>): unknown {
  if (kind === 'flag') return false
  if (fallback === undefined) return undefined
  const isNumber = kind === 'integer' || kind === 'limit' || kind === 'namespace'
  if (!isMulti) return isNumber ? Number(fallback) : fallback
  const words = fallback === '' ? [] : fallback.split('|')
  return Object.freeze(kind === 'namespace' || kind === 'integer' ? words.map(Number) : words)
}

class ParameterReader {
  readonly #name: string
  readonly #parameter: Parameter<unknown>
  readonly #reader: Reader
  readonly #context: ReadingContext

  constructor(name: string, parameter: Parameter<unknown>, reader: Reader, context: ReadingContext) {
    this.#name = name
    this.#parameter = parameter
    this.#reader = reader
    this.#context = context
  }

  value(): unknown {
    const { input } = this.#context
    const { kind, isSecret, isRequired, isDeprecated, isMulti } = this.#parameter
    if (kind === 'upload') return this.#file()
    const given = isSecret ? input.getPosted(this.#name) : input.get(this.#name)
    if (kind === 'flag') {
      if (given !== undefined && isDeprecated) this.#warnDeprecated()
      return given !== undefined
    }
    if (given !== undefined && isDeprecated) this.#warnDeprecated()
    if (isRequired && (given === undefined || given === '')) throw missingParameter(this.#name)
    if (given === undefined) return fallbackOf(this.#parameter)
    const usual = usualText(given)
    if (usual.isChanged && !isSecret) this.#warnUnusual()
    return isMulti ? this.#list(given) : this.#single(usual.text)
  }

  #file(): unknown {
    const { input } = this.#context
    const file = input.getFile(this.#name)
    if (file === undefined && input.get(this.#name) !== undefined) {
      const info =
        'is not a file upload; be sure to use multipart/form-data for your POST and include a filename in the Content-Disposition header.'
      throw new ActionError('badupload', `File upload parameter "${this.#name}" ${info}`)
    }
    return file
  }

  #warnUnusual(): void {
    const { warnings } = this.#context
    const text = `The value passed for "${this.#name}" contains invalid or non-normalized data. Textual data should be valid, NFC-normalized Unicode without C0 control characters other than HT (\\t), LF (\\n), and CR (\\r).`
    // The unit separator of a list is no fault.
    const given = this.#context.input.get(this.#name) ?? ''
    if (given.startsWith(SEPARATOR) && !usualText(given.replaceAll(SEPARATOR, '|')).isChanged) return
    warnings.add(this.#reader.path, 'badutf8', text)
  }

  #warnDeprecated(): void {
    const text = `The parameter "${this.#name}" has been deprecated.`
    this.#context.warnings.deprecation(this.#reader.path, text)
  }

  #list(given: string): unknown {
    const { kind, words, takesAll, maxValues } = this.#parameter
    const values = valuesOf(given)
    if (takesAll && values.length === 1 && values[0] === '*') return kind === 'namespace' ? undefined : words
    if (values.length > maxValues) throw this.#tooMany()
    if (kind === 'choice') return this.#known(values)
    if (kind === 'namespace') return this.#knownNamespaces(values)
    // Titles are composed where they are parsed, which tells the client of it.
    return [...new Set(values)].map((value) => (kind === 'text' ? value : this.#single(value)))
  }

  #tooMany(): ActionError {
    const { maxValues } = this.#parameter
    const info = `Too many values supplied for parameter "${this.#name}". The limit is ${maxValues}.`
    return new ActionError('toomanyvalues', info, { limit: maxValues, lowlimit: maxValues, highlimit: 500 })
  }

  #known(values: readonly string[]): readonly string[] {
    const { words, deprecatedWords } = this.#parameter
    const unknown = values.filter((value) => !words.includes(value))
    if (unknown.length > 0) this.#warnUnknown(unknown)
    for (const value of values)
      if (deprecatedWords.includes(value))
        this.#context.warnings.deprecation(
          this.#reader.path,
          `The value "${value}" to parameter "${this.#name}" has been deprecated.`,
        )
    return [...new Set(values)].filter((value) => words.includes(value))
  }

  #warnUnknown(values: readonly string[]): void {
    const { path } = this.#reader
    this.#context.warnings.add(path, 'unrecognizedvalues', unrecognized(this.#name, values).trimEnd(), {
      values: values.slice(0, 50).map(shown),
    })
  }

  /** None left means all. */
  #knownNamespaces(values: readonly string[]): readonly number[] | undefined {
    const { namespaces } = this.#context
    const isKnown = (value: string): boolean =>
      /^\d+$/.test(value) && namespaces.byId(Number(value)) !== undefined
    const unknown = values.filter((value) => !isKnown(value))
    if (unknown.length > 0) this.#warnUnknown(unknown)
    const known = [...new Set(values.filter(isKnown).map(Number))]
    return known.length === 0 ? undefined : known
  }

  #single(value: string): unknown {
    const { kind, words, deprecatedWords } = this.#parameter
    switch (kind) {
      case 'integer':
      case 'limit':
        return this.#integer(value)
      case 'choice':
        if (!words.includes(value)) throw badValue(this.#name, value)
        if (deprecatedWords.includes(value)) this.#known([value])
        return value
      case 'namespace': {
        const isKnown = /^\d+$/.test(value) && this.#context.namespaces.byId(Number(value)) !== undefined
        if (!isKnown) throw badValue(this.#name, value)
        return Number(value)
      }
      case 'timestamp':
        return this.#timestamp(value)
      case 'user':
        return this.#user(value)
      case 'flag':
      case 'text':
      case 'title':
      case 'upload':
        return value
    }
  }

  #integer(value: string): number {
    const { kind, min, max } = this.#parameter
    if (kind === 'limit' && value === 'max') {
      this.#context.limits.set(this.#reader.name, max ?? 0)
      return max ?? 0
    }
    const number = Number(value)
    if (!INTEGER.test(value) || !Number.isSafeInteger(number))
      throw new ActionError(
        'badinteger',
        `Invalid value "${shown(value)}" for integer parameter "${this.#name}".`,
      )
    const bounded = Math.min(Math.max(number, min ?? number), max ?? Math.max(number, min ?? number))
    if (bounded !== number) this.#warnRange(number)
    return bounded
  }

  #warnRange(number: number): void {
    const { min, max } = this.#parameter
    const range =
      max === undefined
        ? `no less than ${shownNumber(min)}`
        : min === undefined
          ? `no greater than ${shownNumber(max)}`
          : `between ${shownNumber(min)} and ${shownNumber(max)}`
    const text = `The value "${number}" for parameter "${this.#name}" must be ${range}.`
    this.#context.warnings.add(this.#reader.path, 'outofrange', text)
  }

  #timestamp(value: string): number {
    const { nowMs, warnings } = this.#context
    const now = Math.floor(nowMs / 1000)
    if (value === 'now') return now
    if (value === '' || value === '0') {
      const text = `Passing "${value}" for timestamp parameter "${this.#name}" has been deprecated. If for some reason you need to explicitly specify the current time without calculating it client-side, use "now".`
      warnings.add(this.#reader.path, 'unclearnowtimestamp', text)
      return now
    }
    const seconds = secondsOf(value)
    if (seconds === undefined)
      throw new ActionError(
        'badtimestamp',
        `Invalid value "${shown(value)}" for timestamp parameter "${this.#name}".`,
      )
    return seconds
  }

  #user(value: string): string {
    const name = knownUser(value, this.#context.namespaces)
    if (name === undefined)
      throw new ActionError('baduser', `Invalid value "${shown(value)}" for user parameter "${this.#name}".`)
    return name
  }
}

const shownNumber = (number: number | undefined): string => (number ?? 0).toLocaleString('en-US')

/** The values of a list. */
export function valuesOf(given: string): string[] {
  if (given === '') return []
  return given.startsWith(SEPARATOR) ? given.slice(1).split(SEPARATOR) : given.split('|')
}

/** Seconds since 1970; undefined for what is no time. */
export function secondsOf(value: string): number | undefined {
  const digits = DIGITS_14.exec(value) ?? ISO.exec(value)
  if (digits !== null) {
    const [, year, month, day, hour, minute, second] = digits
    return parseTimestamp(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  }
  if (UNIX.test(value)) return Number(value)
  return DATE.test(value) ? parseTimestamp(`${value}T00:00:00Z`) : undefined
}

/** A name or an address in the spelling of the wiki; undefined for what no editor can be. */
export function knownUser(value: string, namespaces: Namespaces): string | undefined {
  const plain = value.trim()
  if (isIP(plain) !== 0) return canonicalAddress(plain)
  const octets = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(plain)
  if (octets !== null && octets.slice(1).every((part) => Number(part) < 256))
    return octets.slice(1).map(Number).join('.')
  return userName(plain, namespaces)
}
