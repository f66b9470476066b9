import type { IncomingMessage } from 'node:http'
import type { Ascii, NativeRequest } from '../driver.js'
import { asciiText } from '../nativeText.js'

/** Cache of header names: the server passes the same few ArrayBuffers again and again. */
const names = new WeakMap<ArrayBuffer, string>()
const BEYOND_ASCII = /[\x80-\xff]/

/** A request of `node:http` in the form of uWebSockets.js. */
export class NodeRequest implements NativeRequest {
  readonly #incoming: IncomingMessage
  readonly #path: string
  readonly #query: string | undefined

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming
    const url = utf8(incoming.url ?? '')
    const mark = url.indexOf('?')
    this.#path = mark < 0 ? url : url.slice(0, mark)
    this.#query = mark < 0 ? undefined : url.slice(mark + 1)
  }

  getCaseSensitiveMethod(): string {
    return this.#incoming.method ?? ''
  }

  getUrl(): string {
    return this.#path
  }

  getQuery(): string | undefined {
    return this.#query
  }

  getHeader(name: Ascii): string {
    const value = this.#incoming.headers[nameOf(name)]
    return value === undefined ? '' : utf8(typeof value === 'string' ? value : value.join(', '))
  }

  forEach(take: (name: string, value: string) => void): void {
    const { rawHeaders } = this.#incoming
    for (let at = 0; at < rawHeaders.length; at += 2) {
      take(rawHeaders[at]!.toLowerCase(), utf8(rawHeaders[at + 1]!))
    }
  }
}

function nameOf(name: Ascii): string {
  if (typeof name === 'string') return name
  const known = names.get(name)
  if (known !== undefined) return known
  const text = asciiText(name)
  names.set(name, text)
  return text
}

/** The library decodes bytes as Latin-1, but clients send UTF-8. */
const utf8 = (text: string): string =>
  BEYOND_ASCII.test(text) ? Buffer.from(text, 'latin1').toString() : text
