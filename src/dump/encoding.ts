/**
 * Detects the encoding of an XML document from its first bytes: a byte order mark, zero bytes, or the XML declaration.
 */
import { TextDecoder } from 'node:util'
import { DumpError } from './dumpError.js'
import { NOT_UTF8, Utf8Decoder } from './utf8Decoder.js'

/** Bytes that `chooseDecoder` needs, unless the document is shorter. */
export const ENCODING_BYTES = 256

/** Decodes bytes chunk by chunk, with any cuts between chunks. A byte order mark stays. */
export interface XmlDecoder {
  /** UTF-8 bytes of all strings returned so far. */
  readonly decodedBytes: number
  decode(bytes: Buffer): string
  /** Decodes the remainder after the last chunk. */
  end(): string
}

const UTF32_STARTS = ['0000feff', 'fffe0000', '0000003c', '3c000000']
const UTF16_STARTS: readonly (readonly [start: string, label: string])[] = [
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
  ['3c00', 'utf-16le'],
  ['003c', 'utf-16be'],
]
const DECLARED = /^(?:\xef\xbb\xbf)?<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.:-]*)["']/

/** Throws a DumpError for unsupported encodings, by their names. */
export function chooseDecoder(head: Buffer): XmlDecoder {
  const start = head.toString('hex', 0, 4)
  if (UTF32_STARTS.includes(start)) throw notRead('UTF-32')
  const utf16 = UTF16_STARTS.find(([beginning]) => start.startsWith(beginning))
  if (utf16 !== undefined) return new ForeignDecoder(new TextDecoder(utf16[1], { ignoreBOM: true }))
  const declared = DECLARED.exec(head.toString('latin1', 0, ENCODING_BYTES))?.[1]
  if (declared === undefined || isUtf8(declared)) return new Utf8Decoder()
  const decoder = decoderOf(declared)
  if (decoder.encoding.startsWith('utf-16') || head[0] !== '<'.charCodeAt(0)) throw contradiction(declared)
  return new ForeignDecoder(decoder)
}

/** Throws a DumpError for a declared encoding that `decoder` does not decode. */
export function requireDeclared(encoding: string | undefined, decoder: XmlDecoder): void {
  if (encoding === undefined || isUtf8(encoding) || decoder instanceof ForeignDecoder) return
  throw contradiction(encoding)
}

/** US-ASCII is a subset of UTF-8. */
const isUtf8 = (label: string): boolean => /^(?:utf-?8|us-ascii)$/i.test(label)

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw notRead(label)
  }
}

const notRead = (name: string): DumpError =>
  new DumpError(`is encoded as ${name}, which is not supported: convert it to UTF-8`)

const contradiction = (name: string): DumpError =>
  new DumpError(`says that it is encoded as ${name}, but its first bytes are not: convert it to UTF-8`)

/**
 * Decodes by the Encoding Standard. Malformed sequences become `NOT_UTF8`. So do replacement characters in the text
 * itself, since the decoder's output does not distinguish them.
 */
class ForeignDecoder implements XmlDecoder {
  readonly #decoder: TextDecoder
  #decodedBytes = 0

  constructor(decoder: TextDecoder) {
    this.#decoder = decoder
  }

  get decodedBytes(): number {
    return this.#decodedBytes
  }

  decode(bytes: Buffer): string {
    return this.#count(this.#decoder.decode(bytes, { stream: true }))
  }

  end(): string {
    return this.#count(this.#decoder.decode())
  }

  #count(text: string): string {
    this.#decodedBytes += Buffer.byteLength(text)
    return text.replaceAll('\ufffd', NOT_UTF8)
  }
}
