/**
 * What a server that several machines can reach gives to carry the log of a wiki: a durable, ordered list of records. A
 * record is a log row (`encodeEntry`): engines store its bytes and never look inside.
 */

import type { LogOrigin } from '../storage/tables/meta.js'

/** The first record has the position after `sequence`. */
export type { LogOrigin } from '../storage/tables/meta.js'

export interface LogRecord {
  /** Id of the entry, 32 hex digits. */
  readonly id: string
  readonly bytes: Uint8Array
}

export interface PlacedRecord {
  readonly sequence: number
  readonly bytes: Buffer
}

export interface RecordBatch {
  /** In order, without holes, right after those of the batch before. Empty: nothing new, and the engine is alive. */
  readonly records: readonly PlacedRecord[]
  /** Position of the last record that the engine is known to have. */
  readonly last: number
}

/** Positions of the first and last record; an empty log has `last` = `first` - 1. */
export interface LogBounds {
  readonly first: number
  readonly last: number
}

export interface LogEngine {
  /** For log lines: kind, version and address, without secrets. */
  readonly description: string
  /** Makes the log. Throws a LogExistsError if there is one already. */
  create(origin: LogOrigin): Promise<void>
  /** Undefined: there is no log. */
  origin(): Promise<LogOrigin | undefined>
  /**
   * Adds records, and resolves with their positions, in their order, once all are durable. A record whose id the engine
   * still remembers keeps its first position. Throws an EngineError: then each record may be in the log, or get there
   * later, and may be appended again.
   */
  append(records: readonly LogRecord[]): Promise<readonly number[]>
  /**
   * The records after a position. Yields at least every two seconds while the engine is alive, also without new
   * records. Ends when the signal aborts. Throws an EngineError when the connection is lost or falls silent: the
   * caller checks the log, and reads again. Throws a LogCutError when the next record is gone.
   */
  read(after: number, signal: AbortSignal): AsyncIterable<RecordBatch>
  /** The record at a position; undefined if it is cut off, or not there yet. */
  record(sequence: number): Promise<Buffer | undefined>
  bounds(): Promise<LogBounds>
  /**
   * Puts back records that the engine has lost, at their own positions. Throws a LogTakenError, and adds nothing from
   * there on, if another record has the position.
   */
  restore(records: readonly (LogRecord & { readonly sequence: number })[]): Promise<void>
  /** Removes records that are older than the retention, and returns their number. */
  prune(): Promise<number>
  /** Removes the log with all its records. */
  drop(): Promise<void>
  /** What an operator should change: settings with which acknowledged records can be lost, for example. */
  warnings(): Promise<readonly string[]>
  /** Ends all reads and connections. Safe to call twice. */
  close(): Promise<void>
}

/** The engine cannot be reached, or does not answer in time, or refuses. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
}

/** The engine cannot be used at all: too old, a wrong setting, a missing right or package. */
export class UnusableEngineError extends Error {
  override readonly name = 'UnusableEngineError'
}

/** The log no longer has the next entries after a position. */
export class LogCutError extends Error {
  override readonly name = 'LogCutError'
}

export class LogExistsError extends Error {
  override readonly name = 'LogExistsError'
}

/** Another record has the position. */
export class LogTakenError extends Error {
  override readonly name = 'LogTakenError'
}
