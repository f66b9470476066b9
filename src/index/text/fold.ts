/**
 * Folding: one form for spellings that people treat as equal in a search, such as case, accents, ligatures and widths.
 */

/** Optional marks: accents of Latin, Greek and Cyrillic, points of Hebrew, vowels of Arabic. */
const DROPPED =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652\u0670\u00ad\u200b-\u200f\u2060\ufeff]+/g
/** Letters that Unicode does not decompose, although people write them without the stroke or as two letters. */
const EXTRA: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
}
const EXTRA_LETTERS = new RegExp(`[${Object.keys(EXTRA).join('')}]`, 'g')
const NOT_ASCII = /[^\0-\x7f]/
/** `normalize` takes quadratic time in a run of marks. No language writes such long runs. */
const LONG_MARK_RUN = /(\p{M}{20})\p{M}+/gu

/** Folds a text, idempotently. Takes linear time for any text. */
export function foldText(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase()
  return text
    .replace(LONG_MARK_RUN, '$1')
    .normalize('NFKD')
    .replace(DROPPED, '')
    .toLowerCase()
    .replace(EXTRA_LETTERS, (letter) => EXTRA[letter]!)
    .normalize('NFC')
}

/** Characters that were folded lately: of scripts without spaces, a search folds each character of its texts. */
const KNOWN = new Map<number, string>()
const MAX_KNOWN = 20_000

/** As `foldText`, for the character of a code point. */
export function foldCharacter(code: number): string {
  const known = KNOWN.get(code)
  if (known !== undefined) return known
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear()
  const folded = foldText(String.fromCodePoint(code))
  KNOWN.set(code, folded)
  return folded
}

const BLANKS = /[\s_]+/g

/** Folds a title, or the beginning of one, for the table of completions. Words are separated by one space. */
export function foldTitle(title: string): string {
  return foldText(title).replace(BLANKS, ' ').replace(/^ /, '')
}
