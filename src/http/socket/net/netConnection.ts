/** One connection: finds its requests, and answers them in order, each after the answer before it is complete. */
import type { Socket } from 'node:net'
import { addressBytes } from '../../request/addresses.js'
import type { Ascii, DriverHandlers, Peer } from '../driver.js'
import { BodyReader } from './bodyReader.js'
import { HeaderBlock, type HeadFault } from './headerBlock.js'
import { NetRequest } from './netRequest.js'
import { type Line, NetResponse } from './netResponse.js'
import { LARGE_BYTES, OUTBOX_BYTES, type Outbox, type Sender } from './outbox.js'

/** As in uWebSockets.js: a client that sends and accepts nothing for this time loses its connection. */
const IDLE_MS = 10_000
/** Bytes of a body that a client must send per IDLE_MS, the same limit as in uWebSockets.js. */
const LEAST_BODY_BYTES = (16 * 1024 * IDLE_MS) / 1000
/** Bytes of a request line with its headers. */
const MOST_HEAD_BYTES = 16 * 1024
/** Bytes of further requests that are read while one is answered. The rest stays with the client. */
const MOST_WAITING_BYTES = 64 * 1024
/** How long a connection that the server ends waits for the client to end its side. */
const LINGER_MS = 2000
/** Interval at which the driver looks at all connections. */
export const CHECK_MS = 1000
const [CR, LF] = [13, 10]
const LINE_END = '\r\n'
const NO_BYTES = new ArrayBuffer(0)
const NOTHING = Buffer.alloc(0)
const END_OF_HEAD = '\r\n\r\n'
const CONTINUE = `HTTP/1.1 100 Continue${END_OF_HEAD}`
const REASONS: Readonly<Record<HeadFault, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
  505: 'HTTP Version Not Supported',
}

/** Parts that all connections of a driver share. */
export interface Shared {
  readonly handlers: DriverHandlers
  readonly outbox: Outbox
  /** Milliseconds, as of the last look at all connections. */
  nowMs: number
}

export class NetConnection implements Peer, Sender, Line {
  readonly socket: Socket
  /** Whether the client has not taken all that was written. */
  #isBackedUp = false
  /** Bytes of the answer that the socket holds without a copy, and that do not count as sent. */
  #heldBytes = 0
  endsAfterAnswer = false
  readonly #shared: Shared
  readonly #request = new NetRequest()
  /** The present answer, or the last one. */
  #response = new NetResponse(this)
  /** Whether somebody answers it later. The next request then gets another object. */
  #isHeldElsewhere = false
  /** The headers of the last request, and its header lines as sent, with the empty line behind them. */
  #headers: HeaderBlock | HeadFault = new HeaderBlock()
  #lastLines: Buffer | undefined
  /** Bytes that arrived and were not read yet. */
  #rest: Buffer | undefined
  /** Whether they wait for an answer, and not for more bytes. */
  #restWaits = false
  #isAnswering = false
  #isGathering = false
  /** The client has ended its side. */
  #hasEnded = false
  /** The server has ended its side, and drops what still comes. */
  #isClosing = false
  #body: BodyReader | undefined
  #takeBody: ((chunk: ArrayBuffer, isLast: boolean) => void) | undefined
  /** Bytes of the body since `#waitsSinceMs`. */
  #bodyBytes = 0
  /** Since when the client has to send or to take something. */
  #waitsSinceMs: number
  #address: ArrayBuffer | undefined

  constructor(socket: Socket, shared: Shared) {
    this.socket = socket
    this.#shared = shared
    this.#waitsSinceMs = shared.nowMs
  }

  get isOld(): boolean {
    return this.#request.isOld
  }

  get isBackedUp(): boolean {
    return this.#isBackedUp
  }

