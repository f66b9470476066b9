/** Kurdish: Latin letters of Bedirxan, and the Arabic ones of Sorani. */
import type { Conversion } from './conversion.js'
import { pairsOf } from './letters.js'
import { TextTable } from './textTable.js'

const LETTERS = `a ا b ب c ج ç چ d د e ە ê ێ f ف g گ h ه î ی j ژ k ک l ل m م n ن o ۆ p پ q ق r ر s س ş ش t ت u و
  û وو v ڤ w و x خ y ی z ز`
const SIGNS = `, ، ? ؟`
const FIRST_VOWEL = /(?<![\p{L}\p{M}])[aeêiîouû]/giu
/** A word cannot begin with a vowel. */
const BEFORE_VOWEL = 'ئ'

/** The short i is not written. */
export function kurdishArabic(): Conversion {
  const small = [...pairsOf(`${LETTERS} ${SIGNS}`), ['i', ''] as const]
  const table = new TextTable([...small, ...small.map(([from, to]) => [from.toUpperCase(), to] as const)])
  return { rest: (text) => table.convert(text.replace(FIRST_VOWEL, (vowel) => BEFORE_VOWEL + vowel)) }
}

const ARABIC = `ا a ب b ة e ت t ج c ح h خ x د d ر r ز z س s ش ş ع ' غ x ف f ق q ك k ل l م m ن n ه h و w ى î ي î پ p
  چ ç ژ j گ g ۆ o ھ h ە e ی î ک k ڤ v ڕ rr ڵ ll ێ ê ، , ؟ ?`

export const kurdishLatin = (): Conversion => ({
  words: new TextTable([['ئ', ''], ...pairsOf(ARABIC)]),
  rest: (text) => text,
})
