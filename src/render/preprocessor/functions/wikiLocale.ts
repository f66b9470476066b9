/**
 * Number, plural and date formats of the wiki's language, and the wiki's time zone. Each part is created on first use.
 */
import { DateNames } from './dateNames.js'
import { keptByLocale } from './localeData.js'
import { numberSigns, type NumberSigns } from './numberFormat.js'
import { supportedLocale } from './supportedLocale.js'
import { Zone } from './zone.js'

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
