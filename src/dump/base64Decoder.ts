/** Decodes base64 that comes in pieces, cut anywhere, with white space in it. Other signs are passed over. */
const NO_DIGITS = /[^A-Za-z0-9+/]+/g
const DIGITS_OF_THREE_BYTES = 4

export class Base64Decoder {
  #rest = ''

  /** Forgets what was left of the contents before. */
  reset(): void {
    this.#rest = ''
  }

  /** The bytes that are complete, with this piece; padding ends the last ones. */
  decode(piece: string): Buffer {
    const digits = this.#rest + piece.replace(NO_DIGITS, '')
    const isEnd = piece.includes('=')
    const length = isEnd ? digits.length : digits.length - (digits.length % DIGITS_OF_THREE_BYTES)
    this.#rest = digits.slice(length)
    return Buffer.from(digits.slice(0, length), 'base64')
  }
}
