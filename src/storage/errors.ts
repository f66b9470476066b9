/** The store is missing, broken or of another format; the message says which command helps. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError'
}

/** A row is not as it was written: a bit of it flipped, or of what leads to it. */
export class DamagedRowError extends StoreError {
  override readonly name = 'DamagedRowError'

  /** `key` is undefined when a walk over the table came to what cannot be read. */
  constructor(table: string, key: unknown, cause?: unknown) {
    const place =
      key === undefined ? `the table ${table}` : `the row ${JSON.stringify(key)} of the table ${table}`
    super(`${place} is damaged: run "palimpsest verify"`, cause === undefined ? undefined : { cause })
  }
}
