/** Formats and reads numbers of languages, with the JavaScript engine's Unicode locale data. */

import { keptByLocale } from './localeData.js'
import { supportedLocale } from './supportedLocale.js'

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

const NUMBER = /-?[0-9]+(?:\.[0-9]*)?/g
const MINUS = '\u2212'

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

/** Formats every number in a text digit by digit, which keeps long numbers and leading zeros. */
export function formatNumbers(text: string, signs: NumberSigns, grouped: boolean): string {
  return text.replace(NUMBER, (number) => formatOne(number, signs, grouped))
}

/** Reverses the format of numbers: local signs and digits become ASCII, and group separators are dropped. */
export function unformatNumbers(text: string, { group, decimal, digits }: NumberSigns): string {
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
