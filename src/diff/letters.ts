/** Which characters stick together as words, and which of them are Thai. */

const ASCII_LETTERS = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /\w/.test(String.fromCharCode(code)) ? 1 : 0,
)

/**
 * Whether a code point sticks to its neighbours as part of a word. ASCII letters, digits and `_` do, and nearly all
 * else from U+00C0 on, so dashes, curly quotes and emoji too; ideographs, kana and ideographic punctuation do not.
 */
export function isLetter(codePoint: number): boolean {
  if (codePoint < 0x80) return ASCII_LETTERS[codePoint] === 1
  if (codePoint < 0x3000) return codePoint >= 0xc0
  return codePoint > 0x9fff && !(codePoint >= 0x20000 && codePoint <= 0x2a000)
}

/** Whether a line with this code point is broken by the rules for Thai. */
export function bringsThaiRules(codePoint: number): boolean {
  return codePoint >= 0xe01 && codePoint <= 0xe5b && !(codePoint > 0xe3a && codePoint < 0xe3f)
}
