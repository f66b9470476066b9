/** Formats and reads numbers in the signs of languages. */
import type { NumberSigns } from '../../../language/language.js'
import { groupDigits, localDigits } from '../../../language/numbers.js'

/** A number in a text. Without a power of ten it keeps its digits. */
const NUMBER = /-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?/gi
const LONE_NUMBER = /^\+(?=(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$)/i
/** Numbers that PHP writes as words, and what readers see. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['INF', '∞'],
  ['-INF', '\u2212∞'],
  ['NAN', 'Not a Number'],
])
const WORDS_READ: ReadonlyMap<string, string> = new Map([...WORDS].map(([word, shown]) => [shown, word]))
const MINUS = '\u2212'
const MINUS_SIGN = /-(?=\.?[0-9])/g
/** Digits in the first group, at most, of a number that is not grouped. */
const GROUP = 3
/** Writes a number without a power of ten, with three decimals as MediaWiki's formatter does by default. */
const PLAIN = new Intl.NumberFormat('en', {
  useGrouping: false,
  maximumFractionDigits: 3,
  roundingMode: 'halfEven',
})

/**
 * Formats every number in a text digit by digit, which keeps long numbers and leading zeros. Powers of ten are written
 * out if the digits are grouped. Without groups, the decimal sign stays a full stop.
 */
export function formatNumbers(text: string, signs: NumberSigns, grouped: boolean): string {
  const word = WORDS.get(text)
  if (word !== undefined) return word
  if (!grouped || signs.groupLengths.length === 0)
    return localDigits(text.replace(MINUS_SIGN, MINUS), signs.digits)
  const unsigned = isShort(text.slice(1), signs) ? text : text.replace(LONE_NUMBER, '')
  return unsigned.replace(NUMBER, (number) => {
    if (!/e/i.test(number) || isShort(number, signs)) return formatOne(number, signs)
    const value = Number(number)
    if (!Number.isFinite(value)) return value < 0 ? `${MINUS}∞` : '∞'
    return formatOne(PLAIN.format(value), signs)
  })
}

/** Reverses the format of numbers: local signs and digits become ASCII, and group separators are dropped. */
export function unformatNumbers(text: string, { readGroup, readDecimal, digits }: NumberSigns): string {
  const word = WORDS_READ.get(text)
  if (word !== undefined) return word
  return [...text]
    .map((sign) => {
      if (sign === MINUS) return '-'
      if (sign === readDecimal) return '.'
      if (sign === readGroup || sign === ',') return ''
      const digit = digits.indexOf(sign)
      return digit < 0 ? sign : String(digit)
    })
    .join('')
}

/** Whether a number has too few digits for a group, by a rule that only some languages have. */
function isShort(number: string, { minGrouping }: NumberSigns): boolean {
  if (minGrouping === 0) return false
  const [integer = ''] = /^[0-9]*/.exec(number.replace(/^-/, '')) ?? []
  return integer.length < GROUP + minGrouping
}

/** Grouped and with the decimal sign. A power of ten stays. */
function formatOne(number: string, signs: NumberSigns): string {
  const negative = number.startsWith('-')
  const [, integer = '', rest = ''] = /^-?([0-9]*)([^]*)$/.exec(number) ?? []
  const whole = isShort(integer, signs) ? integer : groupDigits(integer, signs)
  return (
    (negative ? MINUS : '') + localDigits(whole + rest.replace('.', () => signs.decimal), signs.groupedDigits)
  )
}
