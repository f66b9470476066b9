import { availableParallelism } from 'node:os'
import { DumpError } from './dumpError.js'
import { splitBlocks } from './bzip2/splitBlocks.js'
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
  // Behind the last stream, the library takes no further bytes, which bzip2 ignores. The splitter leaves them out.
  for await (const bytes of splitBlocks(input)) {
    decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
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
