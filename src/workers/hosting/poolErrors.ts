/** Why work was not done that a thread or a process would do. */

/** The queue is full, or there is no thread: the caller may try again a little later. */
export class PoolFullError extends Error {
  override readonly name = 'PoolFullError'
}

/** A task waited too long for a thread, or was ended because it ran too long. */
export class TaskTimeoutError extends Error {
  override readonly name = 'TaskTimeoutError'
  /** The task itself used up its time; otherwise the machine had none for it, and it may be tried again. */
  readonly isOverrun: boolean

  constructor(message: string, options: ErrorOptions & { readonly isOverrun?: boolean } = {}) {
    super(message, options)
    this.isOverrun = options.isOverrun ?? false
  }
}
