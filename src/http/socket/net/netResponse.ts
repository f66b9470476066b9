/** The answer to a request of a connection, in the form of uWebSockets.js. */
import { type Ascii, asciiText, type NativeResponse } from '../driver.js'

const CLOSE_LINE = '\r\nConnection: close'
const CHUNKED_LINE = '\r\nTransfer-Encoding: chunked'
const LINE_END = Buffer.from('\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** What an answer needs of its connection. */
export interface Line {
  getRemoteAddress(): ArrayBuffer
  /** Whether the connection ends with this answer. */
  endsAfterAnswer: boolean
  /** Whether the request is of HTTP/1.0, which knows no chunks. */
  readonly isOld: boolean
  /** Whether the client has not taken all that was written. */
  readonly isBackedUp: boolean
  readBody(take: (chunk: ArrayBuffer, isLast: boolean) => void): void
  writeHead(head: Ascii, bodyLength: number | undefined, closes: boolean): void
  /** Writes bytes until one write waits for the client; returns how many do not have to last. */
  write(bytes: Uint8Array, areLasting: boolean): number
  /** Writes all bytes, whether the client takes them now or not. */
  writeAll(bytes: Uint8Array): void
  /** Runs a function, and gives what it wrote to the system. */
  gather(write: () => void): void
  /** Gives what was written to the system, unless more is to come. */
  release(): void
  /** The answer is complete. */
  finish(): void
  destroy(): void
}

export class NetResponse implements NativeResponse {
  readonly #line: Line
  #head: Ascii = ''
  isBegun = false
  isDone = false
  /** The body has no length. */
  isStream = false
  #offset = 0
  #aborted: (() => void) | undefined
  #writable: ((offset: number) => boolean) | undefined

  constructor(line: Line) {
    this.#line = line
  }

  /** Begins again, for the next request, after an answer that nobody holds any more. */
  reset(): void {
    this.isBegun = false
    this.isDone = false
    this.isStream = false
    this.#offset = 0
  }

  getRemoteAddress(): ArrayBuffer {
    return this.#line.getRemoteAddress()
  }

  onData(take: (chunk: ArrayBuffer, isLast: boolean) => void): void {
    this.#line.readBody(take)
  }

  onAborted(handle: () => void): void {
    this.#aborted = handle
  }

  cork(write: () => void): void {
    this.#line.gather(write)
  }

  writeStatus(head: Ascii): void {
    this.#head = head
  }

  endWithoutBody(): void {
    this.#begin(undefined)
    this.#finish()
  }

  end(body: Uint8Array | string, closes = false): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    if (closes) this.#line.endsAfterAnswer = true
    if (this.isStream) return this.#endStream()
    this.#begin(bytes.length)
    this.#line.writeAll(bytes)
    this.#offset = bytes.length
    this.#finish()
  }

  tryEnd(bytes: Uint8Array, length: number, areLasting = false): [tookAll: boolean, isDone: boolean] {
    if (!this.isBegun) this.#begin(length)
    const count = this.#line.write(bytes, areLasting)
    this.#offset += count
    if (this.#offset >= length) {
      this.#finish()
      return DONE
    }
    this.#line.release()
    return count === bytes.length ? ALL_TAKEN : NOT_TAKEN
  }

  write(bytes: Uint8Array): boolean {
    const line = this.#line
    if (!this.isBegun) {
      this.isStream = true
      if (line.isOld) line.endsAfterAnswer = true
      else this.#head = asciiText(this.#head) + CHUNKED_LINE
      this.#begin(undefined)
    }
    if (!line.isOld) line.writeAll(Buffer.from(`${bytes.length.toString(16)}\r\n`))
    line.writeAll(bytes)
    if (!line.isOld) line.writeAll(LINE_END)
    this.#offset += bytes.length
    line.release()
    return !line.isBackedUp
  }

  #endStream(): void {
    if (!this.#line.isOld) this.#line.writeAll(LAST_CHUNK)
    this.#finish()
  }

  getWriteOffset(): number {
    return this.#offset
  }

  onWritable(handle: (offset: number) => boolean): void {
    this.#writable = handle
  }

  /** The client takes more, and has taken bytes that were held. */
  goOn(heldBytes: number): void {
    this.#offset += heldBytes
    this.#writable?.(this.#offset)
  }

  /** The connection ended before the answer was complete. */
  abort(): void {
    const aborted = this.#aborted
    this.#aborted = undefined
    aborted?.()
  }

  close(): void {
    this.#line.destroy()
  }

  #begin(bodyLength: number | undefined): void {
    this.isBegun = true
    const line = this.#line
    const hasCloseLine = typeof this.#head === 'string' && this.#head.includes(CLOSE_LINE)
    if (hasCloseLine) line.endsAfterAnswer = true
    line.writeHead(this.#head, bodyLength, line.endsAfterAnswer && !hasCloseLine)
  }

  #finish(): void {
    this.isDone = true
    this.#aborted = undefined
    this.#writable = undefined
    this.#line.finish()
  }
}

const DONE: [boolean, boolean] = [true, true]
const ALL_TAKEN: [boolean, boolean] = [true, false]
const NOT_TAKEN: [boolean, boolean] = [false, false]
