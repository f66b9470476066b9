import { createHash } from 'node:crypto'
import { addAbortSignal, type Readable } from 'node:stream'
import { DumpError } from './dumpError.js'

/** The bytes of a dump from the disk or from standard input, counted and hashed as they pass. */
export class CompressedInput {
  #bytesRead = 0
  #sha256: string | undefined
  readonly #hash = createHash('sha256')
  readonly #peeked: Buffer[] = []
  readonly #stream: Readable
  readonly #chunks: AsyncIterator<Buffer>
  readonly #signal: AbortSignal | undefined

  /** The signal ends all reads, also those that wait for bytes. They throw its reason. */
  constructor(stream: Readable, signal?: AbortSignal) {
    this.#stream = stream
    this.#signal = signal
    if (signal !== undefined) addAbortSignal(signal, stream)
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  get bytesRead(): number {
    return this.#bytesRead
  }

  /** Digest of all bytes, in hexadecimal. Throws if the input is not read to its end. */
  sha256(): string {
    if (this.#sha256 === undefined) throw new Error('the input was not read to its end')
    return this.#sha256
  }

  /** The first bytes, at least `length` unless the input is shorter. Iteration returns them again. */
  async peek(length: number): Promise<Buffer> {
    while (this.#peeked.reduce((sum, chunk) => sum + chunk.length, 0) < length) {
      const chunk = await this.#next()
      if (chunk === undefined) break
      this.#peeked.push(chunk)
    }
    return Buffer.concat(this.#peeked)
  }

  /** Throws a DumpError when the input cannot be read further. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void> {
    yield* this.#peeked.splice(0)
    for (let chunk = await this.#next(); chunk !== undefined; chunk = await this.#next()) yield chunk
  }

  /** Settles when the file is closed. */
  close(): Promise<void> {
    if (this.#stream.closed) return Promise.resolve()
    return new Promise((resolve) => this.#stream.once('close', resolve).destroy())
  }

  async #next(): Promise<Buffer | undefined> {
    const step = await this.#chunks.next().catch((cause: unknown) => {
      this.#signal?.throwIfAborted()
      if (cause instanceof DumpError) throw cause
      throw new DumpError(
        `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
        {},
        { cause },
      )
    })
    if (step.done === true) {
      this.#sha256 ??= this.#hash.digest('hex')
      return undefined
    }
    this.#bytesRead += step.value.length
    this.#hash.update(step.value)
    return step.value
  }
}
