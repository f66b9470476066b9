/** The front of the writer thread: hands entries over and answers each when it is on the disk. */
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { BackOff } from '../../backOff.js'
import { counter, type Figure, gauge, histogram, Times } from '../../metrics/figures.js'
import type { Entry, Verdict } from '../../storage/entries.js'
import type { Rendering } from '../../storage/renderings.js'
import type { SessionChange } from '../../storage/sessions.js'
import { compiledFile } from '../hosting/compiledFile.js'
import { WRITER_HEAP } from '../hosting/heapLimits.js'
import { PoolFullError } from '../hosting/poolErrors.js'
import {
  BATCH_WAITS,
  BATCH_WITHDRAWN,
  type DerivedAnswer,
  type DerivedRequest,
  type DerivedTask,
  type FromWriter,
  type WriteBatch,
  type WriteResult,
  WRITER_STOP,
  type WriterStart,
} from './writerMessages.js'
import { type Waiting, WriteQueue } from './writeQueue.js'

const THREAD_FILE = compiledFile('workers/writer/writerThread.ts')
/** Work on derived tables that may wait; beyond that it is not worth keeping. */
const MAX_DERIVED = 100

/** An entry could not be applied, or thread after thread ended over it: whether it was applied is then unknown. */
export class WriteError extends Error {
  override readonly name = 'WriteError'
}

/** An entry was not written in time. */
export class WriteTimeoutError extends Error {
  override readonly name = 'WriteTimeoutError'
  /** The store was at it: it may be saved yet. Otherwise it was taken back, and is not saved. */
  readonly mayBeSaved: boolean

  constructor(mayBeSaved: boolean) {
    super(mayBeSaved ? 'writing takes too long' : 'waited too long for the write lock of the store')
    this.mayBeSaved = mayBeSaved
  }
}

/** The disk has no room for an entry, which was not written. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
}

/** How often an entry is handed to a thread: once more when the first one ends by itself. */
const MAX_ATTEMPTS = 2

interface WaitingEntry extends Waiting {
  resolve(verdict: Verdict): void
  reject(error: Error): void
}

interface WaitingDerived {
  resolve(revisionIds: readonly number[]): void
  reject(error: Error): void
}

/** How often it is checked whether entries have waited too long: so many times in that time. */
const CHECKS_PER_TIMEOUT = 10
/** What the thread may take to end when nothing waits for it. */
const ENDING_MS = 5000

export interface WriterOptions {
  readonly dataDir: string
  /** Longest time that an entry may wait to be written. */
  readonly timeoutMs: number
  /** Told once when entries wait for longer than that, until entries are written again. */
  readonly onStuck: () => void
  /** Told when the thread ends by itself; a new one is started then, after a while. */
  readonly onThreadError: (error: Error) => void
  /** Told when outdated HTML cannot be dropped, as on a full disk: once, though it is tried again until it can. */
  readonly onDropFailure: (error: Error) => void
}

/**
 * Sends entries to the thread, a batch at a time: what arrives while a batch is being written makes the next one, so
 * that all who wait share a transaction.
 */
export class Writer {
  readonly #options: WriterOptions
  /** Undefined between the end of one and the start of the next. */
  #thread: Worker | undefined
  #hasStarted = false
  #startedMs = 0
  /** The last thread ended before it had opened the store: nothing waits for the next one. */
  #isDown = false
  #restart: NodeJS.Timeout | undefined
  readonly #backOff = new BackOff()
  readonly #queue = new WriteQueue<WaitingEntry>()
  #sent: readonly WaitingEntry[] = []
  /** The thread has a batch, though nobody may wait for it any more. */
  #isBusy = false
  readonly #batchState = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  #check: NodeJS.Timeout | undefined
  #isStuck = false
  #hasFailedToEnd = false
  /** Work on derived tables by its number. It is lost with its thread. */
  readonly #derived = new Map<number, WaitingDerived>()
  #derivedId = 0
  #closing: Promise<void> | undefined
  #idle: (() => void) | undefined
  /** How long transactions took, from handing the entries over to knowing that they are on the disk. */
  readonly #transactions = new Times()
  #sentMs = 0
  #written = 0
  #refused = 0

  constructor(options: WriterOptions) {
    this.#options = options
    this.#start()
  }

