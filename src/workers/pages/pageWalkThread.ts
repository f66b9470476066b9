/**
 * Walks the pages of a store's file once, at the lowest priority, and says which are damaged. It reads the file,
 * and does not load LMDB.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { findDamagedPages } from '../../storage/file/damagedPages.js'
import { LAST_NICENESS, letEventLoopGoFirst } from '../hosting/systemThreads.js'

/** How long it rests, as a multiple of the time that it worked: so it takes a quarter of the disk's time. */
const REST = 3

letEventLoopGoFirst(LAST_NICENESS)

const never = new Int32Array(new SharedArrayBuffer(4))
let beganMs = performance.now()

function rest(): void {
  Atomics.wait(never, 0, 0, (performance.now() - beganMs) * REST)
  beganMs = performance.now()
}

parentPort!.postMessage(findDamagedPages(workerData as string, rest))
