/** Sends a body without a length, part by part, and ends a client that does not keep up. */
import type { StreamClient } from '../reply/reply.js'
import type { NativeResponse } from './driver.js'

/** Bytes that wait here for a slow client. The library holds one part more. */
const MOST_WAITING_BYTES = 256 * 1024

type PartSink = Pick<NativeResponse, 'write' | 'end' | 'onWritable' | 'onAborted' | 'cork' | 'close'>

export class StreamSender implements StreamClient {
  onEnd: () => void = () => undefined
  readonly #sink: PartSink
  readonly #ended: () => void
  readonly #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #isBlocked = false
  #isOpen = true

  constructor(sink: PartSink, ended: () => void) {
    this.#sink = sink
    this.#ended = ended
    sink.onAborted(() => this.#close())
    sink.onWritable(() => this.#goOn())
  }

  write(bytes: Uint8Array): void {
    if (!this.#isOpen) return
    if (!this.#isBlocked) {
      this.#sink.cork(() => (this.#isBlocked = !this.#sink.write(bytes)))
    } else if (this.#waitingBytes + bytes.length <= MOST_WAITING_BYTES) {
      this.#waiting.push(bytes)
      this.#waitingBytes += bytes.length
    } else {
      this.#close()
      this.#sink.close()
    }
  }

  /** What waits for a slow client is dropped. */
  end(): void {
    if (!this.#isOpen) return
    this.#close()
    this.#sink.cork(() => this.#sink.end('', true))
  }

  #goOn(): boolean {
    this.#isBlocked = false
    while (this.#waiting.length > 0 && !this.#isBlocked) {
      const bytes = this.#waiting.shift()!
      this.#waitingBytes -= bytes.length
      this.#isBlocked = !this.#sink.write(bytes)
    }
    return !this.#isBlocked
  }

  #close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.onEnd()
    this.#ended()
  }
}
