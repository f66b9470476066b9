/**
 * Memory in which answers are put together before they go to the system, one for all connections. Answers to pipelined
 * requests, and head and body of each, leave in one write.
 */
import type { Socket } from 'node:net'
import type { Ascii } from '../driver.js'

/** Also the most that a client who does not read keeps in memory here. */
export const OUTBOX_BYTES = 64 * 1024
const STATUS_LINE = 'HTTP/1.1 '

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

  /** Adds the head of an answer: the status with its reason and header lines, and more header lines. */
  addHead(sender: Sender, head: Ascii, lines: string): void {
    const headLength = typeof head === 'string' ? head.length : head.byteLength
    this.#serve(sender, STATUS_LINE.length + headLength + lines.length + this.#endOfHead.length)
    this.#addText(STATUS_LINE)
    if (typeof head === 'string') this.#addText(head)
    else this.#add(viewOf(head))
    if (lines !== '') this.#addText(lines)
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

  /** Turns to a sender, and makes room for a head. */
  #serve(sender: Sender, room: number): void {
    if (this.#sender !== sender || OUTBOX_BYTES - this.#length < room) this.flush()
    this.#sender = sender
  }

  #add(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  #addText(text: string): void {
    this.#length += this.#bytes.write(text, this.#length, 'latin1')
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
