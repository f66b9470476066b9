/** Decodes base64 in pieces, which may be cut anywhere and contain white space. */
const WHITE_SPACE = /[ \t\r\n]+/g
const FOREIGN = /[^A-Za-z0-9+/=]/
const NO_PADDING = /[^=]/
const DIGITS_OF_THREE_BYTES = 4

export class Base64Decoder {
  #rest = ''
  #padding = 0

  /** Drops the remainder of earlier contents. */
  reset(): void {
    this.#rest = ''
    this.#padding = 0
  }

  /** True if the contents may end here, because every digit is decoded. */
  get isWhole(): boolean {
    return this.#rest === ''
  }

  /** Decodes the bytes that this piece completes. Undefined if it is not base64, or if digits follow the padding. */
  decode(piece: string): Buffer | undefined {
    const signs = piece.replace(WHITE_SPACE, '')
    if (FOREIGN.test(signs)) return undefined
    const found = signs.indexOf('=')
    const added = found < 0 ? signs : signs.slice(0, found)
    const padding = signs.slice(added.length)
    if (NO_PADDING.test(padding) || (this.#padding > 0 && added !== '')) return undefined
    this.#padding += padding.length
    const digits = this.#rest + added
    const partial = digits.length % DIGITS_OF_THREE_BYTES
    const group = partial + this.#padding
    if (padding !== '' && (partial === 0 || group > DIGITS_OF_THREE_BYTES)) return undefined
    const isEnd = partial > 1 && group === DIGITS_OF_THREE_BYTES
    const length = isEnd ? digits.length : digits.length - partial
    this.#rest = digits.slice(length)
    return Buffer.from(digits.slice(0, length), 'base64')
  }
}
