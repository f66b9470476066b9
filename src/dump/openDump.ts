import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { bunzip2, type Bzip2Decoder } from './bunzip2.js'
import { CompressedInput, gunzip } from './compressedInput.js'
import { DumpError } from './dumpError.js'
import { openSevenZip } from './sevenZip.js'
import { unpackByProgram } from './unpackPrograms.js'
import { isWebAddress, openWebFile, type WebFileOptions } from './webFile.js'

const READ_CHUNK_BYTES = 128 * 1024
/** Interval of the tries to end the wait for a named pipe. */
const RETRY_MS = 20

/** A format, recognised by the first bytes of the input and not by a file name. */
export type Compression = 'none' | 'gzip' | 'bzip2' | 'zstd' | 'xz' | '7z'

/** Bytes that `detectCompression` needs, unless the input is shorter. */
const MAGIC_BYTES = 6
const READABLE: readonly (readonly [magic: string, compression: Compression])[] = [
  ['1f8b', 'gzip'],
  ['425a68', 'bzip2'],
  ['28b52ffd', 'zstd'],
  ['fd377a585a00', 'xz'],
  ['377abcaf271c', '7z'],
]
const ZIP = '504b0304'

export interface OpenDumpOptions {
  /** Decoder for bzip2; by default the fastest available. */
  readonly bzip2Decoder?: Bzip2Decoder
  /** Stream to read for `-`; by default the standard input of this process. */
  readonly standardInput?: Readable
  /** Ends all waiting for the input: the opening and `stream` throw its reason. */
  readonly signal?: AbortSignal | undefined
  readonly web?: WebFileOptions
}

