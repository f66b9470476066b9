/**
 * The writer thread: applies entries to the store, with one transaction for each batch. A transaction costs one flush
 * to disk, whatever its number of entries.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { settleStep } from '../../storage/apply/sqlTables/settle.js'
import { Applier } from '../../storage/apply/applier.js'
import type { EraseChange } from '../../storage/entries/administration.js'
import type { Entry, Verdict } from '../../storage/entries/entries.js'
import { randomEntryId } from '../../storage/entries/entryIds.js'
import { noteUnused } from '../../storage/apply/eraseRequests.js'
import { type HtmlVerdict, packHtml } from '../../storage/html/importedHtml.js'
import { Store } from '../../storage/store.js'
import { letEventLoopGoFirst } from '../hosting/systemThreads.js'
import { Erasures } from './erasures.js'
import { failureOf } from './writeErrors.js'
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
  type ClusterStart,
} from './writerMessages.js'
import { openNode } from '../../cluster/openNode.js'
import type { ClusterNode, NodeOutcome } from '../../cluster/node.js'
import type { NodeStatus } from '../../cluster/nodeStatus.js'

// How the writer thread brings entries into the log: that of the store itself, or that of a cluster.

interface Submitter {
  /** What became of each entry. Never throws. */
  submit(entries: readonly Entry[]): Promise<readonly WriteResult[]> | readonly WriteResult[]
  close(): Promise<void> | void
}

/** Applies entries at once: the store has its own log. */
class LocalSubmitter implements Submitter {
  readonly #applier: Applier

  constructor(applier: Applier) {
    this.#applier = applier
  }

  /**
   * Applies all entries in one transaction. If an entry cannot be applied, uses one transaction for each, so that the
   * others succeed.
   */
  submit(entries: readonly Entry[]): readonly WriteResult[] {
    try {
      return this.#applier.submitAll(entries).map((verdict) => ({ verdict }))
    } catch (error) {
      if (entries.length === 1) return [failureOf(error)]
      return entries.flatMap((entry) => this.submit([entry]))
    }
  }

  close(): void {
    // Nothing is open.
  }
}

interface ClusterSubmitterOptions {
  readonly store: Store
  readonly applier: Applier
  readonly cluster: ClusterStart
  readonly onStatus: (status: NodeStatus) => void
  readonly onWarning: (warning: string) => void
}

const STATUS_MS = 1000
/**
 * Share of the timeout that the cluster has. This thread knows whether an entry without a verdict can be in the log.
 * Its answer must come before the server gives up, which can only say that the entry may be saved.
 */
const SHARE = 0.9

/** Brings entries into the log of a cluster, and waits until this machine has applied them. */
class ClusterSubmitter implements Submitter {
  readonly #node: ClusterNode
  readonly #timeoutMs: number
  readonly #news: NodeJS.Timeout

  constructor({ store, applier, cluster, onStatus, onWarning }: ClusterSubmitterOptions) {
    this.#node = openNode({ store, applier, address: cluster.address, onChange: onStatus, onWarning })
    this.#timeoutMs = SHARE * cluster.timeoutMs
    this.#news = setInterval(() => onStatus(this.#node.status()), STATUS_MS)
  }

