/** Durations in words. */
import { keptByLocale } from '../../preprocessor/functions/localeData.js'
import { formatNumbers, numberSigns } from '../../preprocessor/functions/numberFormat.js'
import { supportedLocale } from '../../preprocessor/functions/supportedLocale.js'
import { DURATION_WORDS } from '../durationWords.js'
import { fallbacksOf } from '../languageFallbacks.js'
import type { HostArguments } from './arguments.js'

/** First letters of variants, by plural category. */
const LETTERS = { zero: 'z', one: 'o', two: 't', few: 'f', many: 'm', other: '' } as const
const MAX_OWN_NUMBER = 2

interface Words {
  readonly language: string
  readonly separator: string
  readonly last: string
  /** From millennia to seconds. */
  readonly units: readonly string[]
}

let known: ReadonlyMap<string, Words> | undefined

const rulesOf = keptByLocale((locale) => new Intl.PluralRules(locale))

/** Arguments: language, then the place of a unit, from 1 for millennia, and its number, for each part. */
export function durationText(args: HostArguments): string {
  const language = args.text(1)
  const words = wordsOf(language)
  const signs = numberSigns(language)
  const parts: string[] = []
  for (let index = 2; index < args.count; index += 2) {
    const count = args.number(index + 1)
    const form = formOf(words, args.number(index), count)
    parts.push(form.replace('#', () => formatNumbers(String(count), signs, true)))
  }
  const last = parts.pop() ?? ''
  return parts.length === 0 ? last : parts.join(words.separator) + words.last + last
}

function wordsOf(language: string): Words {
  known ??= new Map(parsed())
  for (const code of [language.toLowerCase(), ...fallbacksOf(language.toLowerCase()), 'en']) {
    const words = known.get(code)
    if (words !== undefined) return words
  }
  throw new Error('there are no English words of durations')
}

function* parsed(): Generator<[string, Words]> {
  for (const line of DURATION_WORDS.split('\n').slice(1, -1)) {
    const [language = '', separator = '', last = '', units = ''] = line.split(':')
    yield [language, { language, separator, last, units: units.split(';') }]
  }
}

function formOf({ language, units }: Words, unit: number, count: number): string {
  const variants = (units[unit - 1] ?? '').split('|')
  const rest = variants.pop() ?? ''
  const letter = LETTERS[rulesOf(supportedLocale(language)).select(Math.abs(count))]
  const own = count >= 0 && count <= MAX_OWN_NUMBER ? String(count) : undefined
  const variant =
    variants.find((text) => text[0] === own) ?? variants.find((text) => letter !== '' && text[0] === letter)
  return variant === undefined ? rest : variant.slice(1)
}
