import { UserError } from '../../runtime/userError.js'

/** The store is missing, broken or of another format; the message says which command helps. */
export class StoreError extends UserError {
  override readonly name: string = 'StoreError'
}

/** Opening the store's file could crash the process. */
export class DamagedFileError extends StoreError {
  override readonly name = 'DamagedFileError'
}

/** A row, or a page of LMDB that leads to it, differs from what was written, as after a bit flip. */
export class DamagedRowError extends StoreError {
  override readonly name = 'DamagedRowError'
  /** The message without its advice. */
  readonly fault: string

  /** `key` is undefined if a walk over the table came to something unreadable. */
  constructor(table: string, key: unknown, cause?: unknown) {
    const place =
      key === undefined ? `the table ${table}` : `the row ${JSON.stringify(key)} of the table ${table}`
    const fault = `${place} is damaged`
    super(`${fault}: run "palimpsest verify"`, cause === undefined ? undefined : { cause })
    this.fault = fault
  }
}

/** Too many reads wait for the disk. */
export class StoreBusyError extends StoreError {
  override readonly name = 'StoreBusyError'
}

/** The disk is nearly full, or a quota or limit is reached: nothing was written. */
export class DiskFullError extends StoreError {
  override readonly name = 'DiskFullError'
}

/** The system does not let the store write, for another reason than a lack of room: nothing was written. */
export class UnwritableStoreError extends StoreError {
  override readonly name = 'UnwritableStoreError'
}
