/** Tells whoever runs a command that it waits for the write lock of the store, and for whom. */
import { Worker } from 'node:worker_threads'
import type { LockWatch } from '../storage/store.js'
import { isWriteLocked } from '../storage/writeLock.js'

/** What the thread is given. */
export interface LockWatchStart {
  readonly storePath: string
  /** Whether the command waits, 1 or 0. */
  readonly waits: Int32Array
}

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Watches the write transactions of a command. LMDB waits in native code, where no JavaScript of the main thread runs:
 * so a thread does the telling, and for as long as the lock is waited for, the stop signals have no handlers and end
 * the process.
 */
export class CommandLockWatch implements LockWatch {
  readonly #storePath: string
  readonly #waits = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  #thread: Worker | undefined
  /** Handlers of signals to put back. */
  #handlers: (() => void)[] = []

  constructor(storePath: string) {
    this.#storePath = storePath
  }

  /** Costs a fraction of a millisecond when the lock is free. */
  asks(): void {
    if (!isWriteLocked(this.#storePath)) return
    for (const signal of STOP_SIGNALS) {
      const listeners = process.rawListeners(signal) as NodeJS.SignalsListener[]
      process.removeAllListeners(signal)
      this.#handlers.push(() => listeners.forEach((listener) => process.on(signal, listener)))
    }
    this.#thread ??= this.#start()
    Atomics.store(this.#waits, 0, 1)
  }

  got(): void {
    if (this.#handlers.length === 0) return
    Atomics.store(this.#waits, 0, 0)
    for (const putBack of this.#handlers.splice(0)) putBack()
  }

  #start(): Worker {
    const workerData: LockWatchStart = { storePath: this.#storePath, waits: this.#waits }
    const thread = new Worker(new URL('../../dist/cli/lockWatchThread.js', import.meta.url), { workerData })
    thread.unref()
    return thread
  }
}