/** An open dump, which can be read once. */
export interface DumpSource {
  /** See `dumpName`. */
  readonly name: string
  readonly compression: Compression
  /** Size of the compressed file; undefined for pipes, and for servers that do not tell it. */
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

/** File name without its folder, of a path or URL; `standard input` for `-`. */
export function dumpName(path: string): string {
  if (path === '-') return 'standard input'
  if (!isWebAddress(path) || !URL.canParse(path)) return basename(path)
  const { pathname, host } = new URL(path)
  return basename(pathname) || host
}

/**
 * Opens a dump, from a path or a URL (http, https); `-` is standard input. It is plain XML, or compressed in a way that
 * its first bytes tell. Throws a DumpError if the file is missing or unreadable, or cannot be unpacked here.
 */
export async function openDump(path: string, options: OpenDumpOptions = {}): Promise<DumpSource> {
  const name = dumpName(path)
  try {
    const input = await openInput(path, options)
    return await openStream(input, name, options)
  } catch (error) {
    const place = { dumpName: name, line: undefined, byteOffset: undefined, title: undefined }
    throw error instanceof DumpError ? error.at(place) : error
  }
}

interface Input {
  readonly stream: Readable
  readonly sizeBytes: number | undefined
  /** Undefined unless the input is a file. */
  readonly path?: string
}

async function openInput(
  path: string,
  { standardInput = process.stdin, signal, web }: OpenDumpOptions,
): Promise<Input> {
  if (path === '-') return { stream: standardInput, sizeBytes: undefined }
  if (!isWebAddress(path)) return { ...(await openFile(path, signal)), path }
  const { chunks, sizeBytes } = await openWebFile(path, { ...web, signal })
  return { stream: Readable.from(chunks), sizeBytes }
}

async function openStream(
  { stream, sizeBytes, path }: Input,
  name: string,
  { bzip2Decoder, signal }: OpenDumpOptions,
): Promise<DumpSource> {
  const input = new CompressedInput(stream, signal)
  try {
    const compression = detectCompression(await input.peek(MAGIC_BYTES))
    const counter = { xmlBytes: 0 }
    const stop = new AbortController()
    const unpacked =
      compression === '7z'
        ? await unpackArchive(input, path, { sizeBytes, counter, signal: stop.signal })
        : {
            stream: decompress(input, compression, { bzip2Decoder, signal: stop.signal }),
            bytesRead: () => input.bytesRead,
          }
    return {
      name,
      sizeBytes,
      compression,
      stream: counted(unpacked.stream, counter),
      bytesRead: unpacked.bytesRead,
      xmlBytes: () => counter.xmlBytes,
      sha256: () => input.sha256(),
      close: () => {
        stop.abort()
        return input.close()
      },
    }
  } catch (error) {
    await input.close()
    throw error
  }
}

type Unpacked = Pick<DumpSource, 'stream' | 'bytesRead'>

/** The program that unpacks reads the file for itself, so how far it has come is estimated from its output. */
async function unpackArchive(
  input: CompressedInput,
  path: string | undefined,
  {
    sizeBytes = 0,
    counter,
    signal,
  }: {
    readonly sizeBytes: number | undefined
    readonly counter: { xmlBytes: number }
    readonly signal: AbortSignal
  },
): Promise<Unpacked> {
  if (path === undefined) {
    throw new DumpError(
      'is a 7z archive, which can be read from a file only: save it, or pipe the XML in with "-"',
    )
  }
  const { stream, unpackedBytes } = await openSevenZip(path, signal)
  return {
    stream: hashing(input, stream),
    bytesRead: () => Math.floor(sizeBytes * Math.min(1, counter.xmlBytes / Math.max(1, unpackedBytes))),
  }
}

/** Reads the compressed file for its digest, after what it unpacks to. */
async function* hashing(
  input: AsyncIterable<Buffer>,
  stream: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void> {
  yield* stream
  for await (const _bytes of input);
}

/** Throws a DumpError for zip archives, which this server cannot read. Treats everything unknown as plain XML. */
function detectCompression(head: Buffer): Compression {
  const hex = head.toString('hex', 0, MAGIC_BYTES)
  if (hex.startsWith(ZIP)) {
    throw new DumpError('is packed with zip: unpack it and import the XML, or pipe the XML in with "-"')
  }
  return READABLE.find(([magic]) => hex.startsWith(magic))?.[1] ?? 'none'
}

function decompress(
  input: AsyncIterable<Buffer>,
  compression: Exclude<Compression, '7z'>,
  { bzip2Decoder, signal }: { readonly bzip2Decoder: Bzip2Decoder | undefined; readonly signal: AbortSignal },
): AsyncIterable<Buffer> {
  switch (compression) {
    case 'none':
      return input
    case 'gzip':
      return gunzip(input)
    case 'bzip2':
      return bunzip2(input, bzip2Decoder, signal)
    case 'zstd':
    case 'xz':
      return unpackByProgram(input, compression, signal)
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

async function openFile(
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ stream: Readable; sizeBytes: number | undefined }> {
  const file = await openPath(path, signal).catch((cause: unknown) => {
    throw new DumpError(openFailure(cause), {}, { cause })
  })
  if (signal?.aborted === true) await file.close()
  signal?.throwIfAborted()
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

/** The system opens a named pipe once somebody writes to it. After the signal, this process does. */
async function openPath(path: string, signal: AbortSignal | undefined): Promise<FileHandle> {
  if (signal === undefined || !(await stat(path)).isFIFO()) return open(path)
  let waits = true
  const endWait = async (): Promise<void> => {
    while (waits) await writeNothing(path)
  }
  const onAbort = (): void => void endWait()
  signal.addEventListener('abort', onAbort)
  try {
    signal.throwIfAborted()
    return await open(path)
  } finally {
    waits = false
    signal.removeEventListener('abort', onAbort)
  }
}

/** Opens a named pipe to write, and closes it. Nothing happens if no reader has it or waits for it. */
async function writeNothing(path: string): Promise<void> {
  try {
    const pipe = await open(path, constants.O_WRONLY | constants.O_NONBLOCK)
    await pipe.close()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENXIO')) throw error
    await sleep(RETRY_MS)
  }
}

function openFailure(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read: permission denied'
  return `cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}`
}
