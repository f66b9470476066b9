/** `mw.language`: names of languages, and their formats of numbers, dates and letters. */
import { languageName, languageNames } from '../../../domain/languageNames.js'
import { keptByLocale, supportedLocale } from '../../preprocessor/functions/localeData.js'
import { formatNumbers, unformatNumbers } from '../../preprocessor/functions/numberFormat.js'
import { inflect } from '../../../language/grammar.js'
import { isRecorded, languageOf, type NumberSigns } from '../../../language/language.js'
import { directionOf } from '../../../domain/direction.js'
import { formatTime } from '../../preprocessor/functions/timeFormat.js'
import { parseTimeWords } from '../../preprocessor/functions/timeWords.js'
import { LuaError, type LuaValue } from '../engine/state.js'
import type { LuaSession } from '../session.js'
import type { HostArguments, HostTable } from './arguments.js'
import { countsInYears, durationText } from './durations.js'
import { numberText, plainNumberText } from './numbers.js'

const MIN_LIFETIME_S = 60
const MAX_LIFETIME_S = 366 * 86_400
/** Longest format. Each of its characters may become a long word. */
const MAX_FORMAT = 6000
const YEAR_0_S = -62_167_219_200
const YEAR_10000_S = 253_402_300_800
const VALID_CODE = /^[^:/\\<>&'"\0]*$/
const BUILT_IN_CODE = /^[a-z0-9-]{2,128}$/
/** Syntax of language tags. Also fits MediaWiki's codes that are older than the standard. */
const KNOWN_TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/

export const LANGUAGE_FUNCTIONS: HostTable = {
  values: {
    languageName: (args) => nameIn(args.text(1), args.optionalText(2)) ?? '',
    languageNames: (args) => namesFor(args.optionalText(1) ?? '', args.optionalText(2)),
    languageFallbacks: (args) => fallbacksOf(args.text(1)),
    isKnownLanguage: (args) => languageName(args.text(1)) !== undefined,
    isKnownTag: (args) =>
      KNOWN_TAG.test(args.text(1)) && nameIn(args.text(1).toLowerCase(), 'en') !== undefined,
    isSupportedLanguage: (args) => isRecorded(args.text(1)),
    isValidLanguageCode: (args) => VALID_CODE.test(args.text(1)),
    isValidBuiltInCode: (args) => BUILT_IN_CODE.test(args.text(1)),
    isRightToLeft: (args) => directionOf(args.text(1)) === 'rtl',
    raiseFirst: (args) => raiseFirst(args.text(1), args.text(2)),
    lowerFirst: (args) => lowerFirst(args.text(1), args.text(2)),
    formatNumber,
    parseNumber,
    formatDate,
    pluralIndex,
    durationText,
    countsInYears: (args) => countsInYears(args.text(1)),
    inflect: (args) => inflect(args.text(1), args.text(2), args.text(3)),
    useLanguage,
  },
}

/** Counts languages whose data a page loads, up to a limit. */
function useLanguage(args: HostArguments, page: LuaSession): undefined {
  const code = args.text(1)
  if (page.languages.has(code)) return
  if (!VALID_CODE.test(code)) throw new LuaError(`language code '${code}' is invalid`)
  if (page.languages.size >= page.thread.limits.languages)
    throw new LuaError('too many language codes requested')
  page.languages.add(code)
}

const displayNames = keptByLocale(
  (locale) => new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' }),
)

function nameIn(code: string, language: string | undefined): string | undefined {
  const own = languageName(code.toLowerCase())
  if (language === undefined || language === '' || language === code) return own
  try {
    return displayNames(supportedLocale(language)).of(code) ?? own
  } catch (error) {
    // The standard does not allow this code.
    if (error instanceof RangeError) return own
    throw error
  }
}

const namesIn = keptByLocale(
  (language) => new Map(languageNames().map(([code, name]) => [code, nameIn(code, language) ?? name])),
)

/** `mwfile`: of the languages alone that MediaWiki has texts in. */
function namesFor(language: string, include: string | undefined): LuaValue {
  const names = namesIn(language)
  return include === 'mwfile' ? new Map([...names].filter(([code]) => isRecorded(code))) : names
}

/** English stands in for any language. */
function fallbacksOf(code: string): LuaValue {
  if (!BUILT_IN_CODE.test(code)) return []
  return isRecorded(code) ? [...languageOf(code).fallbacks] : ['en']
}

function raiseFirst(language: string, text: string): string {
  const [first = ''] = text
  return languageOf(language).capital(first) + text.slice(first.length)
}

function lowerFirst(language: string, text: string): string {
  const [first = ''] = text
  return languageOf(language).smallLetter(first) + text.slice(first.length)
}

const signsOf = (code: string, { expander }: LuaSession): NumberSigns =>
  expander.locale.numbersIn(languageOf(code))

function formatNumber(args: HostArguments, page: LuaSession): string {
  const value = args.number(2)
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value < 0 ? '\u2212∞' : '∞'
  const isPlain = args.boolean(3)
  const signs = signsOf(args.text(1), page)
  if (isPlain) return formatNumbers(numberText(value), signs, false)
  if (signs.minGrouping === 0) return formatNumbers(plainNumberText(value), signs, true)
  // Languages with a least number of digits to group keep the exponent.
  return formatNumbers(numberText(value), signs, true).replace('E-', 'E\u2212')
}

function parseNumber(args: HostArguments, page: LuaSession): LuaValue {
  const text = unformatNumbers(args.text(2), signsOf(args.text(1), page)).trim()
  if (text === 'NaN') return NaN
  const sign = /^([+-]?)(?:INF|∞)$/.exec(text)?.[1]
  if (sign !== undefined) return sign === '-' ? -Infinity : Infinity
  const number = Number(text)
  return text === '' || Number.isNaN(number) ? undefined : number
}

/**
 * Arguments: language, format, time as text, and whether to use the wiki's time zone. Undefined for an invalid time.
 */
function formatDate(args: HostArguments, page: LuaSession): LuaValue {
  const { source, locale, report } = page.expander
  const [language, format, words] = [args.text(1), args.text(2), args.optionalText(3) ?? '']
  if (format.length > MAX_FORMAT) throw new LuaError("bad argument #1 to 'formatDate' (format is too long)")
  const local = args.boolean(4)
  const offset = local ? locale.zone.offset(source.now) : 0
  const parsed = parseTimeWords(words, source.now + offset)
  if (parsed === undefined) return undefined
  const at = parsed.seconds - (parsed.zone ?? offset)
  if (parsed.seconds < YEAR_0_S) return undefined
  if (parsed.seconds >= YEAR_10000_S)
    throw new LuaError('mw.language:formatDate() only supports years up to 9999')
  const shift = local ? locale.zone.offset(at) : 0
  const zoneName = local ? locale.zone.name(at) : 'UTC'
  const { digits } = signsOf(language, page)
  const moment = { seconds: at + shift, offset: shift, zoneName, language, digits }
  const { text, holdsForSeconds } = formatTime(format, moment)
  if (parsed.dependsOnNow)
    report.holdsFor(Math.min(MAX_LIFETIME_S, Math.max(MIN_LIFETIME_S, holdsForSeconds)))
  return text
}

/** Index of the plural form that a number takes, from 1. */
function pluralIndex(args: HostArguments): number {
  return languageOf(args.text(1)).pluralIndex(String(Math.abs(args.number(2)))) + 1
}
