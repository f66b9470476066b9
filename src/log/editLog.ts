/**
 * A durable log of changes in one order, which every copy of the wiki applies. The store of one machine has its own
 * (LocalLog); an engine between several machines is another driver of the same interface.
 */
import type { Entry, LoggedEntry } from '../storage/entries.js'
import type { Position } from '../storage/meta.js'

/** An entry and its position, from 1; positions have no holes. */
export interface LogItem {
  readonly sequence: number
  readonly entry: LoggedEntry
}

/**
 * What a log says to a store at a position:
 *
 *     same        it goes through the position: the store only has to read on
 *     behind      it ends before the position: it has lost entries, or is another log
 *     truncated   entries behind the position were cut off: the store needs a newer copy
 *     forked      it has other entries: the store belongs to another log
 */
export type LogState = 'same' | 'behind' | 'truncated' | 'forked'

export interface EditLog {
  /**
   * Adds an entry, and resolves with its position once it is durable. An entry that is in the log already keeps its
   * first position. Throws for an entry without a valid id.
   */
  append(entry: Entry): Promise<number>
  /**
   * The items behind a position, in order; waits for new ones until the log is closed or the signal aborts. Throws a
   * LogCutError when the next item was cut off.
   */
  read(after: number, signal?: AbortSignal): AsyncIterable<LogItem>
  check(at: Position): Promise<LogState>
  /** Positions of the first and last entry; an empty log has `last` = `first` - 1. */
  bounds(): Promise<{ readonly first: number; readonly last: number }>
  /** Ends all reads. Safe to call twice. */
  close(): Promise<void>
}

/** The entries behind a position are no longer in the log. */
export class LogCutError extends Error {
  override readonly name = 'LogCutError'
}
