/**
 * A durable, ordered log of changes that several machines share, and whose copies of the wiki apply it. An engine
 * carries its records: the rows that each machine keeps in its log.
 */
import { entryFault, isShareable } from '../storage/apply/entryKinds.js'
import { encodeEntry, entryHash, type Entry, type LoggedEntry } from '../storage/entries/entries.js'
import type { LogMark, LogReader } from '../storage/entries/logReader.js'
import { compareRecords, type RecordComparison, type Span } from './compareRecords.js'
import { type LogBounds, type LogEngine, type LogRecord, type RecordBatch } from './logEngine.js'

/** Largest record. A text of 2 MiB that cannot be compressed, with its head, is smaller. */
export const MAX_RECORD_BYTES = 4 * 2 ** 20

/**
 * State of the log relative to the last position that a store has applied:
 *
 *     same        its entries agree up to there: the store only has to read on
 *     behind      it ends before the position: it lost entries, or is another log
 *     truncated   it no longer has the next entries: the store needs a newer copy
 *     forked      its entries differ up to there: the store belongs to another log
 */
export type LogState = 'same' | 'behind' | 'truncated' | 'forked'

export type Compared =
  /** `hasLost`: the log has lost the record at the position. */
  | { readonly state: 'same'; readonly bounds: LogBounds; readonly hasLost?: true }
  | { readonly state: Exclude<LogState, 'same'> }

/** The entry is malformed, or of a kind that this log cannot have. */
export class EntryRefusedError extends Error {
  override readonly name = 'EntryRefusedError'
}

const FORKED = { state: 'forked' } as const

export class SharedLog {
  readonly #engine: LogEngine
  /** Of the log that the reader's store belongs to. */
  readonly #epoch: string
  readonly #closing = new AbortController()

  constructor(engine: LogEngine, epoch: string) {
    this.#engine = engine
    this.#epoch = epoch
  }

  /**
   * Adds entries, and resolves with their positions, in their order, once all are durable. An entry that is already in
   * the log keeps its first position.
   */
  async append(records: readonly LogRecord[]): Promise<readonly number[]> {
    return records.length === 0 ? [] : this.#engine.append(records)
  }

  /**
   * The entries after a position, in order. Waits for new ones until the log closes or the signal aborts; a batch may
   * be empty meanwhile. Throws a LogCutError when the log no longer has the next entry.
   */
  read(after: number, signal?: AbortSignal): AsyncIterable<RecordBatch> {
    const ends = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])])
    return this.#engine.read(after, ends)
  }

  /** Compares the log with what a store has applied. One of another epoch is `forked`, and so is one that is gone. */
  async compare(at: LogMark): Promise<Compared> {
    const origin = await this.#engine.origin()
    if (origin?.epoch !== this.#epoch) return FORKED
    const bounds = await this.#engine.bounds()
    const { first, last } = bounds
    const same = { state: 'same', bounds } as const
    if (at.sequence > last) return { state: 'behind' }
    if (at.sequence < first - 1) return at.sequence < origin.sequence ? FORKED : { state: 'truncated' }
    if (at.sequence === origin.sequence) return at.digest === origin.digest ? same : FORKED
    // Nothing is left of the log to compare with. Entries that follow still tell what their authors have seen.
    if (at.sequence < first || at.entryHash === undefined) return same
    const record = await this.#engine.record(at.sequence)
    if (record === undefined) return { ...same, hasLost: true }
    return entryHash(record).toString('hex') === at.entryHash ? same : FORKED
  }

  /** Compares the records of a span that ends within the log with the entries of a store. */
  compareRecords(own: Pick<LogReader, 'hashAt'>, span: Span): Promise<RecordComparison> {
    return compareRecords(this.#engine, own, span, this.#closing.signal)
  }

  async has(sequence: number): Promise<boolean> {
    return (await this.#engine.record(sequence)) !== undefined
  }

  bounds(): Promise<LogBounds> {
    return this.#engine.bounds()
  }

  /** Removes entries that are older than the engine keeps them. */
  prune(): Promise<number> {
    return this.#engine.prune()
  }

  /** Ends all reads. Safe to call twice. */
  close(): Promise<void> {
    this.#closing.abort()
    return this.#engine.close()
  }
}

/** The record of an entry. Throws an EntryRefusedError. */
export function recordOf(entry: Entry | LoggedEntry): LogRecord & { readonly bytes: Buffer } {
  const fault = entry.original === undefined ? entryFault(entry as Entry) : undefined
  if (fault !== undefined) throw new EntryRefusedError(`not an entry of the log: ${fault}`)
  if (!isShareable(entry.kind))
    throw new EntryRefusedError(
      `an entry of the kind "${entry.kind}" cannot be in a shared log: ` +
        'import on one machine outside of the cluster, then found a new one with its store',
    )
  const bytes = encodeEntry(entry)
  if (bytes.length > MAX_RECORD_BYTES)
    throw new EntryRefusedError(`an entry of ${bytes.length} bytes is too large for a shared log`)
  return { id: entry.id, bytes }
}
