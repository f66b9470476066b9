/** Answers that clients do not take at once: bounded for each, and together. */
import type { NativeResponse } from './driver.js'
import type { InFlight } from './inFlight.js'

export class SlowAnswers {
  readonly #mostBytes: number
  readonly #requests: InFlight
  #waitingBytes = 0

  /** `requests` counts the answers that wait among what is under way. */
  constructor(mostBytes: number, requests: InFlight) {
    this.#mostBytes = mostBytes
    this.#requests = requests
  }

  /** Bytes that clients have not taken yet. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /**
   * Sends what the socket takes, and the rest when it takes more. `end` would keep the rest of every answer in memory,
   * for as many requests as a client sends without reading; this way the library closes the connection of a client
   * that asks on before it has read, or lets it wait. When slow clients have too much waiting together, the next one
   * loses its connection.
   */
  send(response: NativeResponse, body: Uint8Array | ArrayBuffer): void {
    const length = body.byteLength
    const [, isDone] = response.tryEnd(body, length)
    if (isDone) return
    const sent = response.getWriteOffset()
    const restBytes = length - sent
    if (this.#waitingBytes + restBytes > this.#mostBytes) {
      response.close()
      return
    }
    this.#waitingBytes += restBytes
    // A copy: the body may be the next answer's memory.
    const rest = new Uint8Array(body instanceof ArrayBuffer ? body.slice(sent) : body.subarray(sent))
    const finish = (): void => {
      this.#waitingBytes -= restBytes
      this.#requests.done()
    }
    this.#requests.add()
    response.onAborted(finish)
    response.onWritable((offset) => {
      const [takesMore, hasEnded] = response.tryEnd(rest.subarray(offset - sent), length)
      if (hasEnded) finish()
      return takesMore
    })
  }
}
