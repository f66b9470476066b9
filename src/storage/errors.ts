import { UserError } from '../userError.js'

/** The store is missing, broken or of another format; the message says which command helps. */
export class StoreError extends UserError {
  override readonly name: string = 'StoreError'
}

/** The store's file cannot be opened without danger. */
export class DamagedFileError extends StoreError {
  override readonly name = 'DamagedFileError'
}

/** A row is not as it was written: a bit of it flipped, or of what leads to it. */
export class DamagedRowError extends StoreError {
  override readonly name = 'DamagedRowError'
  /** The message without its advice. */
  readonly fault: string

  /** `key` is undefined when a walk over the table came to what cannot be read. */
  constructor(table: string, key: unknown, cause?: unknown) {
    const place =
      key === undefined ? `the table ${table}` : `the row ${JSON.stringify(key)} of the table ${table}`
    const fault = `${place} is damaged`
    super(`${fault}: run "palimpsest verify"`, cause === undefined ? undefined : { cause })
    this.fault = fault
  }
}

/** The disk is all but full: nothing was written. */
export class DiskFullError extends StoreError {
  override readonly name = 'DiskFullError'
}
