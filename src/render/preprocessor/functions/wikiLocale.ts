/** The wiki's language, and its time zone. Each part is created on first use. */
import { languageOf, type Language, type NumberSigns } from '../../../language/language.js'
import type { SiteFacts } from '../source.js'
import { HOUR } from './wallTime.js'

type SiteOfLocale = Pick<SiteFacts, 'language' | 'timeZone' | 'localDigits'>

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

export class WikiLocale {
  readonly facts: Language
  readonly #site: SiteOfLocale
  #zone: Zone | undefined

  constructor(site: SiteOfLocale) {
    this.facts = languageOf(site.language)
    this.#site = site
  }

  get language(): string {
    return this.facts.code
  }

  get numbers(): NumberSigns {
    return this.numbersIn(this.facts)
  }

  /** The signs of numbers in any language, as this wiki writes them. */
  numbersIn(language: Language): NumberSigns {
    return this.#site.localDigits ? language.numbers : language.plainNumbers
  }

  get zone(): Zone {
    return (this.#zone ??= new Zone(this.#site.timeZone))
  }
}
