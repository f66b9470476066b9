/** Writing direction of a language. */
import { languageOf } from '../language/language.js'

/** Languages written from right to left of which the table of languages knows nothing. */
const FURTHER: ReadonlySet<string> = new Set([
  'ae',
  'ajp',
  'apc',
  'bej',
  'ha-arab',
  'ota',
  'sh-arab',
  'syc',
  'uz-arab',
  'ydd',
])

export type Direction = 'ltr' | 'rtl'

export function directionOf(language: string): Direction {
  return FURTHER.has(language.toLowerCase()) ? 'rtl' : languageOf(language).direction
}
