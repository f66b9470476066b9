/** Letters, signs and the gaps between words, in UTF-8. */

/** Bytes of spaces and punctuation between two words of a row. */
const MAX_GAP_BYTES = 8

/** Tells if these bytes stand at a place. */
export function standsAt(bytes: Buffer, at: number, form: Buffer): boolean {
  for (let n = 0; n < form.length; n++) if (bytes[at + n] !== form[n]) return false
  return true
}

/** Tells if both neighbours of a place are letters of one word. Each letter of three bytes counts as a word. */
export const isInWord = (bytes: Buffer, at: number): boolean =>
  endsLetter(bytes, at) && beginsLetter(bytes[at])

function endsLetter(bytes: Buffer, at: number): boolean {
  const byte = bytes[at - 1]
  if (byte === undefined || byte < 0x80) return isAsciiWord(byte)
  return byte < 0xc0 && isLetterLead(bytes[at - 2])
}

const beginsLetter = (byte: number | undefined): boolean => isAsciiWord(byte) || isLetterLead(byte)

/** First byte of letters with two bytes: Latin with accents, Greek, Cyrillic, Hebrew, Arabic. */
const isLetterLead = (byte: number | undefined): boolean => byte !== undefined && byte >= 0xc3 && byte < 0xe0

/** The byte after spaces and punctuation, or -1 when there is a letter or too much of them. */
export function skipGap(bytes: Buffer, from: number): number {
  let at = from
  for (let size = gapAt(bytes, at); size > 0; size = gapAt(bytes, at)) at += size
  const isSplit = at > from || !isInWord(bytes, from)
  return isSplit && at - from <= MAX_GAP_BYTES ? at : -1
}

/** The same backwards. */
export function skipGapBack(bytes: Buffer, from: number): number {
  let at = from
  for (let size = gapBefore(bytes, at); size > 0; size = gapBefore(bytes, at)) at -= size
  const isSplit = at < from || !isInWord(bytes, from)
  return isSplit && from - at <= MAX_GAP_BYTES ? at : -1
}

/** Size of the space or sign at a byte; 0 for a letter, and at the end. */
function gapAt(bytes: Buffer, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) return 0
  if (byte < 0x80) return isAsciiWord(byte) ? 0 : 1
  return isSign(byte, bytes[at + 1]) ? signBytes(byte) : 0
}

function gapBefore(bytes: Buffer, end: number): number {
  const byte = bytes[end - 1]
  if (byte === undefined) return 0
  if (byte < 0x80) return isAsciiWord(byte) ? 0 : 1
  for (const size of [2, 3]) {
    const lead = bytes[end - size]
    if (lead !== undefined && signBytes(lead) === size && isSign(lead, bytes[end - size + 1])) return size
  }
  return 0
}

/** Signs of Latin-1 (C2), general punctuation (E2 80, E2 81), and that of Chinese and Japanese (E3 80). */
const isSign = (lead: number, next: number | undefined): boolean =>
  lead === 0xc2 || (lead === 0xe2 && (next === 0x80 || next === 0x81)) || (lead === 0xe3 && next === 0x80)

const signBytes = (lead: number): number => (lead === 0xc2 ? 2 : lead === 0xe2 || lead === 0xe3 ? 3 : 0)

function isAsciiWord(byte: number | undefined): boolean {
  if (byte === undefined) return false
  const lower = byte | 0x20
  return (lower >= 97 && lower <= 122) || (byte >= 48 && byte <= 57)
}
