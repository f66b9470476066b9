/** Reads SQL tables, as wikis publish them beside their XML dumps. */
import { DumpError } from '../dumpError.js'
import type { DumpSource } from '../openDump.js'
import { type SnapshotForm, snapshotForm } from '../snapshot/readSnapshot.js'
import { type RowTaker, SqlScanner } from './sqlScanner.js'

/** Bytes that decide what a file is: the header of a tar archive. */
const HEAD_BYTES = 512
const SQL_START =
  /^(?:\xef\xbb\xbf)?\s*(?:--|#|\/\*|(?:create|insert|replace|drop|set|lock|use|begin|start)\b)/i

/** The source, and whether it has SQL tables or a snapshot and not XML. Its stream begins at the start. */
export interface RecognisedSource {
  readonly source: DumpSource
  readonly isSql: boolean
  /** Undefined if it is no snapshot of rendered pages. */
  readonly snapshot: SnapshotForm | undefined
}

/** Reads the first bytes of a dump, and tells what it is. The returned source replaces the given one. */
export async function recognise(source: DumpSource): Promise<RecognisedSource> {
  const chunks = source.stream[Symbol.asyncIterator]()
  const begun: Buffer[] = []
  let failure: Error | undefined
  try {
    for (let length = 0; length < HEAD_BYTES; length += begun.at(-1)!.length) {
      const step = await chunks.next()
      if (step.done === true) break
      begun.push(step.value)
    }
  } catch (error) {
    // The reader of the source gets the error after the bytes before it.
    failure = error instanceof Error ? error : new Error(String(error))
  }
  const head = Buffer.concat(begun).subarray(0, HEAD_BYTES)
  return {
    source: { ...source, stream: goOn(begun, chunks, failure) },
    isSql: SQL_START.test(head.toString('latin1')),
    snapshot: snapshotForm(head),
  }
}

async function* goOn(
  begun: Buffer[],
  chunks: AsyncIterator<Buffer>,
  failure: Error | undefined,
): AsyncGenerator<Buffer, void> {
  try {
    yield* begun.splice(0)
    if (failure !== undefined) throw failure
    for (let step = await chunks.next(); step.done !== true; step = await chunks.next()) yield step.value
  } finally {
    await chunks.return?.()
  }
}

/**
 * Reads a file of SQL tables from start to end, and hands over its rows. Yields after each piece of the file, so that
 * the caller can write and show progress. Throws a DumpError where the file is damaged or cut off, after all rows
 * before that place. Memory is bounded by the longest row. The caller closes the source.
 */
export async function* readTables(source: DumpSource, taker: RowTaker): AsyncGenerator<undefined, void> {
  const scanner = new SqlScanner(taker)
  try {
    for await (const bytes of source.stream) {
      scanner.write(bytes)
      yield
    }
    scanner.end()
  } catch (error) {
    if (!(error instanceof DumpError)) throw error
    const { byteOffset } = scanner
    throw error.at({ dumpName: source.name, line: undefined, byteOffset, title: undefined })
  }
}
