/** Parameters of paths and queries: a parser for each kind, with its 400 errors, and the reader of query strings. */
import { FILE, MAIN } from '../../domain/namespaceIds.js'
import { parseTitle, type Title } from '../../domain/title.js'
import { type ErrorKey, HttpError, parameterError, rangeError } from '../reply/errors.js'
import type { Wiki } from './wiki.js'
import { decodePercent } from '../../domain/percent.js'

/** A JSON Schema of draft 2020-12, as in OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Value of a parameter. An array means `name[]=value`, which no parameter of this API accepts. */
type RawValue = string | readonly string[] | undefined

/** Parses one declared parameter from its decoded text; throws an HttpError when the text is not valid. */
export interface Param<Value> extends ParamDoc {
  parse(raw: RawValue, name: string, wiki: Wiki): Value
}

/** A parameter's entry in the description of the API. */
interface ParamDoc {
  readonly description: string
  readonly schema: JsonSchema
  readonly required: boolean
  /** The errors that `parse` throws. */
  readonly errors: readonly ErrorKey[]
}

/** A title as requested, with its parsed form; undefined when no page can have such a title. */
export interface RequestedTitle {
  /** Decoded, not normalised; error messages repeat it. */
  readonly asked: string
  readonly title: Title | undefined
}

/** A number, or a bigint beyond the safe integers. No id in the store equals a bigint. */
export type Integer = number | bigint

const TRUE_WORDS = ['true', 't', 'yes', 'y', 'on', '1']
const FALSE_WORDS = ['false', 'f', 'no', 'n', 'off', '0']
const MIN_INT64 = -(2n ** 63n)
const MAX_INT64 = 2n ** 63n - 1n

/** A page title in the path. An invalid title is not an error here: it names a page that does not exist. */
export function pageTitle(
  description = 'title of a page, with its namespace; a slash in it as %2F',
): Param<RequestedTitle> {
  return {
    description,
    schema: { type: 'string', minLength: 1 },
    required: true,
    errors: ['paramvalidator-missingparam', 'rest-nul-in-path'],
    parse(raw, name, wiki) {
      const asked = textOf(raw)
      if (asked === '') throw parameterError('missingparam', name, '')
      if (asked.includes('\0')) throw new HttpError('rest-nul-in-path')
      const parsed = parseTitle(asked, wiki.namespaces)
      return { asked, title: parsed.ok ? parsed.title : undefined }
    },
  }
}

/** A page title in the path. The segment may be empty when the page is unknown, and then names no page. */
export function pageTitleOrNone(description: string): Param<RequestedTitle> {
  const anyTitle = pageTitle(description)
  return {
    ...anyTitle,
    schema: { type: 'string' },
    errors: anyTitle.errors.filter((key) => key !== 'paramvalidator-missingparam'),
    parse: (raw, name, wiki) =>
      raw === '' ? { asked: '', title: undefined } : anyTitle.parse(raw, name, wiki),
  }
}

/** Any text in the path, maybe empty. */
export function restOfPath(): Param<string> {
  return {
    description: 'the rest of the path',
    schema: { type: 'string' },
    required: true,
    errors: ['rest-nul-in-path'],
    parse(raw) {
      const text = textOf(raw)
      if (text.includes('\0')) throw new HttpError('rest-nul-in-path')
      return text
    },
  }
}

/** A file's title in the path. A title without a prefix belongs to the namespace File. */
export function fileTitle(): Param<RequestedTitle> {
  const anyTitle = pageTitle('name of a file, with or without its namespace')
  return {
    ...anyTitle,
    parse(raw, name, wiki) {
      const { asked, title } = anyTitle.parse(raw, name, wiki)
      const isOfMain = title?.namespace === MAIN && !/^[\s_]*:/.test(asked)
      if (!isOfMain) return { asked, title }
      const parsed = parseTitle(wiki.namespaces.keyPrefix(FILE) + asked, wiki.namespaces)
      return { asked, title: parsed.ok ? parsed.title : undefined }
    },
  }
}