  async submit(entries: readonly Entry[]): Promise<readonly WriteResult[]> {
    try {
      const outcomes = await this.#node.write(entries, performance.now() + this.#timeoutMs)
      return outcomes.map(resultOf)
    } catch (error) {
      return entries.map(() => failureOf(error))
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#news)
    await this.#node.close()
  }
}

const resultOf = (outcome: NodeOutcome): WriteResult => ('verdict' in outcome ? outcome : { ...outcome })

letEventLoopGoFirst()

if (parentPort === null) throw new Error('the writer runs as a thread')
const port = parentPort
/** Nobody waits any more for the result of a batch that was withdrawn. */
const WITHDRAWN: WriteResult = { failure: 'the batch was withdrawn' }

const { dataDir, batchState, cluster } = workerData as WriterStart
const store = Store.open(dataDir)
const applier = new Applier(store)
const submitter =
  cluster === undefined
    ? new LocalSubmitter(applier)
    : new ClusterSubmitter({
        store,
        applier,
        cluster,
        onStatus: (clusterStatus) => tell({ clusterStatus }),
        onWarning: (engineWarning) => tell({ engineWarning }),
      })

/** A failed drop of HTML, as on a full disk, is tried again after the next successful batch, or after this time. */
const RETRY_DROPS_MS = 5000
/** Set from the first failure until drops succeed again. */
let retry: NodeJS.Timeout | undefined
let isStopping = false
/** A batch is being written here. Its first transaction finds out whether it was withdrawn. */
let isBatch = false

store.guardWrites({
  before: () => {
    if (isBatch && !begin()) throw new Error('the batch was withdrawn while it waited for the write lock')
  },
  after: () => undefined,
})

port.on('message', (message: WriteBatch | DerivedRequest | typeof WRITER_STOP) => {
  if (message === WRITER_STOP) void stop()
  else if ('derived' in message) void deriveAny(message).then(tell)
  else finish(write(message))
})
tell({ started: true })
dropRest()
const erasures = new Erasures({
  store,
  apply: applyErasure,
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
    const isLeft = store.html.dropOutdated() || settleStep(store)
    clearTimeout(retry)
    retry = undefined
    if (isLeft) setImmediate(dropRest)
  } catch (error) {
    if (retry === undefined) tell({ dropFailure: String(error) })
    clearTimeout(retry)
    retry = setTimeout(dropRest, RETRY_DROPS_MS)
  }
}

/** In a cluster, the change goes through the shared log like all others. */
function applyErasure(change: EraseChange): Verdict | Promise<unknown> {
  const entry = { id: randomEntryId(), time: nowSeconds(), ...change }
  return cluster === undefined ? applier.submit(entry) : submitOne(entry)
}

/** Throws an error if there is no verdict. */
async function submitOne(entry: Entry): Promise<void> {
  const [result] = await submitter.submit([entry])
  if (result === undefined || !('verdict' in result)) throw new Error(result?.failure ?? 'no verdict')
}

/** Stops the thread. The next writer thread drops the remaining HTML. */
async function stop(): Promise<void> {
  isStopping = true
  clearTimeout(retry)
  erasures.close()
  await submitter.close()
  port.close()
}

/** Sends results in the same tick where they are there: a cluster gives them later. */
function finish(results: Promise<readonly WriteResult[]> | readonly WriteResult[]): void {
  if (results instanceof Promise) {
    void results.then(finish)
    return
  }
  tell({ results })
  if (retry === undefined || results.some((result) => 'verdict' in result)) dropRest()
}

/** False if the batch was withdrawn meanwhile. */
const begin = (): boolean =>
  Atomics.compareExchange(batchState, 0, BATCH_WAITS, BATCH_BEGUN) !== BATCH_WITHDRAWN

const nowSeconds = (): number => Math.floor(Date.now() / 1000)

function tell(message: FromWriter): void {
  port.postMessage(message)
}

/** In a cluster, every machine must know a session. */
async function deriveAny(request: DerivedRequest): Promise<DerivedAnswer> {
  const { id, derived } = request
  if (cluster === undefined || derived.task !== 'changeSession') return derive(request)
  const entry = { kind: 'session', id: randomEntryId(), time: nowSeconds(), change: derived.change } as const
  const [result] = await submitter.submit([entry])
  return result === undefined || 'verdict' in result ? { id } : { id, ...result }
}

function derive({ id, derived }: DerivedRequest): DerivedAnswer {
  try {
    switch (derived.task) {
      case 'takeQueuedRenderings':
        return { id, revisionIds: store.html.takeQueued(derived.limit) }
      case 'keepRendering':
        store.html.keep(derived.rendering, derived.maxBytes)
        return { id }
      case 'keepShell':
        store.html.keepShell(derived.html, derived.shell, derived.maxBytes)
        return { id }
      case 'keepImported':
        return { id, verdict: keepImported(derived.html) }
      case 'dropImported':
        store.html.dropImported(derived.revisionId)
        return { id }
      case 'changeSession':
        store.changeSession(derived.change)
        return { id }
      case 'noteUnused':
        noteUnused(store, derived.sha256)
        return { id }
    }
  } catch (error) {
    return { id, ...failureOf(error) }
  }
}

function keepImported({ html, sha1, ...facts }: UnpackedHtml): HtmlVerdict {
  const incoming = { ...facts, sha1: sha1 && Buffer.from(sha1), html: packHtml(html) }
  return store.html.import([incoming])[0]!
}

function write({ entries }: WriteBatch): ReturnType<Submitter['submit']> {
  if (cluster !== undefined) return begin() ? submitter.submit(entries) : entries.map(() => WITHDRAWN)
  isBatch = true
  try {
    return submitter.submit(entries)
  } finally {
    isBatch = false
  }
}
