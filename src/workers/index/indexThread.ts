/**
 * A thread that encodes pages for a search index. It collects them in a chunk until the chunk is full, or until it is
 * told to hand it over.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { transferables } from '../../index/write/bulk.js'
import { type QueuedChunk, QueueEncoder } from '../../storage/indexing/indexQueue.js'
import { Store } from '../../storage/store.js'
import type { IndexName } from '../../storage/tables/tables.js'
import type { ThreadPlace } from '../hosting/openWikis.js'

export interface IndexStart extends ThreadPlace {
  /** The index whose queue the pages are on. */
  readonly set: IndexName
}

/** Message to the thread. */
export interface EncodeRequest {
  /** Ids in ascending order, above those in the thread's chunk. */
  readonly pageIds: readonly number[]
  /** The thread hands its chunk over after these pages, even if it is not full. */
  readonly isLast: boolean
}

/** Answer of the thread. */
export interface EncodeAnswer {
  /** Present if the thread hands its chunk over. */
  readonly chunk: QueuedChunk | undefined
  /** The pages for which the chunk had no room. */
  readonly rest: readonly number[]
}

/** First message of the thread: it has opened the store. */
export interface IndexOpened {
  readonly opened: true
}

if (parentPort === null) throw new Error('pages are encoded in a thread')
const port = parentPort
const { dataDir, set } = workerData as IndexStart
const store = Store.open(dataDir)
const encoder = new QueueEncoder(store, set)

// From now on the thread may be ended.
const opened: IndexOpened = { opened: true }
port.postMessage(opened)

port.on('message', ({ pageIds, isLast }: EncodeRequest) => {
  store.refresh()
  const rest = encoder.add(pageIds)
  const chunk = encoder.isFull || isLast ? encoder.finish() : undefined
  const answer: EncodeAnswer = { chunk, rest }
  port.postMessage(answer, chunk && (transferables(chunk) as ArrayBuffer[]))
})
