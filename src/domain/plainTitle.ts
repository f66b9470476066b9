/** Titles that need no parsing, which most links have. */

/**
 * Titles whose only rule is underscores for spaces, so that the common case is fast. The first letter is a capital or
 * has no case, every letter is NFC with any neighbour, and single blanks separate words. A letter has at most 3 bytes.
 *
 * Some vowel signs compose with others. Of each such pair the rarer sign is missing here. So are signs that change
 * places with others.
 */
const PLAIN_CASELESS = [
  'ぁ-ゖァ-ヺ一-鿿가-힣', // kana, Chinese, Hangul
  '\\u05d0-\\u05ea\\u0620-\\u064a\\u0660-\\u0669\\u0671-\\u06d3\\u06f0-\\u06f9', // Hebrew, Arabic
  '\\u0904-\\u0939\\u0966-\\u096f', // Devanagari
  '\\u0985-\\u09b9\\u09e6-\\u09ef', // Bengali
  '\\u0a85-\\u0ab9\\u0ae6-\\u0aef', // Gujarati
  '\\u0b05-\\u0b39\\u0b66-\\u0b6f', // Odia
  '\\u0b85-\\u0bb9\\u0be6-\\u0bef', // Tamil
  '\\u0c05-\\u0c39\\u0c66-\\u0c6f', // Telugu
  '\\u0c85-\\u0cb9\\u0ce6-\\u0cef', // Kannada
  '\\u0d05-\\u0d39\\u0d66-\\u0d6f\\u0d7a-\\u0d7f', // Malayalam
  '\\u0e01-\\u0e30\\u0e40-\\u0e44', // Thai
  '\\u10d0-\\u10ff\\u1200-\\u135a\\u1369-\\u137c', // Georgian, Ethiopic
].join('')
/** Vowel signs and marks, which begin no word. */
const PLAIN_SIGNS = [
  '\\u0900-\\u0903\\u093e-\\u094d', // Devanagari
  '\\u0981-\\u0983\\u09be-\\u09c4\\u09c8\\u09cb-\\u09cd', // Bengali
  '\\u0a81-\\u0a83\\u0abe-\\u0acd', // Gujarati
  '\\u0b01-\\u0b03\\u0b3e-\\u0b44\\u0b48\\u0b4b-\\u0b4d', // Odia
  '\\u0b82\\u0b83\\u0bbe-\\u0bc2\\u0bc8\\u0bca-\\u0bcd', // Tamil
  '\\u0c01-\\u0c03\\u0c3e-\\u0c4d', // Telugu
  '\\u0c82\\u0c83\\u0cbe-\\u0cc1\\u0cc3-\\u0ccd', // Kannada
  '\\u0d02\\u0d03\\u0d3e-\\u0d44\\u0d48\\u0d4a-\\u0d4d', // Malayalam
  '\\u0e31-\\u0e37\\u200c\\u200d', // Thai, joiners
].join('')
const PLAIN_FIRST = `A-Z0-9(!'À-ÖØ-ÞЀ-ЯΆΈ-ΊΌΎΏΑ-ΡΣ-ΫԱ-Ֆ${PLAIN_CASELESS}`
const PLAIN_REST = `${PLAIN_FIRST}${PLAIN_SIGNS}a-z),.\\-–’·・ーà-öø-˿а-ҁΐά-ώա-և`
/** Blocks in which capitals and small letters take turns. */
const MIXED = 'Ā-ɏҊ-ӿḀ-ỿ'
const IS_PLAIN_FIRST = new RegExp(`[${PLAIN_FIRST}]|(?=\\p{Lu})[${MIXED}]`, 'u')
const IS_PLAIN_REST = new RegExp(`[${PLAIN_REST}${MIXED}]`, 'u')
/** UTF-16 units, so that no title is longer than its 255 bytes. */
const MAX_UNITS = 85

/** Lead bytes of UTF-8. */
const TWO_BYTES = 0xc0
const THREE_BYTES = 0xe0
const FOUR_BYTES = 0xf0

/** Kinds of UTF-16 units in plain titles. Those that may begin one may also follow. */
const NO_UNIT = 1
const BLANK = 2
const FIRST_UNIT = 3
const REST_UNIT = 4
/** By unit; 0 where it is not known yet. For a class of so many ranges, V8 searches a list for each unit. */
const unitKinds = new Uint8Array(0x10000)
unitKinds[0x20] = unitKinds[0x5f] = BLANK

/** Tells if a text is the title of a page without a prefix, once it has underscores for spaces. */
export function isPlain(text: string): boolean {
  if (text.length > MAX_UNITS || kindOf(text.charCodeAt(0)) !== FIRST_UNIT) return false
  let last = FIRST_UNIT
  for (let at = 1; at < text.length; at++) {
    const kind = kindOf(text.charCodeAt(at))
    if (kind === NO_UNIT || (kind === BLANK && last === BLANK)) return false
    last = kind
  }
  return last !== BLANK
}

/**
 * Where such a title that begins at `from` ends, in valid UTF-8. Undefined if none begins there, if it is too long, or
 * if a blank follows.
 */
export function plainEnd(bytes: Uint8Array, from: number): number | undefined {
  let last = BLANK
  let at = from
  for (let units = 0; units <= MAX_UNITS; units++) {
    const byte = bytes[at]!
    let unit = byte
    let length = 1
    if (byte >= FOUR_BYTES) return undefined
    if (byte >= THREE_BYTES) {
      unit = ((byte & 0xf) << 12) | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f)
      length = 3
    } else if (byte >= TWO_BYTES) {
      unit = ((byte & 0x1f) << 6) | (bytes[at + 1]! & 0x3f)
      length = 2
    }
    const kind = kindOf(unit)
    if (kind <= BLANK) {
      // Two blanks, a blank at one of the ends, or no title at all.
      if (last === BLANK) return undefined
      if (kind === NO_UNIT) return at
    } else if (units === 0 && kind !== FIRST_UNIT) return undefined
    last = kind
    at += length
  }
  return undefined
}

/** `unit` is NaN or undefined after the end of a text, which is as NUL. */
function kindOf(unit: number): number {
  const index = unit & 0xffff
  const known = unitKinds[index]!
  return known === 0 ? learnKind(index) : known
}

function learnKind(unit: number): number {
  const letter = String.fromCharCode(unit)
  return (unitKinds[unit] = IS_PLAIN_FIRST.test(letter)
    ? FIRST_UNIT
    : IS_PLAIN_REST.test(letter)
      ? REST_UNIT
      : NO_UNIT)
}
