/** Errors of the system while the store is written, as errors with a sentence for the operator. */
import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { getSystemErrorMap } from 'node:util'
import { describeSystemError } from '../../runtime/systemErrors.js'
import { DiskFullError, UnwritableStoreError } from './errors.js'

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
export function roomFor(path: string, largestBytes: number): number {
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
