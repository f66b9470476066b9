/** Character classes for words: letters that form words, and Thai letters. */

const ASCII_LETTERS = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /\w/.test(String.fromCharCode(code)) ? 1 : 0,
)

/**
 * True if a code point joins its neighbours in a word. That includes ASCII letters, digits and `_`. From U+00C0 on it
 * includes nearly everything, even dashes, curly quotes and emoji. Ideographs, kana and ideographic punctuation stand
 * alone.
 */
export function isLetter(codePoint: number): boolean {
  if (codePoint < 0x80) return ASCII_LETTERS[codePoint] === 1
  if (codePoint < 0x3000) return codePoint >= 0xc0
  return codePoint > 0x9fff && !(codePoint >= 0x20000 && codePoint <= 0x2a000)
}

/** True if the rules for Thai break a line with this code point. */
export function bringsThaiRules(codePoint: number): boolean {
  return codePoint >= 0xe01 && codePoint <= 0xe5b && !(codePoint > 0xe3a && codePoint < 0xe3f)
}
