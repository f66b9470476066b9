/** JSON as UTF-8, put together from stored bytes without decoding them. One answer after another uses its memory. */
import { escapeHtml } from '../../domain/html.js'
import { writeUtf8 } from '../text/utf8.js'

const FIRST_BYTES = 16 * 1024
/** If an answer takes more, its memory is not kept. */
const MAX_KEPT_BYTES = 256 * 1024
/** No sign takes more bytes when it is escaped. */
const LONGEST_ESCAPE = 6
const LINE_BREAK = 10

/** By byte: a sign of HTML as it is written within a string of JSON. Undefined for unchanged bytes. */
const ESCAPES: readonly (Buffer | undefined)[] = Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return undefined
  const sign = byte === LINE_BREAK ? ' ' : String.fromCharCode(byte)
  const escaped = JSON.stringify(escapeHtml(sign)).slice(1, -1)
  return escaped === String.fromCharCode(byte) ? undefined : Buffer.from(escaped)
})

export class JsonBytes {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #length = 0

  /** Begins again, with nothing. */
  clear(): this {
    if (this.#bytes.length > MAX_KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
    this.#length = 0
    return this
  }

  /** Appends JSON. */
  text(json: string): this {
    this.#reserve(3 * json.length)
    this.#length = writeUtf8(json, this.#bytes, this.#length)
    return this
  }

  /** Appends JSON that is UTF-8 already. */
  copy(from: Buffer, start: number, end: number): this {
    this.#reserve(end - start)
    from.copy(this.#bytes, this.#length, start, end)
    this.#length += end - start
    return this
  }

  /** Appends a part of a text to a string, escaped for HTML and JSON. A line break becomes a space. */
  escape(from: Uint8Array, start: number, end: number): this {
    this.#reserve(LONGEST_ESCAPE * (end - start))
    const bytes = this.#bytes
    let at = this.#length
    for (let n = start; n < end; n++) {
      const byte = from[n]!
      const escape = ESCAPES[byte]
      if (escape === undefined) bytes[at++] = byte
      else for (const part of escape) bytes[at++] = part
    }
    this.#length = at
    return this
  }

  /** A copy of the JSON, in memory of its own. */
  take(): Buffer {
    const taken = Buffer.allocUnsafeSlow(this.#length)
    this.#bytes.copy(taken, 0, 0, this.#length)
    return taken
  }

  #reserve(count: number): void {
    const needed = this.#length + count
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
