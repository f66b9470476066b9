/** Characters of valid UTF-8, without checks. */

const ASCII_END = 0x80

/** Bytes of the character that begins with this byte. */
export function sizeOf(lead: number): number {
  if (lead < ASCII_END) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}

/** The code point of the character at a byte. */
export function codePointAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!
  if (lead < ASCII_END) return lead
  const second = bytes[at + 1]! & 0x3f
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | second
  const third = bytes[at + 2]! & 0x3f
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | (second << 6) | third
  return ((lead & 0x07) << 18) | (second << 12) | (third << 6) | (bytes[at + 3]! & 0x3f)
}
