/**
 * Number, plural and date formats of the wiki's language, and the wiki's time zone. Each part is created on first use.
 */
import { DateNames } from './dateNames.js'
import { keptByLocale, supportedLocale } from './localeData.js'
import { numberSigns, type NumberSigns } from './numberFormat.js'
import { HOUR } from './wallTime.js'

// A time zone: its offset from UTC and its name at a given time.

const OFFSET = /GMT([+-])(\d\d):(\d\d)/
const MS = 1000

class Zone {
  readonly #offsets: Intl.DateTimeFormat | undefined
  readonly #names: Intl.DateTimeFormat | undefined

  /** An IANA name such as `Europe/Riga`. A name unknown to the JavaScript engine means UTC. */
  constructor(timeZone: string) {
    this.#offsets = formatOf(timeZone, 'longOffset')
    this.#names = formatOf(timeZone, 'short')
  }

  /** Seconds ahead of UTC. */
  offset(at: number): number {
    const [, sign, hours, minutes] = OFFSET.exec(partOf(this.#offsets, at)) ?? []
    if (sign === undefined) return 0
    return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * 60)
  }

  /** Abbreviation such as `UTC`, `EET` or `GMT+3`. */
  name(at: number): string {
    return partOf(this.#names, at)
  }
}

function formatOf(timeZone: string, timeZoneName: 'longOffset' | 'short'): Intl.DateTimeFormat | undefined {
  if (timeZone === 'UTC') return undefined
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function partOf(format: Intl.DateTimeFormat | undefined, at: number): string {
  return format?.formatToParts(at * MS).find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC'
}

const CATEGORIES: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other']

const pluralsOf = keptByLocale((locale) => {
  const rules = new Intl.PluralRules(locale)
  const used = rules.resolvedOptions().pluralCategories
  return { rules, categories: CATEGORIES.filter((category) => used.includes(category)) }
})

export class WikiLocale {
  readonly language: string
  readonly dateNames = new DateNames()
  readonly #timeZone: string
  #numbers: NumberSigns | undefined
  #zone: Zone | undefined

  constructor(language: string, timeZone: string) {
    this.language = language
    this.#timeZone = timeZone
  }

  get numbers(): NumberSigns {
    return (this.#numbers ??= numberSigns(this.language))
  }

  get zone(): Zone {
    return (this.#zone ??= new Zone(this.#timeZone))
  }

  /** Index, from 0, of the plural form that a number takes in the language. */
  pluralIndex(number: number): number {
    const { rules, categories } = pluralsOf(supportedLocale(this.language))
    return categories.indexOf(rules.select(number))
  }
}
