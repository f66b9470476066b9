/** Times and numbers as readers of a wiki see them, in the formats, names and digits of its language. */
import { languageOf, type Language, type NumberSigns } from '../language/language.js'
import { groupDigits, localDigits } from '../language/numbers.js'
import type { Site } from './site.js'

/** Codes of the formats that languages have for dates and times, and quoted or escaped letters. */
const CODE = /"([^"]*)"|\\(.)|xkY|xg|[jdnFMYHGilD]/gsu
/** Years from 543 before our era, in Thailand. */
const THAI_YEARS = 543
const ENGLISH = { day: 'j F Y', time: 'H:i', both: 'j F Y, H:i' }
const ENGLISH_JANUARY = 'January'

export class LocalFormats {
  readonly #language: Language
  readonly #signs: NumberSigns
  readonly #formats: typeof ENGLISH

  constructor({ language, localDigits: isLocal = true }: Pick<Site, 'language' | 'localDigits'>) {
    this.#language = languageOf(language)
    this.#signs = isLocal ? this.#language.numbers : this.#language.plainNumbers
    this.#formats = formatsOf(this.#language)
  }

  /** Such as `2 March 2024`, in UTC. Takes seconds since 1970. */
  day(seconds: number): string {
    return this.#write(this.#formats.day, seconds)
  }

  /** Such as `14:05`, in UTC. */
  timeOfDay(seconds: number): string {
    return this.#write(this.#formats.time, seconds)
  }

  /** Day and time. */
  time(seconds: number): string {
    return this.#write(this.#formats.both, seconds)
  }

  /** A number with at most one decimal, in groups of digits. */
  number(value: number): string {
    const { decimal, groupLengths, minGrouping, groupedDigits } = this.#signs
    const [whole = '', rest] = String(Math.abs(value)).split('.')
    const sign = value < 0 ? '−' : ''
    const grouped =
      whole.length < (groupLengths[0] ?? Infinity) + Math.max(1, minGrouping)
        ? whole
        : groupDigits(whole, this.#signs)
    const text = rest === undefined ? grouped : `${grouped}${decimal}${rest}`
    return sign + localDigits(text, groupedDigits)
  }

  #write(format: string, seconds: number): string {
    const time = new Date(seconds * 1000)
    return format.replace(CODE, (code, quoted?: string, escaped?: string) => {
      if (quoted !== undefined || escaped !== undefined) return quoted ?? escaped ?? ''
      return localDigits(this.#field(code, time), this.#signs.digits)
    })
  }

  #field(code: string, time: Date): string {
    const month = this.#language.months[time.getUTCMonth()]
    const weekday = this.#language.weekdays[time.getUTCDay()]
    switch (code) {
      case 'j':
        return String(time.getUTCDate())
      case 'd':
        return two(time.getUTCDate())
      case 'n':
        return String(time.getUTCMonth() + 1)
      case 'F':
        return month?.name ?? ''
      case 'xg':
        return month?.genitive ?? ''
      case 'M':
        return month?.short ?? ''
      case 'Y':
        return String(time.getUTCFullYear())
      case 'xkY':
        return String(time.getUTCFullYear() + THAI_YEARS)
      case 'H':
        return two(time.getUTCHours())
      case 'G':
        return String(time.getUTCHours())
      case 'i':
        return two(time.getUTCMinutes())
      case 'l':
        return weekday?.name ?? ''
      default:
        return weekday?.short ?? ''
    }
  }
}

/** The language's usual formats. A language with English months has formats that suit the English words around them. */
function formatsOf({ months, dateFormats, defaultDateFormat }: Language): typeof ENGLISH {
  if (months[0]?.name === ENGLISH_JANUARY) return ENGLISH
  const of = (part: string, usual: string): string => dateFormats.get(`${defaultDateFormat} ${part}`) ?? usual
  return { day: of('date', ENGLISH.day), time: of('time', ENGLISH.time), both: of('both', ENGLISH.both) }
}

const two = (number: number): string => String(number).padStart(2, '0')
