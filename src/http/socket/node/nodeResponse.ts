import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Ascii, NativeResponse } from '../driver.js'
import { asciiText } from '../nativeText.js'

/** Bytes of a body per write to the system. A client that does not read keeps at most these in memory. */
const PIECE_BYTES = 64 * 1024
/** As in uWebSockets.js: a client that sends and accepts nothing for this time loses its connection. */
export const IDLE_MS = 10_000
const CLOSE_LINE = '\r\nConnection: close'
const NO_BYTES = new ArrayBuffer(0)

/** The answer to a request of `node:http` in the form of uWebSockets.js. */
export class NodeResponse implements NativeResponse {
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #socket: Socket
  readonly #peerAddress: ArrayBuffer
  #head = ''
  #isBegun = false
  #offset = 0
  #onAborted: (() => void) | undefined
  #onWritable: ((offset: number) => boolean) | undefined

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, peerAddress: ArrayBuffer) {
    this.#incoming = incoming
    this.#outgoing = outgoing
    this.#socket = incoming.socket
    this.#peerAddress = peerAddress
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) this.#onAborted?.()
    })
    // A write to a connection that has just ended is lost; `close` reports the end.
    outgoing.on('error', () => undefined)
  }

  getRemoteAddress(): ArrayBuffer {
    return this.#peerAddress
  }

  onData(take: (chunk: ArrayBuffer, isLast: boolean) => void): void {
    this.#incoming.on('data', (chunk: Buffer) => take(new Uint8Array(chunk).buffer, false))
    this.#incoming.once('end', () => take(NO_BYTES, true))
  }

  onAborted(handle: () => void): void {
    this.#onAborted = handle
  }

  cork(write: () => void): void {
    write()
  }

  writeStatus(head: Ascii): void {
    this.#head = asciiText(head)
  }

  endWithoutBody(): void {
    this.#begin('')
    this.#outgoing.end()
  }

  end(body: Uint8Array | string, closes = false): void {
    const closeLine = closes && !this.#head.includes(CLOSE_LINE) ? CLOSE_LINE : ''
    this.#begin(`\r\nContent-Length: ${Buffer.byteLength(body)}${closeLine}`)
    this.#outgoing.end(typeof body === 'string' ? body : Buffer.from(body))
  }

  tryEnd(body: Uint8Array, length: number): [tookAll: boolean, isDone: boolean] {
    for (let at = 0; at < body.length;) {
      // A copy: the caller may reuse the bytes after this call, but the system may read them later.
      const piece = Buffer.from(body.subarray(at, at + PIECE_BYTES))
      at += piece.length
      if (this.#isBegun) this.#socket.setTimeout(IDLE_MS)
      else this.#begin(`\r\nContent-Length: ${length}`)
      this.#offset += piece.length
      if (this.#offset >= length) {
        this.#outgoing.end(piece)
        return [true, true]
      }
      if (!this.#write(piece)) return [false, false]
    }
    return [true, false]
  }

  getWriteOffset(): number {
    return this.#offset
  }

  onWritable(handle: (offset: number) => boolean): void {
    this.#onWritable = handle
  }

  close(): void {
    this.#socket.destroy()
  }

  /** Whether the system accepted the whole piece at once. */
  #write(piece: Buffer): boolean {
    let isInTime = true
    let isOut = false
    this.#outgoing.write(piece, (error) => {
      isOut = true
      if (!isInTime && !error) this.#onWritable?.(this.#offset)
    })
    // The library delays the first write of an answer until the end of the tick.
    while (this.#socket.writableCorked > 0) this.#socket.uncork()
    isInTime = false
    return isOut
  }

  #begin(lastLines: string): void {
    this.#isBegun = true
    const [status = '', ...lines] = `${this.#head}${lastLines}`.split('\r\n')
    // The server writes all headers, so the library must not add its own.
    this.#outgoing.removeHeader('Connection')
    this.#outgoing.removeHeader('Transfer-Encoding')
    this.#outgoing.writeHead(Number(status.slice(0, 3)), status.slice(4), lines.flatMap(nameAndValue))
  }
}

function nameAndValue(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 2)]
}
