/** Write transactions of one process: each runs only while the disk has room, and tells who wants to know. */
import type { RootDatabase } from 'lmdb'
import { DiskFullError, StoreError, UnwritableStoreError } from './errors.js'
import { largestFileBytes } from '../../runtime/fileLimits.js'
import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { getSystemErrorMap } from 'node:util'
import { describeSystemError } from '../../runtime/systemErrors.js'

/** Hooks at the start and the end of every write transaction. An error that one throws aborts the transaction. */
export interface WriteGuard {
  before(): void
  after(): void
}

/** Called before a write transaction asks for the lock, and when it has the lock. */
export interface LockWatch {
  asks(): void
  got(): void
}

export interface TransactionOptions {
  /** Bytes that stay free on the disk. With less free space the store refuses to write. */
  readonly leastFreeBytes?: number
  /** Called when this process waits for the write lock, already while the store opens. */
  readonly lockWatch?: LockWatch
}

/** Enough for the largest batch of edits, and some more. */
const LEAST_FREE_BYTES = 32 * 2 ** 20

export class Transactions {
  guard: WriteGuard | undefined
  readonly #root: RootDatabase
  readonly path: string
  readonly #leastFreeBytes: number
  readonly #lockWatch: LockWatch | undefined
  readonly #largestFileBytes = largestFileBytes()

  constructor(
    root: RootDatabase,
    path: string,
    { leastFreeBytes = LEAST_FREE_BYTES, lockWatch }: TransactionOptions,
  ) {
    this.#root = root
    this.path = path
    this.#leastFreeBytes = leastFreeBytes
    this.#lockWatch = lockWatch
  }

  /**
   * Runs `action` in one write transaction, which is on disk on return. If `action` throws, nothing is written. Throws
   * a DiskFullError before it writes anything if the disk is nearly full. Throws that or an UnwritableStoreError, too,
   * when the system refuses to write.
   */
  run<T>(action: () => T): T {
    this.#requireRoom()
    this.#lockWatch?.asks()
    try {
      return this.#root.transactionSync(() => {
        this.#lockWatch?.got()
        this.guard?.before()
        const result = action()
        this.guard?.after()
        return result
      })
    } catch (error) {
      throw asWriteFault(error, this.path)
    }
  }

  /** Runs `action` with the write lock. It must not write rows. See `Store.whileUnwritten`. */
  whileUnwritten<T>(action: (oldestSnapshot: number) => T): T {
    this.#root.readerCheck()
    this.#root.resetReadTxn()
    return this.#root.transactionSync(() => action(oldestSnapshot(this.#root.readerList())))
  }

  /** Bytes that the store may still grow by. Throws an UnwritableStoreError when the disk does not answer. */
  roomBytes(): number {
    return roomFor(this.path, this.#largestFileBytes)
  }

  /** Why nothing can be written at present; undefined if it can, as far as known before a write. */
  fault(): StoreError | undefined {
    try {
      this.#requireRoom()
      return undefined
    } catch (error) {
      if (error instanceof StoreError) return error
      throw error
    }
  }

  /**
   * Keeps lmdb from writing to a full disk. When a write fails, lmdb (3.5.6) copies a message of up to 130 bytes into
   * 100 bytes of the heap, and one of the next allocations ends the process. The check takes one or two microseconds.
   */
  #requireRoom(): void {
    if (this.roomBytes() >= this.#leastFreeBytes) return
    const place = this.#largestFileBytes === Infinity ? 'disk' : 'disk, or the largest size of a file,'
    const needed = Math.ceil(this.#leastFreeBytes / 2 ** 20)
    throw new DiskFullError(
      `the ${place} of ${this.path} has less than ${needed} MiB left: nothing is written`,
    )
  }
}

/** A line of lmdb's list of readers: process, thread, transaction. A reader without a snapshot has a dash. */
const READER = /^\s*\d+ [0-9a-f]+ (\d+)\s*$/gm

const oldestSnapshot = (readers: string): number =>
  Math.min(...Array.from(readers.matchAll(READER), ([, transaction]) => Number(transaction)))

/** Node has no name for it. */
const EDQUOT = 122

/** An error of LMDB has the number of the system's error as its code, or a negative one of its own. */
export function asWriteFault(error: unknown, path: string): unknown {
  const { code } = error as { readonly code?: unknown }
  if (!(error instanceof Error) || typeof code !== 'number' || code <= 0) return error
  const [name = '', reason = error.message] = getSystemErrorMap().get(-code) ?? []
  const isFull = code === EDQUOT || name === 'ENOSPC' || name === 'EFBIG'
  const Fault = isFull ? DiskFullError : UnwritableStoreError
  return new Fault(`the store in ${path} cannot be written: ${reason}`, { cause: error })
}

/**
 * Bytes that the store in a folder may still grow by: until the disk of its file is full, or until the file has the
 * largest size that this process may give it. Throws an UnwritableStoreError when the disk does not answer.
 */
function roomFor(path: string, largestBytes: number): number {
  try {
    const { bavail, bsize } = statfsSync(path)
    const onDisk = bavail * bsize
    return largestBytes === Infinity
      ? onDisk
      : Math.min(onDisk, largestBytes - statSync(join(path, 'data.mdb')).size)
  } catch (error) {
    const message = `the store in ${path} cannot be written: ${describeSystemError(error as NodeJS.ErrnoException)}`
    throw new UnwritableStoreError(message, { cause: error })
  }
}
