/**
 * What MediaWiki knows of a language: names of namespaces, words of wikitext, signs of numbers, months, plural forms.
 * All parts of the server ask here. Tables come from files (`files.ts`), each on first use.
 */
import { BoundedCache } from '../runtime/boundedCache.js'
import { hasFile, LanguageFacts, splitList } from './files.js'
import { localOptions, LocalSwitches, type MagicWord } from './localWords.js'
import { pluralIndex, pluralRules } from './plural.js'

export interface GenderNames {
  readonly male: string
  readonly female: string
}

export interface MonthNames {
  readonly name: string
  readonly genitive: string
  readonly short: string
}

export interface WeekdayNames {
  readonly name: string
  readonly short: string
}

/** Names of months in other calendars. The Hebrew one ends with the two Adars of a leap year. */
export interface CalendarNames {
  readonly hebrew: readonly string[]
  readonly hebrewGenitive: readonly string[]
  readonly iranian: readonly string[]
  readonly islamic: readonly string[]
}

export interface NumberSigns {
  readonly group: string
  readonly decimal: string
  /** The digits 0 to 9. */
  readonly digits: readonly string[]
  /** Those of numbers in groups. */
  readonly groupedDigits: readonly string[]
  /** Signs of numbers to read: few languages write others. */
  readonly readGroup: string
  readonly readDecimal: string
  readonly percent: string
  /** Lengths of digit groups from the right; the last one repeats. Empty where numbers are never grouped. */
  readonly groupLengths: readonly number[]
  /** Fewest digits before the first separator. 0 where the language has no such rule: then one is enough. */
  readonly minGrouping: number
}

const ENGLISH = 'en'
/** MediaWiki's names for the signs of lists, in the order of the files: `$1` is what stands in brackets. */
export const LIST_SIGNS = [
  'comma-separator',
  'and',
  'word-separator',
  'colon-separator',
  'parentheses',
] as const
/** The capital of i has a dot. */
const DOTTED_CAPITAL = 1
/** And the small form of I has none. */
const DOTLESS_SMALL = 2
const ASCII_DIGITS: readonly string[] = Array.from('0123456789')
/** Codes that Wikimedia's wikis had before the languages got others. */
const OLD_CODES: Readonly<Record<string, string>> = {
  als: 'gsw',
  'bat-smg': 'sgs',
  'be-x-old': 'be-tarask',
  'fiu-vro': 'vro',
  no: 'nb',
  'roa-rup': 'rup',
  simple: ENGLISH,
  'zh-classical': 'lzh',
  'zh-min-nan': 'nan',
  'zh-yue': 'yue',
}
/** Languages that a process keeps. Texts may name any, so the number has a bound. */
const KEPT_LANGUAGES = 100
const MAX_CODE_LENGTH = 40

export class Language {
  readonly code: string
  readonly #facts: LanguageFacts
  readonly #known = new Map<string, unknown>()

  constructor(code: string, facts: LanguageFacts) {
    this.code = code
    this.#facts = facts
  }

  /** The language's name in itself. */
  get name(): string {
    return this.#facts.value('name')
  }

  get direction(): 'ltr' | 'rtl' {
    return this.#facts.value('dir')
  }

  /** Codes of languages that stand in for this one, the nearest first. */
  get fallbacks(): readonly string[] {
    return this.#keep('fallbacks', () => this.#facts.list('fallbacks'))
  }

  /** Names of namespaces by their numbers, with spaces. `$1` stands for the wiki's name, which names namespace 4. */
  get namespaceNames(): ReadonlyMap<number, string> {
    return this.#keep('namespaceNames', () => byNumber(this.#facts.table('namespaces')))
  }

