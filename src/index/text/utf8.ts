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

// Writes texts as UTF-8.

/** The runtime writes longer texts faster. */
const SHORT = 40

/** Writes a text, and returns its end. The target must have three bytes for each unit. */
export function writeUtf8(text: string, target: Buffer, start: number): number {
  return writeAscii(text, target, start) ?? start + target.write(text, start, 'utf8')
}

/** Writes a short ASCII text, the usual case, without a call to the runtime. Undefined for other texts. */
function writeAscii(text: string, target: Buffer, start: number): number | undefined {
  const { length } = text
  if (length > SHORT) return undefined
  for (let n = 0; n < length; n++) {
    const code = text.charCodeAt(n)
    if (code > 127) return undefined
    target[start + n] = code
  }
  return start + length
}
