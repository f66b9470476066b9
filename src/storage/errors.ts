/** The store is missing, broken or of another format; the message says which command helps. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