  /** Further names of namespaces with their numbers, those of men and women among them. */
  get namespaceAliases(): readonly (readonly [name: string, id: number])[] {
    return this.#keep('namespaceAliases', () => {
      const names = this.#facts.table('aliases')
      for (const [id, { male, female }] of this.genderNames)
        for (const name of [male, female]) if (!names.has(name)) names.set(name, id)
      return [...names]
    })
  }

  /** Names of the users' namespaces by gender. Empty where the language has one name for all. */
  get genderNames(): ReadonlyMap<number, GenderNames> {
    return this.#keep('genderNames', () => {
      const names = byNumber(this.#facts.table('gender'))
      return new Map(
        Array.from(names, ([id, text]) => {
          const [male = '', female = ''] = splitList(text)
          return [id, { male, female }] as const
        }),
      )
    })
  }

  /** By MediaWiki's names for them. */
  get magicWords(): ReadonlyMap<string, MagicWord> {
    return this.#keep('magicWords', () => {
      const cased = this.#facts.table('cased')
      const words = Array.from(
        this.#facts.lists('words'),
        ([id, list]) => [id, { caseSensitive: cased.get(id) === 1, words: list }] as const,
      )
      return new Map(words)
    })
  }

  /** Whether a text is a word with this name of MediaWiki's, such as `noreplace` for `defaultsort_noreplace`. */
  means(name: string, text: string): boolean {
    const word = this.magicWords.get(name)
    if (word === undefined || text === '') return false
    if (word.caseSensitive) return word.words.includes(text)
    const folded = text.toLowerCase()
    return word.words.some((each) => each.toLowerCase() === folded)
  }

  /** The language's own behaviour switches. Undefined where it has the English ones alone. */
  get localSwitches(): LocalSwitches | undefined {
    return this.#keep('localSwitches', () =>
      LocalSwitches.of(this.magicWords, languageOf(ENGLISH).magicWords),
    )
  }

  /** Matches an option of pictures that has a word of the language. Undefined where it has the English ones alone. */
  get localOptions(): RegExp | undefined {
    return this.#keep('localOptions', () => localOptions(this.magicWords, languageOf(ENGLISH).magicWords))
  }

  /** Names of special pages by MediaWiki's names for them. The first one is that in links. */
  get specialPages(): ReadonlyMap<string, readonly string[]> {
    return this.#keep('specialPages', () => this.#facts.lists('special'))
  }

  /** Letters after a link that belong to it, as a PCRE with the rest of the text as second group. */
  get linkTrail(): string {
    return this.#facts.value('trail')
  }

  /** The signs before a link that belong to it, as the inside of a character class of PCRE. Undefined where none do. */
  get linkPrefix(): string | undefined {
    return this.#facts.value('prefix') === 1 ? this.#facts.value('prefixSigns') : undefined
  }

  /** The same for a wiki that writes all numbers with the digits 0 to 9. */
  get plainNumbers(): NumberSigns {
    return this.#keep('plainNumbers', () => ({
      ...this.numbers,
      digits: ASCII_DIGITS,
      groupedDigits: ASCII_DIGITS,
    }))
  }

  get numbers(): NumberSigns {
    return this.#keep('numbers', () => {
      const digitsOf = (text: string, preset: readonly string[]): readonly string[] =>
        text === '' ? preset : Array.from(text)
      const digits = digitsOf(this.#facts.value('digits'), ASCII_DIGITS)
      return {
        group: this.#facts.value('group'),
        decimal: this.#facts.value('decimal'),
        digits,
        groupedDigits: digitsOf(this.#facts.value('groupedDigits'), digits),
        readGroup: this.#facts.value('readGroup'),
        readDecimal: this.#facts.value('readDecimal'),
        percent: this.#facts.value('percent') || '%',
        groupLengths: groupLengths(this.#facts.value('grouping')),
        minGrouping: this.#facts.value('minGrouping'),
      }
    })
  }

  /** From January. */
  get months(): readonly MonthNames[] {
    return this.#keep('months', () =>
      this.#facts.value('months').map((forms) => {
        const [name = '', genitive = '', short = ''] = splitList(forms)
        return { name, genitive, short }
      }),
    )
  }

  /** From Sunday. */
  get weekdays(): readonly WeekdayNames[] {
    return this.#keep('weekdays', () =>
      this.#facts.value('weekdays').map((forms) => {
        const [name = '', short = ''] = splitList(forms)
        return { name, short }
      }),
    )
  }

  get calendars(): CalendarNames {
    return this.#keep('calendars', () => {
      const names = this.#facts.table('calendars')
      const of = (calendar: keyof CalendarNames): string[] => splitList(names.get(calendar) ?? '')
      return {
        hebrew: of('hebrew'),
        hebrewGenitive: of('hebrewGenitive'),
        iranian: of('iranian'),
        islamic: of('islamic'),
      }
    })
  }

  /** Signs between the words of a list and the like, by the names of their messages. */
  get listSigns(): ReadonlyMap<string, string> {
    return this.#keep('listSigns', () => {
      const signs = splitList(this.#facts.value('signs'))
      return new Map(LIST_SIGNS.map((name, n) => [name, signs[n] ?? '']))
    })
  }

  get defaultDateFormat(): string {
    return this.#facts.value('dateFormat')
  }

  /** Codes of `#time` by names such as `dmy both`. */
  get dateFormats(): ReadonlyMap<string, string> {
    return this.#keep('dateFormats', () => this.#facts.table('dateFormats'))
  }

  /** Codes of the language's variants; empty where it has none. */
  get variants(): readonly string[] {
    return this.#keep('variants', () => this.#facts.list('variants'))
  }

  /** Variants that stand in for a variant, the nearest first. */
  get variantFallbacks(): ReadonlyMap<string, readonly string[]> {
    return this.#keep('variantFallbacks', () => {
      const table = this.#facts.table('variantFallbacks')
      return new Map(Array.from(table, ([code, codes]) => [code, splitList(codes)] as const))
    })
  }

  /** Names of the plural forms that have rules, such as `one` and `few`, in the order of `pluralIndex`. */
  get pluralForms(): readonly string[] {
    return this.#keep('pluralForms', () => this.#facts.list('pluralTypes'))
  }

  /** The index of the plural form for a number in English signs, such as `-1.50`. */
  pluralIndex(number: string): number {
    const rules = this.#keep('pluralRules', () => pluralRules(this.#facts.list('plural')))
    return pluralIndex(number, rules)
  }

  /** The capital of a letter; of some it is several letters, such as of ß. */
  capital(letter: string): string {
    return letter === 'i' && this.#dotted >= DOTTED_CAPITAL ? 'İ' : letter.toUpperCase()
  }

  /** The small form of a letter. */
  smallLetter(letter: string): string {
    const own = this.#dotted === DOTLESS_SMALL ? { I: 'ı', İ: 'i' }[letter] : undefined
    return own ?? letter.replace('Σ', 'σ').toLowerCase()
  }

  get #dotted(): number {
    return this.#facts.value('dotted')
  }

  #keep<Value>(name: string, make: () => Value): Value {
    if (!this.#known.has(name)) this.#known.set(name, make())
    return this.#known.get(name) as Value
  }
}

