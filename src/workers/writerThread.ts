/**
 * The writer thread: applies entries to the store, as many to a transaction as were sent together. One transaction
 * costs a flush to the disk, however many entries it holds.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { Applier } from '../storage/apply/applier.js'
import { encodeEntry, type Entry } from '../storage/entries.js'
import { continueDrops, hasDropsLeft, putRendering, takeQueued } from '../storage/renderings.js'
import type { SessionChange } from '../storage/sessions.js'
import { Store } from '../storage/store.js'
import type { WorkerStart } from './tasks.js'
import { letEventLoopGoFirst } from './threadPriority.js'
import {
  type DerivedAnswer,
  type DerivedRequest,
  type WriteBatch,
  type WriteResult,
  type WriteResults,
  WRITER_STOP,
} from './writerMessages.js'

letEventLoopGoFirst()

if (parentPort === null) throw new Error('the writer runs as a thread')
const port = parentPort
const store = Store.open((workerData as WorkerStart).dataDir)
const applier = new Applier(store)

port.on('message', (message: WriteBatch | DerivedRequest | typeof WRITER_STOP) => {
  if (message === WRITER_STOP) return port.close()
  if ('derived' in message) return port.postMessage(derive(message))
  const answer: WriteResults = { results: applyTogether(message.entries.map(encode)) }
  port.postMessage(answer)
  dropRest()
})
dropRest()

/** What an edit could not drop in its own transaction is dropped in between other work. */
function dropRest(): void {
  if (!hasDropsLeft(store.tables)) return
  store.transact(() => continueDrops(store.tables))
  setImmediate(dropRest)
}

function derive({ id, derived }: DerivedRequest): DerivedAnswer {
  try {
    return store.transactDerived(() => {
      if (derived.task === 'takeQueuedRenderings')
        return { id, revisionIds: takeQueued(store.tables, derived.limit) }
      putRendering(store.tables, derived.rendering, derived.maxBytes)
      return { id }
    })
  } catch (error) {
    return { id, failure: String(error) }
  }
}

const encode = (change: Entry | SessionChange): Buffer | SessionChange =>
  change.kind === 'session' ? change : encodeEntry(change)

/** One transaction for all; when an entry cannot be applied, one for each, so that the others do not fail with it. */
function applyTogether(entries: readonly (Buffer | SessionChange)[]): WriteResult[] {
  try {
    return applier.applyAll(entries).map((verdict) => ({ verdict }))
  } catch (error) {
    if (entries.length === 1) return [{ failure: String(error) }]
    return entries.flatMap((entry) => applyTogether([entry]))
  }
}
