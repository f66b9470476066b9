/**
 * The writer thread: applies entries to the store, as many to a transaction as were sent together. One transaction
 * costs a flush to the disk, however many entries it holds.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { Applier } from '../storage/apply/applier.js'
import { encodeEntry, type Entry } from '../storage/entries.js'
import type { SessionChange } from '../storage/sessions.js'
import { Store } from '../storage/store.js'
import type { WorkerStart } from './tasks.js'
import { type WriteBatch, type WriteResult, type WriteResults, WRITER_STOP } from './writerMessages.js'

if (parentPort === null) throw new Error('the writer runs as a thread')
const port = parentPort
const applier = new Applier(Store.open((workerData as WorkerStart).dataDir))

port.on('message', (message: WriteBatch | typeof WRITER_STOP) => {
  if (message === WRITER_STOP) return port.close()
  const answer: WriteResults = { results: applyTogether(message.entries.map(encode)) }
  port.postMessage(answer)
})

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
