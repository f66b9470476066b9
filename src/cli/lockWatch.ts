/** Tells the user that a command is waiting for the write lock of the store, and names the holder. */
import { Worker } from 'node:worker_threads'
import { compiledFile } from '../runtime/packageFiles.js'
import type { LockWatch } from '../storage/tables/transactions.js'
import { isWriteLocked } from '../storage/writeLock.js'

/** Input of the thread. */
export interface LockWatchStart {
  readonly storePath: string
  /** 1 while the command waits, else 0. */
  readonly waits: Int32Array
}

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Watches the write transactions of a command. LMDB waits in native code, so JavaScript of the main thread does not run
 * meanwhile. Therefore a thread prints the message. During the wait the stop signals have no handlers, so that they end
 * the process.
 */
export class CommandLockWatch implements LockWatch {
  readonly #storePath: string
  readonly #waits = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  #thread: Worker | undefined
  /** Functions that restore the removed signal handlers. */
  #handlers: (() => void)[] = []

  constructor(storePath: string) {
    this.#storePath = storePath
  }

  /** Takes a fraction of a millisecond when the lock is free. */
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
    const thread = new Worker(compiledFile('cli/lockWatchThread.ts'), { workerData })
    thread.unref()
    return thread
  }
}
