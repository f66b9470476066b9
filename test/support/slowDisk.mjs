/**
 * Loaded into a server before its own code. Once its writer thread has begun a transaction with edits, it waits until
 * the file named by DISK_IS_SLOW is gone.
 */
import { existsSync } from 'node:fs'
import process from 'node:process'
import { isMainThread } from 'node:worker_threads'

const { compareExchange, wait } = Atomics
const never = new Int32Array(new SharedArrayBuffer(4))
Atomics.compareExchange = (...args) => {
  const before = compareExchange(...args)
  while (!isMainThread && existsSync(process.env.DISK_IS_SLOW)) wait(never, 0, 0, 20)
  return before
}
