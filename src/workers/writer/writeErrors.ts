/** Why an entry has no verdict. */
import { DiskFullError, UnwritableStoreError } from '../../storage/tables/errors.js'
import type { WriteFailure } from './writerMessages.js'

/** An entry could not be applied, or ended one thread after another. In the second case it may have been applied. */
export class WriteError extends Error {
  override readonly name = 'WriteError'
}

/** An entry was not written in time. */
export class WriteTimeoutError extends Error {
  override readonly name = 'WriteTimeoutError'
  /** The write had begun, so the entry may still be saved. Otherwise the entry was withdrawn and is not saved. */
  readonly mayBeSaved: boolean

  constructor(mayBeSaved: boolean) {
    super(mayBeSaved ? 'writing takes too long' : 'waited too long for the write lock of the store')
    this.mayBeSaved = mayBeSaved
  }
}

/** The log of the cluster gave no verdict. */
export class LogUnavailableError extends Error {
  override readonly name = 'LogUnavailableError'
  /** The entry may be in the log, or get there later. Otherwise it is not saved. */
  readonly mayBeSaved: boolean

  constructor(reason: string, mayBeSaved: boolean) {
    super(reason)
    this.mayBeSaved = mayBeSaved
  }
}

/** The disk has no room for an entry, which was not written. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
}

/** The system does not let the store write, for another reason. The entry was not written. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError'
}

/** What a thread reports of an error. */
export function failureOf(error: unknown): WriteFailure {
  if (error instanceof DiskFullError) return { failure: error.message, reason: 'full' }
  if (error instanceof UnwritableStoreError) return { failure: error.message, reason: 'unwritable' }
  return { failure: String(error) }
}

/** The error for a failure that the thread reports. */
export function errorOf({ failure, reason, mayBeSaved }: WriteFailure): Error {
  if (mayBeSaved !== undefined) return new LogUnavailableError(failure, mayBeSaved)
  if (reason === 'full') return new NoRoomError(failure)
  return reason === 'unwritable' ? new UnwritableError(failure) : new WriteError(failure)
}
