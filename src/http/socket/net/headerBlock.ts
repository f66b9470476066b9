/** The header lines of a request, as RFC 9112 and RFC 9110 allow them. */
import { type Ascii, asciiText } from '../driver.js'

/** Status of the answer to a request whose head breaks a rule. The connection ends with it. */
export type HeadFault = 400 | 405 | 417 | 431 | 501 | 505

/** Length of a body that comes in chunks. */
export const CHUNKED = -1

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Control characters but for tabs. A bare CR or LF is one of them. */
const CONTROL = /[\0-\x08\n-\x1f\x7f]/
const LENGTH = /^\d{1,15}$/
const HOST = /^[\w.\-~%!$&'()*+,;=:[\]]*$/
const OUTER_BLANKS = /^[ \t]+|[ \t]+$/g
const CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i
const KEEP_ALIVE = /(?:^|,)[ \t]*keep-alive[ \t]*(?:,|$)/i

/** Names of headers as sent, and in lower case. Clients send the same few. */
const names = new Map<string, string>()
const MOST_NAMES = 500

/**
 * Headers of a request. A client sends the same lines with each request, so a connection keeps the block of its last
 * request, and the values that were asked for.
 */
export class HeaderBlock {
  /** Bytes of the body; 0 without one, CHUNKED when it comes in chunks. */
  bodyLength = 0
  /** Whether the client waits for a 100 before it sends the body. */
  expectsContinue = false
  /** What the header `Connection` asks for. */
  asksToClose = false
  asksToKeepAlive = false
  readonly #values = new Map<string, string>()
  /** Values by the object that asks for them, which spares the way from its bytes to a name. */
  readonly #answers = new Map<Ascii, string>()

  /** The lines' text with bytes as units (Latin-1). Each line ends with CRLF, and the empty line is left out. */
  static parse(text: string): HeaderBlock | HeadFault {
    const block = new HeaderBlock()
    for (let at = 0; at < text.length;) {
      const end = text.indexOf('\r\n', at)
      const colon = text.indexOf(':', at)
      if (colon < 0 || colon > end) return 400
      const name = lowerCaseName(text.slice(at, colon))
      const value = text.slice(colon + 1, end)
      if (name === undefined || CONTROL.test(value)) return 400
      const isSecond = block.#add(name, utf8(value.replace(OUTER_BLANKS, '')))
      if (isSecond && (name === 'content-length' || name === 'host')) return 400
      at = end + 2
    }
    return block.#judge() ?? block
  }

  /** The value of a header, lines of the same name joined; empty when it is absent. */
  get(name: Ascii): string {
    let value = this.#answers.get(name)
    if (value === undefined) {
      value = this.#values.get(asciiText(name)) ?? ''
      this.#answers.set(name, value)
    }
    return value
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  forEach(take: (name: string, value: string) => void): void {
    for (const [name, value] of this.#values) take(name, value)
  }

  /** Adds a line; returns whether its name has one already. */
  #add(name: string, value: string): boolean {
    const earlier = this.#values.get(name)
    const separator = name === 'cookie' ? '; ' : ', '
    this.#values.set(name, earlier === undefined ? value : `${earlier}${separator}${value}`)
    return earlier !== undefined
  }

  /** Reads what the connection must know, and finds what contradicts itself. */
  #judge(): HeadFault | undefined {
    const length = this.#values.get('content-length')
    const coding = this.#values.get('transfer-encoding')
    if (length !== undefined) {
      if (coding !== undefined || !LENGTH.test(length)) return 400
      this.bodyLength = Number(length)
    } else if (coding !== undefined) {
      if (coding.toLowerCase() !== 'chunked') return /,[ \t]*chunked$/i.test(coding) ? 501 : 400
      this.bodyLength = CHUNKED
    }
    if (!HOST.test(this.#values.get('host') ?? '')) return 400
    const expect = this.#values.get('expect')
    if (expect !== undefined && expect.toLowerCase() !== '100-continue') return 417
    this.expectsContinue = expect !== undefined
    const connection = this.#values.get('connection') ?? ''
    this.asksToClose = CLOSE.test(connection)
    this.asksToKeepAlive = KEEP_ALIVE.test(connection)
    return undefined
  }
}

/** Undefined for a name that is no token, such as one with a blank before its colon or after a line's beginning. */
function lowerCaseName(name: string): string | undefined {
  const known = names.get(name)
  if (known !== undefined) return known
  if (!TOKEN.test(name)) return undefined
  const lower = name.toLowerCase()
  if (names.size < MOST_NAMES) names.set(name, lower)
  return lower
}

const BEYOND_ASCII = /[\x80-\xff]/

/** A text whose units are bytes, decoded as UTF-8. */
export function utf8(bytes: string): string {
  return BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes
}
