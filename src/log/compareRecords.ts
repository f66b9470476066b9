/** Compares the records of a shared log, one by one, with the entries that a store has applied. */
import { entryHash } from '../storage/entries/entries.js'
import type { LogReader } from '../storage/entries/logReader.js'
import { EngineError, LogCutError, type LogEngine, type PlacedRecord } from './logEngine.js'

type RecordSource = Pick<LogEngine, 'read' | 'record' | 'bounds'>

/** Positions, both included. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface RecordComparison {
  /** The first position where log and store have different entries; undefined: there is none. */
  readonly differsAt: number | undefined
  /**
   * Positions at which the log has no record, though they are within its bounds. A span may have some records: the
   * search for its end goes in leaps.
   */
  readonly lost: readonly Span[]
}

export const countPositions = (spans: readonly Span[]): number =>
  spans.reduce((count, { from, to }) => count + to - from + 1, 0)

/** Compares a span of the log, which must end within it. Entries that the store no longer has count as equal. */
export async function compareRecords(
  source: RecordSource,
  own: Pick<LogReader, 'hashAt'>,
  { from, to }: Span,
  signal: AbortSignal,
): Promise<RecordComparison> {
  const lost: Span[] = []
  for await (const found of recordsIn(source, { from, to }, signal)) {
    if ('from' in found) {
      lost.push(found)
      continue
    }
    const hash = own.hashAt(found.sequence)
    if (hash !== undefined && hash !== entryHash(found.bytes).toString('hex'))
      return { differsAt: found.sequence, lost }
  }
  return { differsAt: undefined, lost }
}

/** The records of a span, and the parts of it without any, in order. */
async function* recordsIn(
  source: RecordSource,
  { from, to }: Span,
  signal: AbortSignal,
): AsyncGenerator<PlacedRecord | Span, void> {
  for (let at = from - 1; at < to && !signal.aborted;) {
    try {
      for await (const { records } of source.read(at, signal))
        for (const record of records) {
          if (record.sequence > to) return
          yield record
          at = record.sequence
          if (at === to) return
        }
    } catch (error) {
      if (!(error instanceof LogCutError || error instanceof EngineError)) throw error
      // Engines word a hole in different ways.
      if ((await source.record(at + 1)) !== undefined) throw error
      const { first, last } = await source.bounds()
      if (last < to) throw error
      const next = await nextRecord(source, at + 1, to)
      // Retention may have cut the log meanwhile.
      if (next > first) yield { from: Math.max(first, at + 1), to: next - 1 }
      at = next - 1
    }
  }
}

/** Position of a record after a missing one, with none right before it. The position after `to` if none is found. */
async function nextRecord(source: RecordSource, missing: number, to: number): Promise<number> {
  let before = missing
  let after = missing
  for (let step = 1; ; step *= 2) {
    after = Math.min(to, after + step)
    if ((await source.record(after)) !== undefined) break
    if (after === to) return to + 1
    before = after
  }
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if ((await source.record(middle)) === undefined) before = middle
    else after = middle
  }
  return after
}
