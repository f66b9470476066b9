/** Answers to slow clients: one at a time per connection, with a memory limit for all together. */
import type { NativeResponse } from './driver.js'
import type { InFlight } from './inFlight.js'

export class SlowAnswers {
  readonly #mostBytes: number
  readonly #requests: InFlight
  #waitingBytes = 0

  /** `requests` counts waiting answers as open requests. */
  constructor(mostBytes: number, requests: InFlight) {
    this.#mostBytes = mostBytes
    this.#requests = requests
  }

  /** Bytes that clients have not accepted yet. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /**
   * Sends as much as the socket accepts, and the rest later. `end` would buffer the rest of every answer, for as many
   * requests as a client sends without reading. With `tryEnd`, the library makes a client that sends further requests
   * wait, or closes its connection. When all slow clients together exceed the memory limit, the next one loses its
   * connection.
   */
  send(response: NativeResponse, body: Uint8Array, isLasting = false): void {
    const length = body.byteLength
    const [, isDone] = response.tryEnd(body, length, isLasting)
    if (isDone) return
    const sent = response.getWriteOffset()
    const restBytes = length - sent
    if (this.#waitingBytes + restBytes > this.#mostBytes) {
      response.close()
      return
    }
    this.#waitingBytes += restBytes
    const left = body.subarray(sent)
    const rest = isLasting ? left : new Uint8Array(left)
    const finish = (): void => {
      this.#waitingBytes -= restBytes
      this.#requests.done()
    }
    this.#requests.add()
    response.onAborted(finish)
    response.onWritable((offset) => {
      const [takesMore, hasEnded] = response.tryEnd(rest.subarray(offset - sent), length, true)
      if (hasEnded) finish()
      return takesMore
    })
  }
}
