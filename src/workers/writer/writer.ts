/** The front of the writer thread: sends it entries, and answers each once it is on disk. */
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { NodeStatus } from '../../cluster/nodeStatus.js'
import { BackOff } from '../../runtime/pause.js'
import { counter, type Figure, gauge, histogram, Times } from '../../metrics/figures.js'
import { clusterFigures } from '../../cluster/figures.js'
import type { Entry, Verdict } from '../../storage/entries/entries.js'
import type { HtmlVerdict } from '../../storage/html/importedHtml.js'
import type { Rendering } from '../../storage/html/renderings.js'
import type { SessionChange } from '../../storage/accounts/accounts.js'
import { Pacer } from '../../runtime/pacer.js'
import { compiledFile } from '../../runtime/packageFiles.js'
import { WRITER_HEAP } from '../hosting/heapLimits.js'
import { PoolFullError } from '../hosting/poolErrors.js'
import { errorOf, WriteError, WriteTimeoutError } from './writeErrors.js'
import {
  BATCH_WAITS,
  BATCH_WITHDRAWN,
  type DerivedAnswer,
  type DerivedRequest,
  type DerivedTask,
  type FromWriter,
  type NewShell,
  type UnpackedHtml,
  type WriteBatch,
  WRITER_STOP,
  type WriteResult,
  type WriterStart,
} from './writerMessages.js'
import { settle, type WaitingDerived, type WaitingEntry, WriteQueue } from './writeQueue.js'

/** Settings of a writer, and its listeners. */
export interface WriterOptions {
  readonly dataDir: string
  /** Longest time that an entry may wait for its transaction. */
  readonly timeoutMs: number
  /** Address of the shared log, for the store of a cluster's node. */
  readonly logAddress?: string | undefined
  /** Called when the state of the link to the shared log changes. */
  readonly onClusterChange?: (status: NodeStatus) => void
  readonly onEngineWarning?: (warning: string) => void
  /** Tells if another process may hold the write lock. Then the thread may never end. */
  readonly isLockedElsewhere: () => boolean
  /** Called once when entries wait longer than that. Called again only after entries have been written meanwhile. */
  readonly onStuck: () => void
  /** Called when the thread ends by itself. A new one starts after a while. */
  readonly onThreadError: (error: Error) => void
  /**
   * Called once when outdated HTML cannot be dropped, for instance on a full disk. Retries continue until it succeeds.
   */
  readonly onDropFailure: (error: Error) => void
  /** Called once when erased words cannot be taken out of the log or the file. Retries continue until it succeeds. */
  readonly onEraseFailure: (error: Error) => void
}

export { LogUnavailableError, NoRoomError, WriteError, WriteTimeoutError } from './writeErrors.js'

const THREAD_FILE = compiledFile('workers/writer/writerThread.ts')
/** Limit for waiting work on derived tables. Further work is refused. */
const MAX_DERIVED = 100

/** An entry is sent to a second thread if the first one ends by itself. */
const MAX_ATTEMPTS = 2

/** Number of checks for late entries within one timeout. */
const CHECKS_PER_TIMEOUT = 10
/** Fields of a node's status whose changes are told. */
const NEWS = ['state', 'reason', 'lost', 'appendFault'] as const
/** Time for the thread to end when nothing waits for it, and another process holds the write lock. */
const ENDING_MS = 5000
/** The same when none does, so that only the machine is slow. */
const SLOW_ENDING_MS = 60_000

/**
 * Sends entries to the writer thread in batches. Entries that arrive during a batch form the next one, and share a
 * transaction.
 */
