/**
 * Reads the files of `languages/`: what MediaWiki knows of each language. A file has what differs from the language
 * that it names as its base. `languages/make.mjs` writes them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { packageFile } from '../runtime/packageFiles.js'

/** Separates the words of a list. */
const BAR = '¦'
const CODE = /^[a-z]{2,12}(?:-[a-z]{2,12}){0,2}$/

type Table<Value> = Readonly<Record<string, Value>>

/** Fields of a file. In tables, null removes an entry of the base. */
interface LanguageFile {
  readonly base?: string
  /** The language's name in itself. */
  readonly name?: string
  readonly dir?: 'ltr' | 'rtl'
  /** Codes of languages for what this one lacks. */
  readonly fallbacks?: string
  /** Names of namespaces by their numbers; `$1` stands for the wiki's name. */
  readonly namespaces?: Table<string | null>
  /** Numbers of namespaces by their further names. */
  readonly aliases?: Table<number | null>
  /** Names for men and women, of the namespaces of users. */
  readonly gender?: Table<string | null>
  /** Words of wikitext by MediaWiki's names for them, before the base's words. A bar in front: the list is whole. */
  readonly words?: Table<string | null>
  /** 1 where the case of letters counts. */
  readonly cased?: Table<number | null>
  /** Names of special pages, as `words`. */
  readonly special?: Table<string | null>
  /** PCRE for the letters after a link that belong to it. */
  readonly trail?: string
  /** 1 where letters before a link belong to it, which are the signs of `prefixSigns`. */
  readonly prefix?: number
  readonly prefixSigns?: string
  /** The ten digits; empty for 0 to 9. */
  readonly digits?: string
  readonly percent?: string
  /** The ten digits of numbers in groups, where they are others. */
  readonly groupedDigits?: string
  /** Between groups of digits, and before decimals. */
  readonly group?: string
  readonly decimal?: string
  /** The same in numbers to read. */
  readonly readGroup?: string
  readonly readDecimal?: string
  /** A pattern such as `#,##0.###`. */
  readonly grouping?: string
  readonly minGrouping?: number
  /** 1 where the capital of i has a dot, 2 where also the small form of I has none. */
  readonly dotted?: number
  /** Rules of plural forms, and the names of the forms. */
  readonly plural?: string
  readonly pluralTypes?: string
  readonly dateFormat?: string
  readonly dateFormats?: Table<string | null>
  /** Nominative, genitive, short. */
  readonly months?: readonly string[]
  /** From Sunday: long, short. */
  readonly weekdays?: readonly string[]
  /** Names of months in other calendars. */
  readonly calendars?: Table<string | null>
  /** Signs of lists, see `LIST_SIGNS`. */
  readonly signs?: string
  readonly variants?: string
  readonly variantFallbacks?: Table<string | null>
}

type Field = keyof LanguageFile
type TableField =
  | 'namespaces'
  | 'aliases'
  | 'gender'
  | 'cased'
  | 'dateFormats'
  | 'calendars'
  | 'variantFallbacks'
type ListField = 'words' | 'special'

/** The file of a language and those of its bases, which answer together. */
export class LanguageFacts {
  readonly #file: LanguageFile
  readonly #base: LanguageFacts | undefined

  private constructor(file: LanguageFile, base: LanguageFacts | undefined) {
    this.#file = file
    this.#base = base
  }

  /** Undefined for a code without a file. */
  static read(code: string): LanguageFacts | undefined {
    const file = CODE.test(code) ? readFile(code) : undefined
    if (file === undefined) return undefined
    return new LanguageFacts(file, file.base === undefined ? undefined : LanguageFacts.read(file.base))
  }

  value<Name extends Exclude<Field, TableField | ListField>>(name: Name): NonNullable<LanguageFile[Name]> {
    const value = this.#file[name] ?? this.#base?.value(name)
    if (value === undefined) throw new Error(`the files of languages lack the field ${name}`)
    return value
  }

  list(name: 'fallbacks' | 'plural' | 'pluralTypes' | 'variants'): string[] {
    return splitList(this.value(name))
  }

  table<Name extends TableField>(
    name: Name,
  ): Map<string, NonNullable<NonNullable<LanguageFile[Name]>[string]>> {
    type Value = NonNullable<NonNullable<LanguageFile[Name]>[string]>
    const entries = this.#base?.table(name) ?? new Map<string, Value>()
    for (const [key, value] of Object.entries(this.#file[name] ?? {})) {
      if (value === null) entries.delete(key)
      else entries.set(key, value as Value)
    }
    return entries
  }

  /** Lists of words by name. */
  lists(name: ListField): Map<string, readonly string[]> {
    const lists = this.#base?.lists(name) ?? new Map<string, readonly string[]>()
    for (const [key, text] of Object.entries(this.#file[name] ?? {})) {
      if (text === null) lists.delete(key)
      else if (text.startsWith(BAR)) lists.set(key, splitList(text.slice(1)))
      else lists.set(key, [...splitList(text), ...(lists.get(key) ?? [])])
    }
    return lists
  }
}

export function splitList(text: string): string[] {
  return text === '' ? [] : text.split(BAR)
}

const FOLDER = 'languages'
let names: ReadonlySet<string> | undefined

/** The folder is read once: modules ask for hundreds of languages. */
export function hasFile(code: string): boolean {
  names ??= new Set(readdirSync(packageFile(FOLDER)))
  return names.has(`${code}.json`)
}

function readFile(code: string): LanguageFile | undefined {
  try {
    return JSON.parse(readFileSync(packageFile(`${FOLDER}/${code}.json`), 'utf8')) as LanguageFile
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
