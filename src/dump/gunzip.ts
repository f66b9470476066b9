import { createGunzip, type Gunzip } from 'node:zlib'
import { DumpError } from './dumpError.js'

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