  getRemoteAddress(): ArrayBuffer {
    return (this.#address ??= new Uint8Array(addressBytes(this.socket.remoteAddress ?? '')).buffer)
  }

  /** Takes bytes from the client. */
  take(chunk: Buffer): void {
    if (this.#isClosing) return
    const rest = this.#rest
    if (rest === undefined) {
      // Empty lines before a request do not lengthen its time.
      if (this.#body === undefined && chunk[0] !== CR) this.#waitsSinceMs = this.#shared.nowMs
      this.#work(chunk)
    } else {
      this.#rest = undefined
      this.#work(Buffer.concat([rest, chunk]))
    }
  }

  /** The client sends no more. It has all answers, or it has gone. */
  end(): void {
    this.#hasEnded = true
    const isNoAnswerBegun = this.#isAnswering && (!this.#response.isBegun || this.#response.isStream)
    if (this.#body !== undefined || isNoAnswerBegun) this.destroy()
    else this.#proceed()
  }

  /** The connection has ended. */
  ended(): void {
    if (this.#isAnswering) this.#abort()
  }

  /** Ends the connection of a client that makes the server wait for too long. */
  check(nowMs: number): void {
    const isServersTurn = this.#isAnswering && !this.#isBackedUp && this.#body === undefined
    if (isServersTurn) this.#waitsSinceMs = nowMs
    // The time of an event is that of the look before it.
    const waitedMs = nowMs - this.#waitsSinceMs - CHECK_MS
    if (waitedMs < (this.#isClosing ? LINGER_MS : this.#limitMs())) return
    if (this.#isClosing || this.#bodyBytes < LEAST_BODY_BYTES) return this.destroy()
    this.#bodyBytes = 0
    this.#waitsSinceMs = nowMs
  }

  /** Nothing tells how much of a write the client has taken, so a large one has more time. */
  #limitMs(): number {
    return Math.max(1, this.#heldBytes / OUTBOX_BYTES) * IDLE_MS
  }

  destroy(): void {
    this.socket.destroy()
  }

  /** Reads requests, and answers those that need no wait. */
  #work(bytes: Buffer): void {
    this.#isGathering = true
    try {
      let at = 0
      while (at < bytes.length && !this.#isLast()) {
        const next = this.#body === undefined ? this.#readRequest(bytes, at) : this.#readBody(bytes, at)
        if (next === at) break
        at = next
      }
      if (at < bytes.length && !this.#isLast()) this.#keep(bytes, at)
    } finally {
      this.#isGathering = false
    }
    this.release()
  }

  /** Whether no further request is answered. */
  #isLast(): boolean {
    return this.#isClosing || (this.endsAfterAnswer && !this.#isAnswering)
  }

  /** Whether the next request has to wait. */
  #isHeld(): boolean {
    return this.#isAnswering || this.#isBackedUp
  }

  /** Keeps bytes for later: the beginning of a head, or requests that wait for an answer before them. */
  #keep(bytes: Buffer, at: number): void {
    // A copy, since the memory of the socket's buffer is larger.
    this.#rest = Buffer.from(bytes.subarray(at))
    this.#restWaits = this.#isHeld()
    if (this.#restWaits && this.#rest.length > MOST_WAITING_BYTES) this.socket.pause()
  }

  /** Goes on after an answer, or when the client has taken what was written. */
  #proceed(): void {
    if (this.#isHeld() || this.#isClosing) return
    if (this.endsAfterAnswer) return this.#finishConnection()
    if (this.#restWaits) {
      const rest = this.#rest!
      this.#rest = undefined
      this.#restWaits = false
      if (this.socket.isPaused()) this.socket.resume()
      this.#work(rest)
    } else if (this.#hasEnded) {
      this.#finishConnection()
    }
  }

  /** Sends what is written, ends the server's side, and waits for the client to end its own. */
  #finishConnection(): void {
    this.#isClosing = true
    this.#rest = undefined
    this.#body = undefined
    this.#takeBody = undefined
    this.#waitsSinceMs = this.#shared.nowMs
    this.#shared.outbox.flush()
    this.socket.end()
    if (this.socket.isPaused()) this.socket.resume()
  }

  /** Reads a request that begins at `at`; returns the index behind its head, or `at` when it is not complete. */
  #readRequest(bytes: Buffer, at: number): number {
    if (this.#isHeld()) return at
    // Some clients send an empty line behind a body.
    if (bytes[at] === CR && bytes[at + 1] === LF) return at + LINE_END.length
    const lineEnd = bytes.indexOf(CR, at)
    if (lineEnd >= 0 && lineEnd + 1 < bytes.length && bytes[lineEnd + 1] !== LF) return this.#fail(400, bytes)
    const end = lineEnd < 0 ? undefined : this.#readHeaders(bytes, lineEnd + LINE_END.length)
    if ((end ?? bytes.length) - at > MOST_HEAD_BYTES) return this.#fail(431, bytes)
    if (end === undefined) return at
    if (typeof this.#headers === 'number') return this.#fail(this.#headers, bytes)
    const fault = this.#request.read(bytes.toString('latin1', at, lineEnd), this.#headers)
    if (fault !== undefined) return this.#fail(fault, bytes)
    this.#handle(this.#headers)
    return end
  }

  /**
   * Reads the header lines from `at` on, and returns the index behind the empty line; undefined when it has not come.
   * Clients send the same lines with each request, so lines equal to the last ones are not read again.
   */
  #readHeaders(bytes: Buffer, at: number): number | undefined {
    const last = this.#lastLines
    if (last !== undefined) {
      const end = at + last.length
      if (end <= bytes.length && isSame(bytes, at, last)) return end
    }
    const hasNone = bytes[at] === CR && bytes[at + 1] === LF
    const lastLineAt = hasNone ? at - LINE_END.length : bytes.indexOf(END_OF_HEAD, at, 'latin1')
    if (lastLineAt < 0) return undefined
    const end = lastLineAt + END_OF_HEAD.length
    if (end - at > MOST_HEAD_BYTES) return end
    this.#headers = HeaderBlock.parse(bytes.toString('latin1', at, end - LINE_END.length))
    this.#lastLines = Buffer.from(bytes.subarray(at, end))
    return end
  }

  #handle({ bodyLength, expectsContinue }: HeaderBlock): void {
    const request = this.#request
    if (this.#isHeldElsewhere) this.#response = new NetResponse(this)
    else this.#response.reset()
    const response = this.#response
    this.#isAnswering = true
    // A client that waits for a 100 in vain need not send its body, so nobody knows where its next request begins.
    this.endsAfterAnswer = request.endsConnection || expectsContinue
    this.#takeBody = undefined
    if (bodyLength !== 0) {
      this.#body = new BodyReader(bodyLength)
      this.#bodyBytes = 0
    }
    if (request.getCaseSensitiveMethod() === 'GET') this.#shared.handlers.get(response, request)
    else this.#shared.handlers.other(response, request)
    this.#isHeldElsewhere = !response.isDone
    if (bodyLength === 0) this.#endBody()
  }

  #endBody(): void {
    const take = this.#takeBody
    this.#body = undefined
    this.#takeBody = undefined
    take?.(NO_BYTES, true)
  }

  readBody(take: (chunk: ArrayBuffer, isLast: boolean) => void): void {
    this.#takeBody = take
    if (!this.#request.headers.expectsContinue || this.#request.isOld) return
    this.endsAfterAnswer = this.#request.endsConnection
    this.#shared.outbox.flush()
    this.socket.write(CONTINUE, 'latin1')
  }

  #readBody(bytes: Buffer, at: number): number {
    const body = this.#body!
    const take = this.#takeBody
    const next = body.read(bytes, at, (content) => take?.(new Uint8Array(content).buffer, false))
    if (next < 0) return this.#fail(400, bytes)
    this.#bodyBytes += next - at
    if (body.isDone && this.#body === body) {
      this.#waitsSinceMs = this.#shared.nowMs
      this.#endBody()
    }
    return next
  }

  /** Answers what breaks a rule of HTTP, and ends the connection: nobody knows where the next request begins. */
  #fail(fault: HeadFault, bytes: Buffer): number {
    const isInTime = !this.#isAnswering || !this.#response.isBegun
    if (this.#isAnswering) this.#abort()
    if (!isInTime) this.destroy()
    this.#shared.outbox.flush()
    const head = `HTTP/1.1 ${fault} ${REASONS[fault]}\r\nConnection: close\r\nContent-Length: 0${END_OF_HEAD}`
    if (!this.socket.destroyed) this.socket.write(head, 'latin1')
    this.#finishConnection()
    return bytes.length
  }

  #abort(): void {
    this.#isAnswering = false
    this.#response.abort()
  }

  // For answers.

  gather(write: () => void): void {
    if (this.#isGathering) return write()
    this.#isGathering = true
    try {
      write()
    } finally {
      this.#isGathering = false
    }
    this.release()
  }

  writeHead(head: Ascii, bodyLength: number | undefined, closes: boolean): void {
    this.#shared.outbox.addHead(this, head, bodyLength, closes)
  }

  write(bytes: Uint8Array, areLasting: boolean): number {
    const { outbox } = this.#shared
    let count = 0
    while (count < bytes.length && !this.#isBackedUp && !this.socket.destroyed) {
      const rest = count === 0 ? bytes : bytes.subarray(count)
      if (areLasting && rest.length >= LARGE_BYTES) {
        const passed = outbox.pass(this, rest)
        if (this.#isBackedUp) this.#heldBytes = passed
        else count += passed
      } else {
        count += outbox.add(this, rest)
      }
    }
    return count
  }

  writeAll(bytes: Uint8Array): void {
    const count = this.write(bytes, false)
    if (count < bytes.length && !this.socket.destroyed) {
      this.socket.write(Buffer.from(bytes.subarray(count)))
      this.waitForClient()
    }
  }

  finish(): void {
    this.#isAnswering = false
    this.#waitsSinceMs = this.#shared.nowMs
    this.release()
  }

  release(): void {
    if (this.#isGathering) return
    this.#shared.outbox.flush()
    this.#proceed()
  }

  /** Answers no more, until the system has taken all that was written. */
  waitForClient(): void {
    this.#isBackedUp = true
    this.#waitsSinceMs = this.#shared.nowMs
    // Its callback comes after all writes before it. Other writes have none, since each costs a tick.
    this.socket.write(NOTHING, () => this.#written())
  }

  #written(): void {
    if (this.socket.destroyed || this.socket.writableLength > 0) return
    this.#isBackedUp = false
    this.#waitsSinceMs = this.#shared.nowMs
    const held = this.#heldBytes
    this.#heldBytes = 0
    if (this.#isAnswering) this.gather(() => this.#response.goOn(held))
    else this.#proceed()
  }
}

/** A loop takes less time than a native call for a few bytes. */
const MOST_BY_LOOP = 128

/** Whether `bytes` has `expected` at an index. */
function isSame(bytes: Buffer, at: number, expected: Buffer): boolean {
  const { length } = expected
  if (length > MOST_BY_LOOP) return bytes.compare(expected, 0, length, at, at + length) === 0
  for (let n = 0; n < length; n++) if (bytes[at + n] !== expected[n]) return false
  return true
}
