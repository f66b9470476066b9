/** Parameters as data: each module declares its own. The parser, the documentation and `paraminfo` read them. */

export type ParameterKind =
  | 'flag'
  | 'text'
  | 'integer'
  | 'limit'
  | 'choice'
  | 'timestamp'
  | 'namespace'
  | 'title'
  | 'user'
  | 'upload'

/** `Value` is what a module gets. */
export interface Parameter<Value> {
  readonly kind: ParameterKind
  readonly help: string
  /** Takes a list such as `a|b`. */
  readonly isMulti: boolean
  readonly isRequired: boolean
  readonly isDeprecated: boolean
  /** Must be in the body of a POST. */
  readonly isSecret: boolean
  /** As a client would write it. */
  readonly default: string | undefined
  /** Of a choice. */
  readonly words: readonly string[]
  readonly deprecatedWords: readonly string[]
  /** `*` stands for all values. */
  readonly takesAll: boolean
  readonly min: number | undefined
  readonly max: number | undefined
  /** Most values of a list. */
  readonly maxValues: number
  /** For the type alone: never set. */
  readonly valueType?: Value
}

export type ParameterTable = Readonly<Record<string, Parameter<unknown>>>
export type Values<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Parameter<infer Value> ? Value : never
}

/** MediaWiki's limit for clients without special rights. */
export const MAX_VALUES = 50
export const MAX_LIMIT = 500

const BASE = {
  isMulti: false,
  isRequired: false,
  isDeprecated: false,
  isSecret: false,
  default: undefined,
  words: [],
  deprecatedWords: [],
  takesAll: false,
  min: undefined,
  max: undefined,
  maxValues: MAX_VALUES,
} as const

/** A builder forgets which words a table has; the caller states the type of the value. */
function parameter<Value>(
  kind: ParameterKind,
  help: string,
  rest: Partial<Omit<Parameter<unknown>, 'kind' | 'help' | 'valueType'>> = {},
): Parameter<Value> {
  return { ...BASE, kind, help, ...rest }
}

/** True when present, whatever its value. */
export const flag = (help: string): Parameter<boolean> => parameter('flag', help)

export const text = (help: string): Parameter<string | undefined> => parameter('text', help)
export const textOr = (fallback: string, help: string): Parameter<string> =>
  parameter('text', help, { default: fallback })
export const requiredText = (help: string): Parameter<string> => parameter('text', help, { isRequired: true })
export const texts = (help: string): Parameter<readonly string[] | undefined> =>
  parameter('text', help, { isMulti: true })

/** Only in the body of a POST. */
export const secret = (help: string): Parameter<string | undefined> =>
  parameter('text', help, { isSecret: true })
export const requiredSecret = (help: string): Parameter<string> =>
  parameter('text', help, { isSecret: true, isRequired: true })

/** The contents of a file in the body, in pieces. */
export const file = (help: string): Parameter<readonly Uint8Array[] | undefined> => parameter('upload', help)

export const title = (help: string): Parameter<string | undefined> => parameter('title', help)

interface Range {
  readonly min?: number
  readonly max?: number
}
export const integer = (help: string, range: Range = {}): Parameter<number | undefined> =>
  parameter('integer', help, range)
export const integerOr = (fallback: number, help: string, range: Range = {}): Parameter<number> =>
  parameter('integer', help, { ...range, default: String(fallback) })
export const integers = (help: string): Parameter<readonly number[] | undefined> =>
  parameter('integer', help, { isMulti: true })

/** How many results are wanted; `max` is the most. */
export const limit = (fallback = 10, max = MAX_LIMIT): Parameter<number> =>
  parameter('limit', 'most results of one answer', { default: String(fallback), min: 1, max })
/** Undefined when absent. */
export const optionalLimit = (help: string, max = MAX_LIMIT): Parameter<number | undefined> =>
  parameter('limit', help, { min: 1, max })

interface ChoiceOptions {
  readonly deprecated?: readonly string[]
  readonly all?: boolean
}
export const choice = <const Word extends string>(
  words: readonly Word[],
  help: string,
): Parameter<Word | undefined> => parameter('choice', help, { words })
export const choiceOr = <const Word extends string>(
  fallback: NoInfer<Word>,
  words: readonly Word[],
  help: string,
): Parameter<Word> => parameter('choice', help, { words, default: fallback })
/** Undefined when absent; empty when no value was known. */
export const choices = <const Word extends string>(
  words: readonly Word[],
  help: string,
  { deprecated = [], all = false }: ChoiceOptions = {},
): Parameter<readonly Word[] | undefined> =>
  parameter('choice', help, { words, isMulti: true, deprecatedWords: deprecated, takesAll: all })
export const choicesOr = <const Word extends string>(
  fallback: readonly NoInfer<Word>[],
  words: readonly Word[],
  help: string,
  { deprecated = [], all = false }: ChoiceOptions = {},
): Parameter<readonly Word[]> =>
  parameter('choice', help, {
    words,
    isMulti: true,
    default: fallback.join('|'),
    deprecatedWords: deprecated,
    takesAll: all,
  })

/** Seconds since 1970. */
export const timestamp = (help: string): Parameter<number | undefined> => parameter('timestamp', help)

export const namespaceOr = (fallback: number, help: string): Parameter<number> =>
  parameter('namespace', help, { default: String(fallback) })
/** Undefined: all. */
export const namespaces = (help: string): Parameter<readonly number[] | undefined> =>
  parameter('namespace', help, { isMulti: true, takesAll: true, maxValues: MAX_LIMIT })
/** The same, but not all when absent. */
export const namespacesOr = (
  fallback: readonly number[],
  help: string,
): Parameter<readonly number[] | undefined> =>
  parameter('namespace', help, {
    isMulti: true,
    takesAll: true,
    maxValues: MAX_LIMIT,
    default: fallback.join('|'),
  })

/** A name or an address, in MediaWiki's spelling. */
export const user = (help: string): Parameter<string | undefined> => parameter('user', help)
export const users = (help: string): Parameter<readonly string[] | undefined> =>
  parameter('user', help, { isMulti: true })

export const deprecated = <Value>(old: Parameter<Value>): Parameter<Value> => ({ ...old, isDeprecated: true })

/** Continues a list: the value that an answer named. */
export const continueFrom = (): Parameter<string | undefined> =>
  parameter('text', 'where to go on: the value from an earlier answer')
