import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { bunzip2, type Bzip2Decoder } from './bunzip2.js'
import { CompressedInput } from './compressedInput.js'
import { detectCompression, MAGIC_BYTES, type Compression } from './compression.js'
import { DumpError } from './dumpError.js'
import { gunzip } from './gunzip.js'

const READ_CHUNK_BYTES = 128 * 1024

export interface OpenDumpOptions {
  /** Decoder for bzip2; by default the fastest available. */
  readonly bzip2Decoder?: Bzip2Decoder
  /** Stream to read for `-`; by default the standard input of this process. */
  readonly standardInput?: Readable
}

/** An open dump, which can be read once. */
export interface DumpSource {
  /** File name without its folder, or `standard input`. */
  readonly name: string
  readonly compression: Compression
  /** Size of the file on the disk, as compressed; undefined for pipes. */
  readonly sizeBytes: number | undefined
  /** The decompressed XML. Throws a DumpError for input that cannot be read or unpacked. */
  readonly stream: AsyncIterable<Buffer>
  /** Compressed bytes read so far. */
  bytesRead(): number
  /** Decompressed bytes of XML that `stream` has yielded so far. */
  xmlBytes(): number
  /** SHA-256 of the compressed file, in hexadecimal. Throws before `stream` has ended. */
  sha256(): string
  /** Stops reading and unpacking. Idempotent. */
  close(): Promise<void>
}

/**
 * Opens a dump: plain XML, gzip or bzip2, recognised by the first bytes. `-` is standard input. Throws a DumpError if
 * the file is missing or unreadable, or has another compression.
 */
export async function openDump(path: string, options: OpenDumpOptions = {}): Promise<DumpSource> {
  const name = path === '-' ? 'standard input' : basename(path)
  try {
    const { stream, sizeBytes } =
      path === '-'
        ? { stream: options.standardInput ?? process.stdin, sizeBytes: undefined }
        : await openFile(path)
    return await openStream(stream, { name, sizeBytes }, options.bzip2Decoder)
  } catch (error) {
    const place = { dumpName: name, line: undefined, byteOffset: undefined, title: undefined }
    throw error instanceof DumpError ? error.at(place) : error
  }
}

async function openStream(
  stream: Readable,
  file: Pick<DumpSource, 'name' | 'sizeBytes'>,
  bzip2Decoder: Bzip2Decoder | undefined,
): Promise<DumpSource> {
  const input = new CompressedInput(stream)
  try {
    const compression = detectCompression(await input.peek(MAGIC_BYTES))
    const counter = { xmlBytes: 0 }
    return {
      ...file,
      compression,
      stream: counted(decompress(input, compression, bzip2Decoder), counter),
      bytesRead: () => input.bytesRead,
      xmlBytes: () => counter.xmlBytes,
      sha256: () => input.sha256(),
      close: () => input.close(),
    }
  } catch (error) {
    await input.close()
    throw error
  }
}

function decompress(
  input: AsyncIterable<Buffer>,
  compression: Compression,
  bzip2Decoder: Bzip2Decoder | undefined,
): AsyncIterable<Buffer> {
  switch (compression) {
    case 'none':
      return input
    case 'gzip':
      return gunzip(input)
    case 'bzip2':
      return bunzip2(input, bzip2Decoder)
  }
}

async function* counted(
  stream: AsyncIterable<Buffer>,
  counter: { xmlBytes: number },
): AsyncGenerator<Buffer, void> {
  for await (const bytes of stream) {
    counter.xmlBytes += bytes.length
    yield bytes
  }
}

async function openFile(path: string): Promise<{ stream: Readable; sizeBytes: number | undefined }> {
  const file = await open(path).catch((cause: unknown) => {
    throw new DumpError(openFailure(cause), {}, { cause })
  })
  const stats = await file.stat()
  if (stats.isDirectory()) {
    await file.close()
    throw new DumpError('is a folder, not a dump')
  }
  return {
    stream: file.createReadStream({ highWaterMark: READ_CHUNK_BYTES }),
    sizeBytes: stats.isFile() ? stats.size : undefined,
  }
}

function openFailure(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read: permission denied'
  return `cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}`
}
