/**
 * A thread that ends an orphan process: a server process whose supervisor has gone. The main thread notices that too,
 * and ends in order when it can. This thread is for a main thread that is blocked: loading code, or waiting for a file
 * or a lock.
 */
import process from 'node:process'
import { workerData } from 'node:worker_threads'
import { ORPHAN_MS } from './orphanTimes.js'

/** Interval of checks. The parent's id changes when the supervisor ends. */
const CHECK_MS = 200

const supervisorPid = workerData as number

const check = setInterval(() => {
  if (process.ppid === supervisorPid) return
  clearInterval(check)
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), ORPHAN_MS)
}, CHECK_MS)
