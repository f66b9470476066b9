/** Formats and reads numbers of languages, with the JavaScript engine's Unicode locale data. */

import { keptByLocale, supportedLocale } from './localeData.js'

export interface NumberSigns {
  readonly group: string
  readonly decimal: string
  /** The digits 0 to 9. */
  readonly digits: string
  /** Lengths of digit groups from the right; the last one repeats. */
  readonly groupLengths: readonly number[]
  /** Integers with fewer digits are not grouped. */
  readonly minGrouped: number
}

/** A number in a text. Without a power of ten it keeps its digits. */
const NUMBER = /-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?/gi
const LONE_NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i
/** Numbers that PHP writes as words, and what readers see. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['INF', '∞'],
  ['-INF', '\u2212∞'],
  ['NAN', 'Not a Number'],
])
const WORDS_READ: ReadonlyMap<string, string> = new Map([...WORDS].map(([word, shown]) => [shown, word]))
const UNGROUPED = /-?[0-9]+(?:\.[0-9]*)?/g
const MINUS = '\u2212'
/** Writes a number without a power of ten, with three decimals as MediaWiki's formatter does by default. */
const PLAIN = new Intl.NumberFormat('en', {
  useGrouping: false,
  maximumFractionDigits: 3,
  roundingMode: 'halfEven',
})

export function numberSigns(language: string): NumberSigns {
  return signsOf(supportedLocale(language))
}

const signsOf = keptByLocale((locale): NumberSigns => {
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(123456789.5)
  const groups = parts.filter(({ type }) => type === 'integer').map(({ value }) => value.length)
  const signOf = (wanted: string): string | undefined => parts.find(({ type }) => type === wanted)?.value
  const short = new Intl.NumberFormat(locale).formatToParts(1234)
  return {
    // Narrow no-break spaces become ordinary no-break spaces.
    group: (signOf('group') ?? '').replace('\u202f', '\u00a0'),
    decimal: signOf('decimal') ?? '.',
    digits: new Intl.NumberFormat(locale, { useGrouping: false })
      .format(9876543210)
      .split('')
      .reverse()
      .join(''),
    groupLengths: groups.slice(1).reverse(),
    minGrouped: short.some(({ type }) => type === 'group') ? 4 : 5,
  }
})

/**
 * Formats every number in a text digit by digit, which keeps long numbers and leading zeros. Powers of ten are written
 * out if the digits are grouped.
 */
export function formatNumbers(text: string, signs: NumberSigns, grouped: boolean): string {
  if (!grouped) return text.replace(UNGROUPED, (number) => formatOne(number, signs, false))
  const word = WORDS.get(text)
  if (word !== undefined) return word
  const unsigned = text.startsWith('+') && LONE_NUMBER.test(text) ? text.slice(1) : text
  return unsigned.replace(NUMBER, (number) => {
    if (!/e/i.test(number)) return formatOne(number, signs, true)
    const value = Number(number)
    if (!Number.isFinite(value)) return value < 0 ? `${MINUS}∞` : '∞'
    return formatOne(PLAIN.format(value), signs, true)
  })
}

/** Reverses the format of numbers: local signs and digits become ASCII, and group separators are dropped. */
export function unformatNumbers(text: string, { group, decimal, digits }: NumberSigns): string {
  const word = WORDS_READ.get(text)
  if (word !== undefined) return word
  return [...text]
    .map((sign) => {
      if (sign === MINUS) return '-'
      if (sign === decimal) return '.'
      if (sign === group || sign === '\u202f') return ''
      const digit = digits.indexOf(sign)
      return digit < 0 ? sign : String(digit)
    })
    .join('')
}

function formatOne(number: string, signs: NumberSigns, grouped: boolean): string {
  const negative = number.startsWith('-')
  const [integer = '', fraction] = (negative ? number.slice(1) : number).split('.')
  const whole = grouped ? group(integer, signs) : localDigits(integer, signs)
  const rest = fraction === undefined ? '' : signs.decimal + localDigits(fraction, signs)
  return (negative ? MINUS : '') + whole + rest
}

function group(integer: string, signs: NumberSigns): string {
  if (integer.length < signs.minGrouped) return localDigits(integer, signs)
  const groups: string[] = []
  let end = integer.length
  while (end > 0) {
    const length = signs.groupLengths[Math.min(groups.length, signs.groupLengths.length - 1)] ?? 3
    groups.push(localDigits(integer.slice(Math.max(0, end - length), end), signs))
    end -= length
  }
  return groups.reverse().join(signs.group)
}

function localDigits(text: string, { digits }: NumberSigns): string {
  if (digits.startsWith('0')) return text
  return text.replace(/[0-9]/g, (digit) => digits[Number(digit)] ?? digit)
}
