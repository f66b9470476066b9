/**
 * A thread of a server process that ends the process soon after its supervisor is gone. The main thread sees that too,
 * and ends in order if it can; this one is for a main thread that loads code, or waits for a file or a lock.
 */
import process from 'node:process'
import { workerData } from 'node:worker_threads'
import { ORPHAN_MS } from './orphanTimes.js'

/** The parent changes when the one that started the process ends. */
const CHECK_MS = 200

const supervisorPid = workerData as number

const check = setInterval(() => {
  if (process.ppid === supervisorPid) return
  clearInterval(check)
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), ORPHAN_MS)
}, CHECK_MS)
