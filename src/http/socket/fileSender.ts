/** Streams an open file at the client's pace, with one chunk in memory. */
import type { NativeResponse } from './driver.js'
import type { FilePart } from '../reply/reply.js'

/** The methods of a response that send bytes. */
type ByteSink = Pick<NativeResponse, 'tryEnd' | 'onWritable' | 'onAborted' | 'cork' | 'close'>

const CHUNK_BYTES = 64 * 1024

/**
 * Sends a part of a file after the headers, and closes the file. Resolves when everything is sent or the client has
 * disconnected. When the file is too short or unreadable, ends the connection and rejects.
 */
export async function sendFile(sink: ByteSink, { file, start, length }: FilePart): Promise<void> {
  const client = new Client(sink, length)
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, length))
  try {
    for (let sent = 0; sent < length && !client.isGone;) {
      const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, length - sent), start + sent)
      if (bytesRead === 0) throw new Error(`a file ended after ${start + sent} bytes`)
      await client.take(chunk.subarray(0, bytesRead), sent)
      sent += bytesRead
    }
  } catch (error) {
    client.disconnect()
    throw error
  } finally {
    await file.close()
  }
}

class Client {
  isGone = false
  readonly #sink: ByteSink
  readonly #length: number
  #wake: (() => void) | undefined

  constructor(sink: ByteSink, length: number) {
    this.#sink = sink
    this.#length = length
    sink.onAborted(() => {
      this.isGone = true
      this.#wake?.()
    })
  }

  /** Sends `bytes`, which begin at `offset` of the body. Resolves when they are sent or the client has disconnected. */
  async take(bytes: Uint8Array, offset: number): Promise<void> {
    if (this.isGone) return
    let tookAll = false
    this.#sink.cork(() => ([tookAll] = this.#sink.tryEnd(bytes, this.#length)))
    if (tookAll) return
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      this.#sink.onWritable((written) => {
        const [tookRest] = this.#sink.tryEnd(bytes.subarray(written - offset), this.#length)
        if (tookRest) resolve()
        return tookRest
      })
    })
  }

  disconnect(): void {
    if (!this.isGone) this.#sink.close()
  }
}
