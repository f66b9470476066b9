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

/** By UTF-16 unit: see `foldCharacter`. 0 if it was not folded yet. */
const foldedAlone = new Int32Array(0x10000)

/**
 * The code point that a character folds to alone, or -1 if it folds to none or several. The characters of most texts
 * are single UTF-16 units, and folded once.
 */
export function foldCharacter(code: number): number {
  const known = foldedAlone[code]
  if (known !== undefined && known !== 0) return known
  const folded = foldText(String.fromCodePoint(code))
  const first = folded.codePointAt(0)
  const only = first !== undefined && String.fromCodePoint(first) === folded ? first : -1
  if (code < foldedAlone.length) foldedAlone[code] = only
  return only
}

/** Whether a character is one with the one before: a voicing mark of kana, wide or narrow, or a Burmese vowel. */
export function joins(before: number, code: number): boolean {
  if (code === 0x102e) return before === 0x1025
  return code === 0x3099 || code === 0x309a || code === 0xff9e || code === 0xff9f
}

const BLANKS = /[\s_]+/g

/** Folds a title, or the beginning of one, for the table of completions. Words are separated by one space. */
export function foldTitle(title: string): string {
  return foldText(title).replace(BLANKS, ' ').replace(/^ /, '')
}
