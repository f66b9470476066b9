/** Finds places in a JSON string without decoding it. */

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75

/**
 * The end of the first `count` UTF-16 units of a JSON string, or of the string if it is shorter. `at` is behind its
 * opening quote.
 */
export function jsonUnitsEnd(bytes: Buffer, at: number, count: number): number {
  let left = count
  while (left > 0 && bytes[at] !== QUOTE) {
    const byte = bytes[at]!
    const isPair = byte >= 0xf0
    if (isPair && left === 1) break
    left -= isPair ? 2 : 1
    if (byte === BACKSLASH) at += bytes[at + 1] === LETTER_U ? 6 : 2
    else at += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : isPair ? 4 : 3
  }
  return at
}
