/** A request read from a connection, in the form of uWebSockets.js. */
import { type Ascii, asciiText, type NativeRequest } from '../driver.js'
import { HeaderBlock, type HeadFault, utf8 } from './headerBlock.js'

const METHOD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,32}$/
const VERSION_LENGTH = 'HTTP/1.1'.length
const VERSION = / HTTP\/\d\.\d$/
/** Anything but visible ASCII. */
const UNUSUAL = /[^!-~]/
/** A blank or a control character. */
const NO_TARGET = /[\0-\x20\x7f]/
const ABSOLUTE = /^https?:\/\/([\w.\-~%!$&'()*+,;=:[\]]+)(?=[/?]|$)/i
const NO_HEADERS = new HeaderBlock()

/** One object for all requests of a connection, one after the other. */
export class NetRequest implements NativeRequest {
  headers = NO_HEADERS
  /** HTTP/1.0: the connection ends after the answer, unless the client asks for more. */
  isOld = false
  #method = ''
  #path = ''
  #query: string | undefined
  /** The host in an absolute target, which counts in place of the header. */
  #host: string | undefined

  /** Whether the client wants the connection to end with the answer. */
  get endsConnection(): boolean {
    return this.isOld ? !this.headers.asksToKeepAlive : this.headers.asksToClose
  }

  /** Takes a request line, with bytes as units, and the headers behind it. Returns what breaks a rule. */
  read(line: string, headers: HeaderBlock): HeadFault | undefined {
    this.headers = headers
    return this.#readLine(line) ?? this.#judge()
  }

  #readLine(line: string): HeadFault | undefined {
    const methodEnd = line.indexOf(' ')
    const versionAt = line.length - VERSION_LENGTH
    if (methodEnd < 0 || versionAt - 1 <= methodEnd || line[versionAt - 1] !== ' ') return 400
    const isGet = methodEnd === 3 && line.startsWith('GET')
    this.#method = isGet ? 'GET' : line.slice(0, methodEnd)
    if (!isGet && !METHOD.test(this.#method)) return 400
    this.isOld = false
    if (!line.endsWith('HTTP/1.1')) {
      this.isOld = line.endsWith('HTTP/1.0')
      if (!this.isOld) return VERSION.test(line) ? 505 : 400
    }
    return this.#readTarget(line.slice(methodEnd + 1, versionAt - 1))
  }

  #readTarget(target: string): HeadFault | undefined {
    this.#host = undefined
    const isUnusual = UNUSUAL.test(target)
    if (isUnusual && NO_TARGET.test(target)) return 400
    if (this.#method === 'CONNECT') return 405
    let path = target
    if (!target.startsWith('/') && !(target === '*' && this.#method === 'OPTIONS')) {
      const absolute = ABSOLUTE.exec(target)
      if (absolute === null) return 400
      this.#host = absolute[1]
      path = target.slice(absolute[0].length)
      if (!path.startsWith('/')) path = `/${path}`
    }
    if (isUnusual) path = utf8(path)
    const mark = path.indexOf('?')
    this.#path = mark < 0 ? path : path.slice(0, mark)
    this.#query = mark < 0 ? undefined : path.slice(mark + 1)
    return undefined
  }

  /** Rules of line and headers together. */
  #judge(): HeadFault | undefined {
    const { headers } = this
    if (this.isOld) return headers.has('transfer-encoding') ? 400 : undefined
    return headers.has('host') ? undefined : 400
  }

  getCaseSensitiveMethod(): string {
    return this.#method
  }

  getUrl(): string {
    return this.#path
  }

  getQuery(): string | undefined {
    return this.#query
  }

  getHeader(name: Ascii): string {
    if (this.#host !== undefined && asciiText(name) === 'host') return this.#host
    return this.headers.get(name)
  }

  forEach(take: (name: string, value: string) => void): void {
    this.headers.forEach((name, value) => take(name, name === 'host' ? (this.#host ?? value) : value))
  }
}