/** A signed 64-bit integer: an optional sign and digits, with leading zeros allowed. */
export function integer(description: string): Param<Integer> {
  return {
    description,
    schema: { type: 'integer', format: 'int64' },
    required: true,
    errors: ['paramvalidator-badinteger'],
    parse(raw, name) {
      const text = textOf(raw)
      if (typeof raw !== 'string' || !/^[+-]?\d+$/.test(text)) throw parameterError('badinteger', name, text)
      const value = Number(text)
      if (Number.isSafeInteger(value)) return value
      const exact = BigInt(text)
      if (exact < MIN_INT64 || exact > MAX_INT64) throw parameterError('badinteger', name, text)
      return exact
    },
  }
}

/** An integer from `min` to `max`; `byDefault` when absent. */
export function integerBetween(
  min: number,
  max: number,
  byDefault: number,
  description: string,
): Param<number> {
  const anyInteger = integer(description)
  return {
    description,
    schema: { type: 'integer', minimum: min, maximum: max, default: byDefault },
    required: false,
    errors: [...anyInteger.errors, 'paramvalidator-outofrange-minmax'],
    parse(raw, name, wiki) {
      if (raw === undefined) return byDefault
      const value = anyInteger.parse(raw, name, wiki)
      if (value < min || value > max) throw rangeError(name, textOf(raw), min, max)
      return Number(value)
    },
  }
}

/** A text that must be present and not empty. */
export function text(description: string): Param<string> {
  return {
    description,
    schema: { type: 'string', minLength: 1 },
    required: true,
    errors: ['paramvalidator-missingparam', 'paramvalidator-badvalue-enumnotmulti'],
    parse(raw, name) {
      if (raw === undefined) throw parameterError('missingparam', name, null)
      if (typeof raw !== 'string') throw parameterError('badvalue', name, textOf(raw))
      if (raw === '') throw parameterError('missingparam', name, '')
      return raw
    },
  }
}

/** A boolean in MediaWiki's forms, in any case: `1`, `true`, `t`, `yes`, `y`, `on` and their opposites. */
export function boolean(description: string): Param<boolean> {
  return {
    description,
    schema: { type: 'boolean' },
    required: true,
    errors: ['paramvalidator-badbool'],
    parse(raw, name) {
      const text = textOf(raw)
      const word = typeof raw === 'string' ? text.toLowerCase() : ''
      if (TRUE_WORDS.includes(word)) return true
      if (FALSE_WORDS.includes(word)) return false
      throw parameterError('badbool', name, text)
    },
  }
}

/** One of the listed words; upper and lower case differ. */
export function oneOf<const Word extends string>(words: readonly Word[], description: string): Param<Word> {
  return {
    description,
    schema: { enum: words },
    required: true,
    errors: ['paramvalidator-badvalue-enumnotmulti'],
    parse(raw, name) {
      const word = typeof raw === 'string' ? words.find((known) => known === raw) : undefined
      if (word === undefined) throw parameterError('badvalue', name, textOf(raw))
      return word
    },
  }
}

/** A parameter that may be absent, but not empty. */
export function optional<Value>(param: Param<Value>): Param<Value | undefined> {
  return {
    ...param,
    required: false,
    parse: (raw, name, wiki) => (raw === undefined ? undefined : param.parse(raw, name, wiki)),
  }
}

/** The text to show for a value. A bracketed parameter shows its last value. */
function textOf(raw: RawValue): string {
  return typeof raw === 'string' ? raw : (raw?.at(-1) ?? '')
}

/**
 * The last value of each named parameter in a raw query, with or without brackets. By PHP's rules, which clients of
 * MediaWiki rely on.
 */
export function readQuery(query: string, names: readonly string[]): Map<string, RawValue> {
  const values = new Map<string, RawValue>()
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const name = decodeComponent(equals < 0 ? pair : pair.slice(0, equals))
    const bracket = name.indexOf('[')
    const base = bracket > 0 && name.includes(']', bracket) ? name.slice(0, bracket) : name
    if (!names.includes(base)) continue
    const value = decodeComponent(equals < 0 ? '' : pair.slice(equals + 1))
    values.set(base, base === name ? value : [value])
  }
  return values
}

function decodeComponent(text: string): string {
  return decodePercent(text.replaceAll('+', ' '))
}
