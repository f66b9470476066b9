/**
 * Memory in which answers are put together before they go to the system, one for all connections. Answers to pipelined
 * requests, and head and body of each, leave in one write.
 */
import type { Socket } from 'node:net'
import type { Ascii } from '../driver.js'

/** Also the most that a client who does not read keeps in memory here. */
export const OUTBOX_BYTES = 64 * 1024
/** From this size on, lasting bytes go to the system without a copy. */
export const LARGE_BYTES = 32 * 1024
/** Most bytes of one such write: the system wakes the client at each. */
const MOST_PASSED_BYTES = 512 * 1024
const STATUS_LINE = Buffer.from('HTTP/1.1 ')
const LENGTH_LINE = Buffer.from('\r\nContent-Length: ')
const CLOSE_LINE = Buffer.from('\r\nConnection: close')
/** Bytes of all that is added to a head, at most. */
const MOST_EXTRA_BYTES = 200

/** A connection, as the outbox sees it. */
export interface Sender {
  readonly socket: Socket
  /** Called when the system did not take a write at once. */
  waitForClient(): void
}

/** Views of heads that answers share, which the caller fills with the next request's id. */
const views = new WeakMap<ArrayBuffer, Uint8Array>()

export class Outbox {
  #bytes = Buffer.allocUnsafeSlow(OUTBOX_BYTES)
  #length = 0
  #sender: Sender | undefined
  #endOfHead = endOfHead()

  /**
   * Adds the head of an answer: the status with its reason and header lines, then the length of the body, unless it is
   * undefined, and whether the connection ends.
   */
  addHead(sender: Sender, head: Ascii, bodyLength: number | undefined, closes: boolean): void {
    const headLength = typeof head === 'string' ? head.length : head.byteLength
    this.#serve(sender, headLength + MOST_EXTRA_BYTES)
    this.#addShort(STATUS_LINE)
    if (typeof head === 'string') this.#length += this.#bytes.write(head, this.#length, 'latin1')
    else this.#add(viewOf(head))
    if (bodyLength !== undefined) {
      this.#addShort(LENGTH_LINE)
      this.#addNumber(bodyLength)
    }
    if (closes) this.#addShort(CLOSE_LINE)
    this.#add(this.#endOfHead)
  }

  /** Renews the date that answers name. Called every second. */
  tick(): void {
    this.#endOfHead = endOfHead()
  }

  /** Adds bytes up to the end of its room, and returns their number. Gives everything to the system when it is full. */
  add(sender: Sender, bytes: Uint8Array): number {
    this.#serve(sender, 0)
    const count = Math.min(OUTBOX_BYTES - this.#length, bytes.length)
    this.#add(count === bytes.length ? bytes : bytes.subarray(0, count))
    if (this.#length === OUTBOX_BYTES) this.flush()
    return count
  }

  /** Gives lasting bytes to the system without a copy, behind what is gathered; returns their number. */
  pass(sender: Sender, bytes: Uint8Array): number {
    const { socket } = sender
    this.#serve(sender, 0)
    const before = this.#bytes.subarray(0, this.#length)
    this.#sender = undefined
    this.#length = 0
    const piece = bytes.length > MOST_PASSED_BYTES ? bytes.subarray(0, MOST_PASSED_BYTES) : bytes
    socket.cork()
    if (before.length > 0) socket.write(Buffer.from(before))
    socket.write(piece)
    socket.uncork()
    if (socket.writableLength > 0) sender.waitForClient()
    return piece.length
  }

  /** Turns to a sender, and makes room for a head. */
  #serve(sender: Sender, room: number): void {
    if (this.#sender !== sender || OUTBOX_BYTES - this.#length < room) this.flush()
    this.#sender = sender
  }

  #add(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** A loop takes less time than a native call for a few bytes. */
  #addShort(bytes: Uint8Array): void {
    const target = this.#bytes
    const at = this.#length
    for (let n = 0; n < bytes.length; n++) target[at + n] = bytes[n]!
    this.#length = at + bytes.length
  }

  #addNumber(value: number): void {
    let digits = 1
    for (let power = 10; power <= value; power *= 10) digits++
    let rest = value
    for (let at = this.#length + digits - 1; at >= this.#length; at--) {
      this.#bytes[at] = 48 + (rest % 10)
      rest = Math.floor(rest / 10)
    }
    this.#length += digits
  }

  /** Gives everything to the system. */
  flush(): void {
    const sender = this.#sender
    this.#sender = undefined
    const length = this.#length
    this.#length = 0
    if (sender === undefined || length === 0 || sender.socket.destroyed) return
    sender.socket.write(this.#bytes.subarray(0, length))
    if (sender.socket.writableLength === 0) return
    // The socket reads this memory until the client has taken all of it.
    this.#bytes = Buffer.allocUnsafeSlow(OUTBOX_BYTES)
    sender.waitForClient()
  }
}

const endOfHead = (): Buffer => Buffer.from(`\r\nDate: ${new Date().toUTCString()}\r\n\r\n`, 'latin1')

function viewOf(buffer: ArrayBuffer): Uint8Array {
  let view = views.get(buffer)
  if (view === undefined) {
    view = new Uint8Array(buffer)
    views.set(buffer, view)
  }
  return view
}