const kept = new BoundedCache<Language>(2 * KEPT_LANGUAGES, () => 1)

/** A language by its code in any case. For an unknown code, what English says, under that code. */
export function languageOf(code: string): Language {
  const known = kept.get(code)
  if (known !== undefined) return known
  const language = new Language(code, factsOf(code.toLowerCase()))
  if (code.length <= MAX_CODE_LENGTH) kept.set(code, language)
  return language
}

/** Whether MediaWiki has texts in a language, by its own code. Old codes and other languages have none. */
export const isRecorded = (code: string): boolean => hasFile(code)

function factsOf(code: string): LanguageFacts {
  const found = LanguageFacts.read(OLD_CODES[code] ?? code) ?? LanguageFacts.read(ENGLISH)
  if (found === undefined) throw new Error('the folder languages of palimpsest is missing')
  return found
}

function byNumber<Value>(table: ReadonlyMap<string, Value>): Map<number, Value> {
  return new Map(Array.from(table, ([id, value]) => [Number(id), value] as const))
}

/** Lengths from the right of a pattern such as `#,##,##0.###`: 3, 2. */
function groupLengths(pattern: string): number[] {
  const groups = (pattern.split('.')[0] ?? '').split(',').slice(1)
  return groups.map(({ length }) => length).reverse()
}
