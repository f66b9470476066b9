import { availableParallelism } from 'node:os'
import { DumpError } from './dumpError.js'
import { startProgram, type FilterProgram } from './filterProgram.js'

/** Decoders of bzip2: programs on PATH, or the in-process library, which is several times slower. */
export type Bzip2Decoder = 'lbzip2' | 'bzip2' | 'library'

/**
 * Unpacks bzip2 with any number of streams. `decoder` chooses the decoder; the default is the first available of
 * lbzip2, bzip2 and the library. All output before a fault is yielded before the DumpError. lbzip2 works ahead, so it
 * may withhold its last blocks.
 */
export async function* bunzip2(
  input: AsyncIterable<Buffer>,
  decoder?: Bzip2Decoder,
): AsyncGenerator<Buffer, void> {
  if (decoder === 'library') return yield* unpackInProcess(input)
  const programs = decoder === undefined ? (['lbzip2', 'bzip2'] as const) : [decoder]
  for (const program of programs) {
    const filter = await startProgram(program, programArguments(program))
    if (filter !== undefined) return yield* unpackWith(filter, input)
  }
  if (decoder !== undefined) throw new DumpError(`needs ${decoder} to be unpacked, which is not installed`)
  yield* unpackInProcess(input)
}

function programArguments(program: 'lbzip2' | 'bzip2'): string[] {
  // Leaves one processor to the XML reader. Uses at least two threads, since unpacking takes longer than reading.
  const threads = Math.max(2, availableParallelism() - 1)
  return program === 'lbzip2' ? ['-d', '-c', '-n', String(threads)] : ['-d', '-c']
}

async function* unpackWith(
  filter: FilterProgram,
  input: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void> {
  const failure = yield* filter.run(input)
  if (failure !== undefined) throw new DumpError(`the bzip2 data are damaged or cut off: ${failure}`)
}

async function* unpackInProcess(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const { default: unbzip2Stream } = await import('unbzip2-stream')
  const decoder = unbzip2Stream()
  const unpacked: Buffer[] = []
  let failure: Error | undefined
  decoder.on('data', (bytes) => unpacked.push(bytes))
  decoder.on('error', (error) => (failure = error))
  for await (const bytes of input) {
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