export class Writer {
  readonly #options: WriterOptions
  /** Undefined between the end of one thread and the start of the next. */
  #thread: Worker | undefined
  #hasOpened = false
  /** When the last thread started; 0 before the first. */
  #startedMs = 0
  /** The last thread ended before it opened the store. Nothing waits for the next one. */
  #isDown = false
  #restart: NodeJS.Timeout | undefined
  readonly #backOff = new BackOff()
  readonly #queue = new WriteQueue<WaitingEntry>()
  /** Spreads the answers to a batch: sixteen in one turn of the event loop would delay page reads. */
  readonly #answers = new Pacer()
  #sent: readonly WaitingEntry[] = []
  /** The thread has a batch, even if nobody waits for it any more. */
  #isBusy = false
  readonly #batchState = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  #check: NodeJS.Timeout | undefined
  #isStuck = false
  #hasFailedToEnd = false
  /** Work on derived tables by its number. It is lost if its thread ends. */
  readonly #derived = new Map<number, WaitingDerived>()
  #derivedId = 0
  #closing: Promise<void> | undefined
  #idle: (() => void) | undefined
  /** Durations of transactions, from sending the entries until they are known to be on disk. */
  readonly #transactions = new Times()
  #sentMs = 0
  #written = 0
  #refused = 0
  #clusterStatus: NodeStatus | undefined

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Starts the thread, which also has work of its own, such as erasures. Otherwise the first entry starts it. */
  start(): void {
    if (this.#startedMs === 0 && this.#closing === undefined) this.#start()
  }

  /**
   * Writes an entry. Resolves with the verdict when the entry is on disk and visible to every process. Throws a
   * PoolFullError (also if no thread can be started), a WriteTimeoutError, a NoRoomError or a WriteError.
   */
  write(entry: Entry): Promise<Verdict> {
    if (this.#closing !== undefined) return Promise.reject(new WriteError('the writer is closed'))
    if (this.#isDown) return Promise.reject(noThread())
    if (!this.#queue.hasRoomFor(entry)) {
      this.#refused++
      return Promise.reject(new PoolFullError('too many edits wait to be written'))
    }
    this.start()
    return new Promise((resolve, reject) => {
      this.#queue.push({ entry, sinceMs: performance.now(), attempts: 0, resolve, reject })
      this.#sendNext()
      this.#checkLater()
    })
  }

  /** The last news of the cluster; undefined before the first, and for a store with its own log. */
  clusterStatus(): NodeStatus | undefined {
    return this.#clusterStatus
  }

  /**
   * The thread is in native code, for instance waiting for the write lock. An orderly exit of the process would wait
   * for it.
   */
  get holdsUp(): boolean {
    return this.#isBusy || this.#derived.size > 0 || this.#hasFailedToEnd
  }

  figures(): Figure[] {
    const waiting = this.#queue.length + this.#sent.length
    return [
      ...(this.#clusterStatus === undefined ? [] : clusterFigures(this.#clusterStatus)),
      gauge('palimpsest_writer_waiting', 'Entries that wait to be on the disk.', waiting),
      counter('palimpsest_writer_entries_total', 'Entries that were given to the store.', this.#written),
      counter(
        'palimpsest_writer_shed_total',
        'Entries that were refused since too many waited.',
        this.#refused,
      ),
      histogram(
        'palimpsest_writer_transaction_seconds',
        'How long write transactions took, flush included.',
        [{ labels: {}, times: this.#transactions }],
      ),
    ]
  }

  /**
   * Keeps HTML, unless something it was made from has changed since. The oldest HTML may be dropped to make room.
   * Throws a PoolFullError or a WriteError, and does not keep the HTML then.
   */
  async keepRendering(rendering: Rendering, maxBytes: number): Promise<void> {
    await this.#derive({ task: 'keepRendering', rendering, maxBytes })
  }

  /** Replaces the shell of kept HTML. Throws the same. */
  keepShell = (shell: NewShell): Promise<unknown> => this.#derive({ task: 'keepShell', ...shell })

  /** Takes revisions off the queue of those to be rendered again. */
  async takeQueuedRenderings(limit: number): Promise<readonly number[]> {
    return (await this.#derive({ task: 'takeQueuedRenderings', limit })).revisionIds ?? []
  }

  /** Keeps HTML of another server. Throws a PoolFullError, a NoRoomError or a WriteError. */
  async keepImported(html: UnpackedHtml): Promise<HtmlVerdict> {
    return (await this.#derive({ task: 'keepImported', html })).verdict!
  }

  /** Drops such HTML, which turned out to be of no use. Throws the same. */
  async dropImported(revisionId: number): Promise<void> {
    await this.#derive({ task: 'dropImported', revisionId })
  }

  /** Notes contents that no file seems to have: the thread removes them unless one has. Throws the same. */
  async noteUnused(sha256: string): Promise<void> {
    await this.#derive({ task: 'noteUnused', sha256 })
  }

  /**
   * Opens or ends a session. Every process sees the change when this returns. Throws a PoolFullError, a
   * WriteTimeoutError, a NoRoomError or a WriteError.
   */
  async changeSession(change: SessionChange): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new WriteTimeoutError(true)), this.#options.timeoutMs)
    })
    try {
      await Promise.race([this.#derive({ task: 'changeSession', change }), late])
    } finally {
      clearTimeout(timer)
    }
  }

  #derive(derived: DerivedTask): Promise<DerivedAnswer> {
    if (this.#closing !== undefined) return Promise.reject(new PoolFullError('the writer is closed'))
    this.start()
    const thread = this.#thread
    if (thread === undefined || this.#isDown) return Promise.reject(noThread())
    if (this.#derived.size >= MAX_DERIVED)
      return Promise.reject(new PoolFullError('too much waits to be written'))
    const id = ++this.#derivedId
    return new Promise((resolve, reject) => {
      this.#derived.set(id, { resolve, reject })
      const request: DerivedRequest = { id, derived }
      thread.postMessage(request)
    })
  }

  /**
   * Writes the waiting entries, within their time limit, then ends the thread. Throws a WriteError if the thread does
   * not end, for instance because it waits for the write lock. Only a signal can then end the process. May be called
   * twice.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    if (this.#sent.length > 0 || this.#queue.length > 0) {
      const idle = new Promise<void>((resolve) => (this.#idle = resolve))
      // Entries wait: do not delay the restart.
      if (this.#thread === undefined) this.#start()
      await idle
    }
    clearTimeout(this.#restart)
    clearTimeout(this.#check)
    if (this.#thread !== undefined) await this.#end(this.#thread)
    this.#rejectDerived(new WriteError('the writer was closed'))
  }

  async #end(thread: Worker): Promise<void> {
    thread.removeAllListeners('exit')
    const ended = new Promise<boolean>((resolve) => thread.once('exit', () => resolve(true)))
    const endsWithin = (ms: number): Promise<boolean> =>
      Promise.race([ended, delay(ms, false, { ref: false })])
    // The thread ends itself. Terminating it while it runs native code would end the whole process.
    thread.postMessage(WRITER_STOP)
    if (await endsWithin(ENDING_MS)) return
    const isLocked = this.#options.isLockedElsewhere()
    if (!isLocked && (await endsWithin(SLOW_ENDING_MS))) return
    this.#hasFailedToEnd = true
    const reason = isLocked ? 'waits for the write lock of the store' : 'does not end'
    throw new WriteError(`the writer thread ${reason}, and cannot be ended`)
  }

  #start(): void {
    clearTimeout(this.#restart)
    const { dataDir, logAddress: address, timeoutMs } = this.#options
    const cluster = address === undefined ? undefined : { address, timeoutMs }
    const start: WriterStart = { dataDir, batchState: this.#batchState, cluster }
    const thread = new Worker(THREAD_FILE, { workerData: start, resourceLimits: WRITER_HEAP })
    thread.on('message', (message: FromWriter) => {
      if ('results' in message) this.#finish(message.results)
      else if ('started' in message) this.#noteStart()
      else if ('dropFailure' in message) this.#options.onDropFailure(new Error(message.dropFailure))
      else if ('eraseFailure' in message) this.#options.onEraseFailure(new Error(message.eraseFailure))
      else if ('clusterStatus' in message) this.#noteStatus(message.clusterStatus)
      else if ('engineWarning' in message) this.#options.onEngineWarning?.(message.engineWarning)
      else this.#finishDerived(message)
    })
    // An exit event follows an error, and handles the loss.
    thread.on('error', this.#options.onThreadError)
    thread.on('exit', (code) => this.#replace(new WriteError(`the writer thread ended with ${code}`)))
    this.#thread = thread
    this.#hasOpened = false
    this.#startedMs = performance.now()
    this.#sendNext()
  }

  #noteStatus(status: NodeStatus): void {
    const before = this.#clusterStatus
    this.#clusterStatus = status
    if (before === undefined || NEWS.some((field) => before[field] !== status[field]))
      this.#options.onClusterChange?.(status)
  }

  #noteStart(): void {
    this.#hasOpened = true
    this.#isDown = false
  }

  #sendNext(): void {
    if (this.#thread === undefined || this.#isBusy) return
    if (this.#queue.length === 0) {
      this.#idle?.()
      return
    }
    this.#sent = this.#queue.takeBatch()
    for (const waiting of this.#sent) waiting.attempts++
    const batch: WriteBatch = { entries: this.#sent.map(({ entry }) => entry) }
    this.#sentMs = performance.now()
    this.#isBusy = true
    Atomics.store(this.#batchState, 0, BATCH_WAITS)
    this.#thread.postMessage(batch)
  }

  #checkLater(): void {
    const { timeoutMs } = this.#options
    this.#check ??= setTimeout(() => {
      this.#check = undefined
      this.#rejectLate(performance.now() - timeoutMs)
      if (this.#sent.length > 0 || this.#queue.length > 0) this.#checkLater()
    }, timeoutMs / CHECKS_PER_TIMEOUT)
  }

  /** Withdraws the entries that came before a time. A batch that has begun cannot be withdrawn. */
  #rejectLate(sinceMs: number): void {
    const late = this.#queue.takeOlderThan(sinceMs)
    for (const waiting of late) waiting.reject(new WriteTimeoutError(waiting.attempts > 0))
    const isLate = (waiting: WaitingEntry): boolean => waiting.sinceMs < sinceMs
    if (!this.#sent.some(isLate)) return
    const state = Atomics.compareExchange(this.#batchState, 0, BATCH_WAITS, BATCH_WITHDRAWN)
    const hasBegun = state !== BATCH_WAITS
    for (const waiting of this.#sent.filter(isLate)) {
      waiting.reject(new WriteTimeoutError(hasBegun || waiting.attempts > 1))
    }
    if (!hasBegun) {
      const rest = this.#sent.filter((waiting) => !isLate(waiting))
      for (const waiting of rest) waiting.attempts--
      this.#queue.putBack(rest)
      this.#sent = []
    }
    if (!this.#isStuck) this.#options.onStuck()
    this.#isStuck = true
    if (this.#sent.length === 0 && this.#queue.length === 0) this.#idle?.()
  }

  #finish(results: readonly WriteResult[]): void {
    const sent = this.#sent
    this.#sent = []
    this.#isBusy = this.#isStuck = false
    this.#transactions.add(performance.now() - this.#sentMs)
    this.#written += sent.length
    for (const [n, waiting] of sent.entries()) {
      void this.#answers.turn().then(() => settle(waiting, results[n]))
    }
    this.#sendNext()
  }

  #finishDerived(answer: DerivedAnswer): void {
    const { id, failure } = answer
    const waiting = this.#derived.get(id)
    this.#derived.delete(id)
    if (failure === undefined) waiting?.resolve(answer)
    else waiting?.reject(errorOf({ ...answer, failure }))
  }

  /** The thread ended by itself. Starts another one after a while. */
  #replace(error: WriteError): void {
    this.#thread = undefined
    const lost = this.#sent
    this.#sent = []
    this.#isBusy = false
    if (this.#hasOpened) this.#sendAgain(lost, error)
    else this.#giveUp(lost, error)
    this.#rejectDerived(error)
    const delayMs = this.#backOff.delayAfter(performance.now() - this.#startedMs)
    if (this.#closing === undefined) this.#restart = setTimeout(() => this.#start(), delayMs)
    else if (this.#queue.length > 0) this.#start()
    else this.#idle?.()
  }

  /**
   * Sends lost entries again. It is unknown whether the thread had applied them, but applying an entry twice has no
   * effect.
   */
  #sendAgain(lost: readonly WaitingEntry[], error: WriteError): void {
    for (const waiting of lost) if (waiting.attempts >= MAX_ATTEMPTS) waiting.reject(error)
    this.#queue.putBack(lost.filter(({ attempts }) => attempts < MAX_ATTEMPTS))
  }

  /** The thread could not even start, and the next one may fail too. Rejects all waiting entries. */
  #giveUp(unsent: readonly WaitingEntry[], error: WriteError): void {
    this.#isDown = true
    for (const waiting of unsent) waiting.reject(waiting.attempts > 1 ? error : noThread())
    for (const waiting of this.#queue.takeAll()) waiting.reject(waiting.attempts > 0 ? error : noThread())
  }

  #rejectDerived(error: WriteError): void {
    for (const waiting of this.#derived.values()) waiting.reject(error)
    this.#derived.clear()
  }
}

const noThread = (): PoolFullError => new PoolFullError('the writer thread cannot be started')
