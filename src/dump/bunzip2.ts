import { availableParallelism } from 'node:os'
import { DumpError } from './dumpError.js'
import { startProgram, type FilterProgram } from './filterProgram.js'

/** What unpacks bzip2: a program on PATH, or the library in this process, which takes several times as long. */
export type Bzip2Decoder = 'lbzip2' | 'bzip2' | 'library'

/**
 * Unpacks bzip2, streams one after the other. `decoder` names what does it; by default the first that is installed of
 * lbzip2, bzip2 and the library. What was unpacked before a fault is yielded before the DumpError is thrown; lbzip2
 * works ahead and may keep its last blocks back.
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
  // One processor is left to the reader of the XML; two threads at least, as unpacking takes longer than reading.
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
    // The library says of cut-off data only that it missed a property; its other messages speak of checksums.
    const detail = failure instanceof TypeError ? 'they end early' : failure.message
    throw new DumpError(`the bzip2 data are damaged or cut off: ${detail}`, {}, { cause: failure })
  }
}
