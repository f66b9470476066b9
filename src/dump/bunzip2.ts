import { availableParallelism } from 'node:os'
import { DumpError } from './dumpError.js'
import { startProgram } from './filterProgram.js'

/** Decoders of bzip2: programs on PATH, or the in-process library, which is several times slower. */
export type Bzip2Decoder = 'lbzip2' | 'bzip2' | 'library'

/**
 * Unpacks bzip2 with any number of streams. `decoder` chooses the decoder. The default is the first available of
 * lbzip2, bzip2 and the library. All output before a fault is yielded before the DumpError. lbzip2 works ahead in
 * threads, so it may withhold its last blocks. The signal ends programs.
 */
export async function* bunzip2(
  input: AsyncIterable<Buffer>,
  decoder?: Bzip2Decoder,
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void> {
  if (decoder === 'library') return yield* unpackInProcess(input)
  const programs = decoder === undefined ? (['lbzip2', 'bzip2'] as const) : [decoder]
  for (const program of programs) {
    const filter = await startProgram(program, programArguments(program), signal)
    if (filter === undefined) continue
    const failure = yield* filter.run(input)
    if (failure !== undefined) throw new DumpError(`the bzip2 data are damaged or cut off: ${failure}`)
    return
  }
  if (decoder !== undefined) throw new DumpError(`needs ${decoder} to be unpacked, which is not installed`)
  yield* unpackInProcess(input)
}

/** One thread unpacks some 40 MB/s, and an import takes half of that. A second one needs a third processor. */
const threads = (): number => (availableParallelism() > 2 ? 2 : 1)

const programArguments = (program: 'lbzip2' | 'bzip2'): string[] =>
  program === 'lbzip2' ? ['-d', '-c', '-n', String(threads())] : ['-d', '-c']

async function* unpackInProcess(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const { default: unbzip2Stream } = await import('unbzip2-stream')
  const decoder = unbzip2Stream()
  const unpacked: Buffer[] = []
  let failure: Error | undefined
  decoder.on('data', (bytes) => unpacked.push(bytes))
  decoder.on('error', (error) => (failure = error))
  for await (const bytes of streamsOf(input)) {
    decoder.write(bytes)
    yield* unpacked.splice(0)
    if (failure !== undefined) break
  }
  if (failure === undefined) decoder.end()
  yield* unpacked.splice(0)
  if (failure !== undefined) {
    // For cut-off data the library only reports a missing property. Its other messages are about checksums.
    const detail = failure instanceof TypeError ? 'they end early' : failure.message
    throw new DumpError(`the bzip2 data are damaged or cut off: ${detail}`, {}, { cause: failure })
  }
}

const HEADER_BYTES = 4
const HEADER = /^BZh[1-9]$/
/** Marks the end of a stream, at any bit: the digits of the square root of pi. A checksum of 32 bits follows. */
const END = 0x177245385090n
const MARK_MASK = 2n ** 48n - 1n
const END_BYTES = 10
/** A few bytes may be a hundred blocks of 900,000 bytes. The library unpacks all that it is given at once. */
const PIECE_BYTES = 1024

/**
 * The bytes of all streams, in small pieces, without those behind the last stream: bzip2 ignores them, and the library
 * takes no further bytes. The library needs the header of a stream in one piece.
 */
async function* streamsOf(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let waiting: Buffer = Buffer.alloc(0)
  let [isFirst, isInside, isOver] = [true, false, false]
  for await (const bytes of input) {
    // Read the rest too, which the caller counts and hashes.
    if (isOver) continue
    waiting = Buffer.concat([waiting, bytes])
    while (!isOver && waiting.length >= HEADER_BYTES + END_BYTES) {
      isOver = !isInside && !isFirst && !HEADER.test(waiting.toString('latin1', 0, HEADER_BYTES))
      if (isOver) break
      const end = endOfStream(waiting)
      const whole = waiting.subarray(0, end ?? waiting.length - END_BYTES)
      yield* piecesOf(whole)
      waiting = waiting.subarray(whole.length)
      isInside = end === undefined
      isFirst = false
    }
  }
  const isHeader = isFirst || HEADER.test(waiting.toString('latin1', 0, HEADER_BYTES))
  if (!isOver && (isInside || isHeader)) yield waiting
}

function* piecesOf(bytes: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

/** For each pair of bytes 1 if they can be the second and third byte around the mark of an end. */
const hints = new Uint8Array(0x10000)
for (let bit = 24n; bit < 32n; bit++) hints[Number((END >> bit) & 0xffffn)] = 1

/** The byte after the first end of a stream; undefined if there is none. */
function endOfStream(bytes: Buffer): number | undefined {
  for (let at = 0; at + END_BYTES <= bytes.length; at++) {
    if (hints[(bytes[at + 1]! << 8) | bytes[at + 2]!] === 0) continue
    const around = BigInt(`0x${bytes.toString('hex', at, at + 7)}`)
    for (let bit = 0n; bit < 8n; bit++) {
      const end = at + END_BYTES + (bit === 0n ? 0 : 1)
      if (((around >> (8n - bit)) & MARK_MASK) === END && end <= bytes.length) return end
    }
  }
  return undefined
}