  /**
   * Writes an entry. The verdict comes when it is on the disk, and every process sees the change from then on. Throws a
   * PoolFullError, also while no thread can be started, a WriteTimeoutError, a NoRoomError, or a WriteError.
   */
  write(entry: Entry): Promise<Verdict> {
    if (this.#closing !== undefined) return Promise.reject(new WriteError('the writer is closed'))
    if (this.#isDown) return Promise.reject(noThread())
    if (!this.#queue.hasRoomFor(entry)) {
      this.#refused++
      return Promise.reject(new PoolFullError('too many edits wait to be written'))
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ entry, sinceMs: performance.now(), attempts: 0, resolve, reject })
      this.#sendNext()
      this.#checkLater()
    })
  }

  /**
   * The thread is in native code, as while it waits for the write lock: an orderly end of the process would wait for
   * it.
   */
  get holdsUp(): boolean {
    return this.#isBusy || this.#derived.size > 0 || this.#hasFailedToEnd
  }

  figures(): Figure[] {
    const waiting = this.#queue.length + this.#sent.length
    return [
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
   * Keeps HTML, unless what it was made from has changed since. The rendering that takes the place of an older one may
   * push out the oldest. Throws a PoolFullError or a WriteError, after which the HTML is not kept.
   */
  async keepRendering(rendering: Rendering, maxBytes: number): Promise<void> {
    await this.#derive({ task: 'keepRendering', rendering, maxBytes })
  }

  /** Takes revisions out of the queue of those to be rendered again. */
  takeQueuedRenderings(limit: number): Promise<readonly number[]> {
    return this.#derive({ task: 'takeQueuedRenderings', limit })
  }

  /**
   * Opens or ends a session; every process knows it when this returns. Throws a PoolFullError, a WriteTimeoutError, a
   * NoRoomError, or a WriteError.
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

  #derive(derived: DerivedTask): Promise<readonly number[]> {
    if (this.#closing !== undefined) return Promise.reject(new PoolFullError('the writer is closed'))
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
   * Writes what waits, for as long as it may wait, then ends the thread. Throws a WriteError when the thread does not
   * end, as when it waits for the write lock: then nothing but a signal ends the process. Safe to call twice.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    if (this.#sent.length > 0 || this.#queue.length > 0) {
      const idle = new Promise<void>((resolve) => (this.#idle = resolve))
      // What waits is not to wait until a thread would be started again.
      if (this.#thread === undefined) this.#start()
      await idle
    }
    clearTimeout(this.#restart)
    clearTimeout(this.#check)
    const thread = this.#thread
    if (thread !== undefined) {
      thread.removeAllListeners('exit')
      const ended = new Promise((resolve) => thread.once('exit', () => resolve(true)))
      // It ends itself: to end a thread while it runs native code would end the whole process.
      thread.postMessage(WRITER_STOP)
      const hasEnded = await Promise.race([ended, delay(ENDING_MS, false, { ref: false })])
      this.#hasFailedToEnd = !hasEnded
      if (!hasEnded)
        throw new WriteError('the writer thread waits for the write lock of the store, and cannot be ended')
    }
    this.#rejectDerived(new WriteError('the writer was closed'))
  }

  #start(): void {
    clearTimeout(this.#restart)
    const start: WriterStart = { dataDir: this.#options.dataDir, batchState: this.#batchState }
    const thread = new Worker(THREAD_FILE, { workerData: start, resourceLimits: WRITER_HEAP })
    thread.on('message', (message: FromWriter) => {
      if ('results' in message) this.#finish(message.results)
      else if ('started' in message) this.#noteStart()
      else if ('dropFailure' in message) this.#options.onDropFailure(new Error(message.dropFailure))
      else this.#finishDerived(message)
    })
    // An error is followed by an exit, which is where the loss is dealt with.
    thread.on('error', this.#options.onThreadError)
    thread.on('exit', (code) => this.#replace(new WriteError(`the writer thread ended with ${code}`)))
    this.#thread = thread
    this.#hasStarted = false
    this.#startedMs = performance.now()
    this.#sendNext()
  }

  #noteStart(): void {
    this.#hasStarted = true
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

  /** Takes back the entries that came before a time; a batch that has begun cannot be taken back. */
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
      const result = results[n]
      if (result !== undefined && 'verdict' in result) waiting.resolve(result.verdict)
      else if (result?.isFull) waiting.reject(new NoRoomError(result.failure))
      else waiting.reject(new WriteError(result?.failure ?? 'the writer thread gave no verdict'))
    }
    this.#sendNext()
  }

  #finishDerived({ id, revisionIds = [], failure, isFull = false }: DerivedAnswer): void {
    const waiting = this.#derived.get(id)
    this.#derived.delete(id)
    if (failure === undefined) waiting?.resolve(revisionIds)
    else waiting?.reject(isFull ? new NoRoomError(failure) : new WriteError(failure))
  }

  /** The thread ended by itself: another one is started after a while. */
  #replace(error: WriteError): void {
    this.#thread = undefined
    const lost = this.#sent
    this.#sent = []
    this.#isBusy = false
    if (this.#hasStarted) this.#sendAgain(lost, error)
    else this.#giveUp(lost, error)
    this.#rejectDerived(error)
    const delayMs = this.#backOff.delayAfter(performance.now() - this.#startedMs)
    if (this.#closing === undefined) this.#restart = setTimeout(() => this.#start(), delayMs)
    else if (this.#queue.length > 0) this.#start()
    else this.#idle?.()
  }

  /**
   * Whether the thread had written what it was sent nobody knows: so all of it is sent again, since an entry that was
   * applied is not applied twice.
   */
  #sendAgain(lost: readonly WaitingEntry[], error: WriteError): void {
    for (const waiting of lost) if (waiting.attempts >= MAX_ATTEMPTS) waiting.reject(error)
    this.#queue.putBack(lost.filter(({ attempts }) => attempts < MAX_ATTEMPTS))
  }

  /** The thread could not even start, and the next one may not either: nothing waits for it. */
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
