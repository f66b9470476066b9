/** Numbers as PHP writes them into texts. */

/** Digits of a number that is no whole one below 2^53, and the least exponent of ten without `E`. */
const DIGITS = 14
const MIN_POWER = -4

export function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value)
  if (Number.isNaN(value)) return 'NAN'
  if (!Number.isFinite(value)) return value < 0 ? '-INF' : 'INF'
  const { digits, power } = partsOf(value)
  if (hasNoExponent(power)) return String(Number(value.toPrecision(DIGITS)))
  return `${digits.replace(/(\.\d+?)0*$/, '$1')}E${power < 0 ? '' : '+'}${power}`
}

/** Without an exponent: zeros take its place, and small numbers are zero. The number is finite. */
export function plainNumberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value)
  const { digits, power } = partsOf(value)
  if (hasNoExponent(power)) return numberText(value)
  if (power < 0) return value < 0 ? '-0' : '0'
  return digits.replace('.', '') + '0'.repeat(power - DIGITS + 1)
}

function partsOf(value: number): { readonly digits: string; readonly power: number } {
  const [digits = '', power] = value.toExponential(DIGITS - 1).split('e')
  return { digits, power: Number(power) }
}

function hasNoExponent(power: number): boolean {
  return power >= MIN_POWER && power < DIGITS
}
