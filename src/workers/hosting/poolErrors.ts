/** Errors for work that no thread or process has done. */

/** The queue is full, or no thread can be started. The caller may try again a little later. */
export class PoolFullError extends Error {
  override readonly name = 'PoolFullError'
}

/** A task waited too long for a thread, or was ended because it ran too long. */
export class TaskTimeoutError extends Error {
  override readonly name = 'TaskTimeoutError'
  /** The task itself used up its time. Otherwise the machine was too busy for it, and it may be tried again. */
  readonly isOverrun: boolean

  constructor(message: string, options: ErrorOptions & { readonly isOverrun?: boolean } = {}) {
    super(message, options)
    this.isOverrun = options.isOverrun ?? false
  }
}
