/**
 * A durable, ordered log of changes that every copy of the wiki applies. The store of one machine keeps its own
 * (LocalLog); a log shared by several machines would be another driver of this interface.
 */
import type { Entry, LoggedEntry } from '../storage/entries.js'
import type { Position } from '../storage/meta.js'

/** An entry and its position, from 1; positions have no holes. */
export interface LogItem {
  readonly sequence: number
  readonly entry: LoggedEntry
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
   * Adds an entry, and resolves with its position once it is durable. An entry that is already in the log keeps its
   * first position. Throws for an entry without a valid id.
   */
  append(entry: Entry): Promise<number>
  /**
   * The items after a position, in order. Waits for new ones until the log closes or the signal aborts. Throws a
   * LogCutError when the log no longer has the next item.
   */
  read(after: number, signal?: AbortSignal): AsyncIterable<LogItem>
  check(at: Position): Promise<LogState>
  /** Positions of the first and last entry; an empty log has `last` = `first` - 1. */
  bounds(): Promise<{ readonly first: number; readonly last: number }>
  /** Ends all reads. Safe to call twice. */
  close(): Promise<void>
}

/** The log no longer has the next entries after a position. */
export class LogCutError extends Error {
  override readonly name = 'LogCutError'
}
