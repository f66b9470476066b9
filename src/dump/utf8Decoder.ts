import { isUtf8 } from 'node:buffer'

/** Marks bytes that are not UTF-8. XML forbids this character, so the XML scanner treats it as a fault. */
export const NOT_UTF8 = '\uffff'

const NOTHING = Buffer.alloc(0)
const REPLACEMENT = '\ufffd'
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT)

/**
 * Decodes UTF-8 chunk by chunk, with any cuts between chunks. Each maximal part of a malformed sequence, as the
 * Encoding Standard counts them, becomes one `NOT_UTF8`. A byte order mark stays.
 */
export class Utf8Decoder {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  /** Start of a character that the next chunk completes: at most three bytes. */
  #rest = NOTHING
  #decodedBytes = 0

  /** Input bytes of all strings returned so far. */
  get decodedBytes(): number {
    return this.#decodedBytes
  }

  decode(bytes: Buffer): string {
    const joined = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const end = endOfLastCharacter(joined)
    this.#rest = end === joined.length ? NOTHING : Buffer.from(joined.subarray(end))
    return this.#decodeWhole(joined.subarray(0, end))
  }

  /** Decodes the remainder after the last chunk. */
  end(): string {
    const rest = this.#rest
    this.#rest = NOTHING
    return this.#decodeWhole(rest)
  }

  #decodeWhole(bytes: Buffer): string {
    this.#decodedBytes += bytes.length
    return isUtf8(bytes) ? this.#decoder.decode(bytes) : this.#decodeMarked(bytes)
  }

  /** Decodes between the replacement characters in the text itself, to distinguish them from new ones. */
  #decodeMarked(bytes: Buffer): string {
    const parts: string[] = []
    for (let start = 0; start <= bytes.length;) {
      const found = bytes.indexOf(REPLACEMENT_BYTES, start)
      const end = found < 0 ? bytes.length : found
      parts.push(this.#decoder.decode(bytes.subarray(start, end)).replaceAll(REPLACEMENT, NOT_UTF8))
      start = end + (found < 0 ? 1 : REPLACEMENT_BYTES.length)
    }
    return parts.join(REPLACEMENT)
  }
}

/** Index after the last character that the chunk holds completely. */
function endOfLastCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    const isContinuation = (byte & 0xc0) === 0x80
    if (!isContinuation) return sequenceLength(byte) > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

function sequenceLength(leadByte: number): number {
  if (leadByte >= 0xf0) return 4
  if (leadByte >= 0xe0) return 3
  return leadByte >= 0xc0 ? 2 : 1
}
