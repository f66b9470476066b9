/**
 * A durable, ordered log of changes that every copy of the wiki applies. The store of one machine keeps its own
 * (LocalLog). Several machines share one (SharedLog), which an engine carries.
 */
import type { Entry, PlacedEntry } from '../storage/entries/entries.js'
import type { LogMark } from '../storage/entries/logReader.js'
import type { LogBounds } from './logEngine.js'

/** Entries right after those of the batch before. Positions have no holes. */
export interface LogBatch {
  readonly items: readonly PlacedEntry[]
  /** Position of the last entry that the log is known to have. */
  readonly last: number
}

/**
 * State of the log relative to the last position that a store has applied:
 *
 *     same        its entries agree up to there: the store only has to read on
 *     behind      it ends before the position: it lost entries, or is another log
 *     truncated   it no longer has the next entries: the store needs a newer copy
 *     forked      its entries differ up to there: the store belongs to another log
 */
export type LogState = 'same' | 'behind' | 'truncated' | 'forked'

export interface EditLog {
  /**
   * Adds entries, and resolves with their positions, in their order, once all are durable. An entry that is already in
   * the log keeps its first position. Throws an EntryRefusedError, and adds none, if one cannot be in this log.
   */
  append(entries: readonly Entry[]): Promise<readonly number[]>
  /**
   * The entries after a position, in order. Waits for new ones until the log closes or the signal aborts; a batch may
   * be empty meanwhile. Throws a LogCutError when the log no longer has the next entry.
   */
  read(after: number, signal?: AbortSignal): AsyncIterable<LogBatch>
  /** Compares the log with what a store has applied. */
  check(at: LogMark): Promise<LogState>
  bounds(): Promise<LogBounds>
  /** Ends all reads. Safe to call twice. */
  close(): Promise<void>
}

/** The log no longer has the next entries after a position. */
export class LogCutError extends Error {
  override readonly name = 'LogCutError'
}

/** The entry is malformed, or of a kind that this log cannot have. */
export class EntryRefusedError extends Error {
  override readonly name = 'EntryRefusedError'
}
