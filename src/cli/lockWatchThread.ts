/** The thread that reports a wait for the write lock while the main thread is blocked. */
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { nameHolder, writeLockHolder } from '../storage/writeLock.js'
import type { LockWatchStart } from './lockWatch.js'

const STANDARD_ERROR = 2
const CHECK_MS = 250
/** Servers and imports normally hold the lock for less. */
const PATIENCE_MS = 3000

const { storePath, waits } = workerData as LockWatchStart
let waitedMs = 0

setInterval(() => {
  if (Atomics.load(waits, 0) === 0) {
    waitedMs = 0
    return
  }
  waitedMs += CHECK_MS
  if (waitedMs !== PATIENCE_MS) return
  const holder = nameHolder(writeLockHolder(storePath))
  writeSync(STANDARD_ERROR, `palimpsest: waiting for the write lock of ${storePath}, which ${holder} holds\n`)
}, CHECK_MS)
