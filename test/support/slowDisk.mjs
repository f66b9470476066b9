/**
 * Loaded into a server before its own code: its writer thread, once it has begun a transaction with edits, goes on only when
 * the file that DISK_IS_SLOW names is gone.
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
