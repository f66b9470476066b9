/**
 * A thread that encodes pages for the search index. It gets page ids, and returns a chunk and the ids that did not fit.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { transferables } from '../../index/write/bulk.js'
import { encodeQueued } from '../../storage/search/indexQueue.js'
import { Store } from '../../storage/store.js'
import type { IndexName } from '../../storage/tables.js'
import type { WorkerStart } from '../compute/tasks.js'

/** Message to the thread. */
export interface EncodeRequest {
  /** The index whose queue the pages are on. */
  readonly set: IndexName
  readonly pageIds: readonly number[]
}

/** First message of the thread: it has opened the store. */
export interface IndexOpened {
  readonly opened: true
}

if (parentPort === null) throw new Error('pages are encoded in a thread')
const port = parentPort
const store = Store.open((workerData as WorkerStart).dataDir)

// From now on the thread may be ended.
const opened: IndexOpened = { opened: true }
port.postMessage(opened)

port.on('message', ({ set, pageIds }: EncodeRequest) => {
  store.refresh()
  const encoded = encodeQueued(store, set, pageIds)
  port.postMessage(encoded, transferables(encoded.chunk) as ArrayBuffer[])
})
