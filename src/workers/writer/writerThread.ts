/**
 * The writer thread: applies entries to the store, with one transaction for each batch. A transaction costs one flush
 * to disk, whatever its number of entries.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { Applier } from '../../storage/apply/applier.js'
import type { Entry } from '../../storage/entries.js'
import { DiskFullError } from '../../storage/errors.js'
import { type HtmlVerdict, packHtml } from '../../storage/importedHtml.js'
import { Store } from '../../storage/store.js'
import { letEventLoopGoFirst } from '../hosting/threadPriority.js'
import { Erasures } from './erasures.js'
import {
  BATCH_BEGUN,
  BATCH_WAITS,
  BATCH_WITHDRAWN,
  type DerivedAnswer,
  type DerivedRequest,
  type FromWriter,
  type UnpackedHtml,
  type WriteBatch,
  type WriteResult,
  WRITER_STOP,
  type WriterStart,
} from './writerMessages.js'

letEventLoopGoFirst()

if (parentPort === null) throw new Error('the writer runs as a thread')
const port = parentPort
const { dataDir, batchState } = workerData as WriterStart
const store = Store.open(dataDir)
const applier = new Applier(store)

/** A failed drop of HTML, as on a full disk, is tried again after the next successful batch, or after this time. */
const RETRY_DROPS_MS = 5000
/** Set from the first failure until drops succeed again. */
let retry: NodeJS.Timeout | undefined
let isStopping = false
/** A batch is being written. Its first transaction finds out whether it was withdrawn. */
let isBatch = false

store.guardWrites({
  before: () => {
    if (!isBatch) return
    const state = Atomics.compareExchange(batchState, 0, BATCH_WAITS, BATCH_BEGUN)
    if (state === BATCH_WITHDRAWN)
      throw new Error('the batch was withdrawn while it waited for the write lock')
  },
  after: () => undefined,
})

port.on('message', (message: WriteBatch | DerivedRequest | typeof WRITER_STOP) => {
  if (message === WRITER_STOP) return stop()
  if ('derived' in message) return tell(derive(message))
  const results = write(message)
  tell({ results })
  if (retry === undefined || results.some((result) => 'verdict' in result)) dropRest()
})
tell({ started: true })
dropRest()
const erasures = new Erasures({
  store,
  applier,
  dataDir,
  onFailure: (error) => tell({ eraseFailure: String(error) }),
})

/**
 * Drops HTML, between other work, that an edit did not drop in its own transaction. Does what a killed import of an SQL
 * table has left.
 */
function dropRest(): void {
  if (isStopping) return
  try {
    const isLeft = store.html.dropOutdated() || store.imported.settle()
    clearTimeout(retry)
    retry = undefined
    if (isLeft) setImmediate(dropRest)
  } catch (error) {
    if (retry === undefined) tell({ dropFailure: String(error) })
    clearTimeout(retry)
    retry = setTimeout(dropRest, RETRY_DROPS_MS)
  }
}

/** Stops the thread. The next writer thread drops the remaining HTML. */
function stop(): void {
  isStopping = true
  clearTimeout(retry)
  erasures.close()
  port.close()
}

function tell(message: FromWriter): void {
  port.postMessage(message)
}

function derive({ id, derived }: DerivedRequest): DerivedAnswer {
  try {
    switch (derived.task) {
      case 'takeQueuedRenderings':
        return { id, revisionIds: store.html.takeQueued(derived.limit) }
      case 'keepRendering':
        store.html.keep(derived.rendering, derived.maxBytes)
        return { id }
      case 'keepImported':
        return { id, verdict: keepImported(derived.html) }
      case 'dropImported':
        store.html.dropImported(derived.revisionId)
        return { id }
      case 'changeSession':
        store.changeSession(derived.change)
        return { id }
    }
  } catch (error) {
    return { id, failure: String(error), isFull: error instanceof DiskFullError }
  }
}

function keepImported({ html, sha1, ...facts }: UnpackedHtml): HtmlVerdict {
  const incoming = { ...facts, sha1: sha1 && Buffer.from(sha1), html: packHtml(html) }
  return store.html.import([incoming])[0]!
}

function write({ entries }: WriteBatch): WriteResult[] {
  isBatch = true
  try {
    return applyTogether(entries)
  } finally {
    isBatch = false
  }
}

/**
 * Applies all entries in one transaction. If an entry cannot be applied, uses one transaction for each, so that the
 * others succeed.
 */
function applyTogether(entries: readonly Entry[]): WriteResult[] {
  try {
    return applier.submitAll(entries).map((verdict) => ({ verdict }))
  } catch (error) {
    if (entries.length === 1) return [{ failure: String(error), isFull: error instanceof DiskFullError }]
    return entries.flatMap((entry) => applyTogether([entry]))
  }
}
