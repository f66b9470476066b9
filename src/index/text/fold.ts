/** One spelling for letters that people do not tell apart when they search: case, accents, ligatures, widths. */

/** Marks that may be left out in writing: accents of Latin, Greek and Cyrillic, points of Hebrew, vowels of Arabic. */
const DROPPED =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652\u0670\u00ad\u200b-\u200f\u2060\ufeff]+/g
/** Letters that Unicode does not take apart, though people write them without their stroke or joint. */
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
/** The time of `normalize` grows with the square of a run of marks; no language writes so many. */
const LONG_MARK_RUN = /(\p{M}{20})\p{M}+/gu

/** Folds a text; folding it again changes nothing. Time is linear in its length, whatever it holds. */
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

const BLANKS = /[\s_]+/g

/** A title, or the beginning of one, as the table of completions has it: folded, one blank between words. */
export function foldTitle(title: string): string {
  return foldText(title).replace(BLANKS, ' ').replace(/^ /, '')
}
