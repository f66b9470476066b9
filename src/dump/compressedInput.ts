import { createHash } from 'node:crypto'
import { addAbortSignal, type Readable } from 'node:stream'
import { DumpError } from './dumpError.js'
import { createGunzip, type Gunzip } from 'node:zlib'

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

/**
 * The decoder gets the input in slices, so that a slice of a hostile file unpacks to some 30 MiB (deflate: 1032 to 1).
 */
const SLICE_BYTES = 32 * 1024
const OUTPUT_CHUNK_BYTES = 128 * 1024

/**
 * Unpacks gzip with any number of members. The next slice is unpacked on another thread while the caller works on the
 * last one. A truncated file yields everything that arrived before the DumpError. Damaged data may lose up to the last
 * 128 KiB before the fault.
 */
export async function* gunzip(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const decoder = createGunzip({ chunkSize: OUTPUT_CHUNK_BYTES })
  // Read without pauses, since a decoder that fails throws away its buffered output.
  const unpacked: Buffer[] = []
  let failure: Error | undefined
  decoder.on('data', (bytes: Buffer) => unpacked.push(bytes))
  decoder.on('error', (error: Error) => (failure = error))
  const closed = new Promise((resolve) => decoder.once('close', resolve))
  try {
    let written: Promise<void> = Promise.resolve()
    for await (const slice of slices(input)) {
      await written
      if (failure !== undefined) break
      const ready = unpacked.splice(0)
      written = write(decoder, slice)
      yield* ready
    }
    await written
    decoder.end()
    await closed
    yield* unpacked.splice(0)
    if (failure !== undefined) throw gzipError(failure)
  } finally {
    decoder.destroy()
  }
}

async function* slices(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  for await (const bytes of input) {
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      yield bytes.subarray(start, start + SLICE_BYTES)
    }
  }
}

/**
 * Settles when the slice is unpacked, or when the decoder closes. A failed decoder emits `error` without a callback.
 */
function write(decoder: Gunzip, slice: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      decoder.off('close', settle)
      resolve()
    }
    decoder.on('close', settle).write(slice, settle)
  })
}

function gzipError(cause: Error): DumpError {
  const cutOff = 'code' in cause && cause.code === 'Z_BUF_ERROR'
  return new DumpError(
    cutOff ? 'the gzip data end early: the file is cut off' : `the gzip data are damaged: ${cause.message}`,
    {},
    { cause },
  )
}
