/**
 * A render pool: threads that convert wikitext to HTML and back, one job at a time each. A thread that takes too long,
 * grows too large or breaks is ended. Threads start when they are first needed. A pool that stays ready starts all of
 * them then, and replaces an ended one at once: starting one takes half a second, for which the next job would wait.
 */
import { counter, type Figure, gauge, histogram, Times } from '../../metrics/figures.js'
import { JOB_HEAP } from '../hosting/heapLimits.js'
import { PoolFullError, TaskTimeoutError } from '../hosting/poolErrors.js'
import { poolFigures } from '../hosting/slots.js'
import type {
  RenderAnswer,
  RenderJob,
  RenderReady,
  RenderResult,
  RenderStart,
  RenderWiki,
  StoreOpened,
  ThreadJob,
} from './renderTasks.js'
import { compiledFile } from '../../runtime/packageFiles.js'
import { FairSlots, type TakenSlot } from '../hosting/fairSlots.js'
import { type WorkerEnding, startThread } from '../hosting/host.js'
import { watchJob } from '../hosting/jobWatch.js'
import { KeptWorkers } from '../hosting/keptWorkers.js'
import { ModuleBlocks, RunningModule } from './moduleBlocks.js'
import { WorkerSlot } from '../hosting/workerSlot.js'
import { type ThreadCpuTime, threadCpuTimeMs } from '../hosting/systemThreads.js'

const THREAD_FILE = compiledFile('workers/html/renderThread.ts')
/**
 * A thread is replaced after this many jobs, or when its heap has grown to this size. The first jobs of a thread are
 * slow, until V8 has compiled the engine: that takes a quarter of the processor time of 500 small pages.
 */
const MAX_JOBS = 10_000
const MAX_HEAP_BYTES = 350 * 2 ** 20
const QUEUED_JOBS_PER_THREAD = 16

/** Jobs of no client belong to the client of this name. */
const NOBODY = ''

/** For whom a job is. */
export interface JobOwner {
  /** Number of the wiki in the list of the pool; the first by default. */
  readonly wiki?: number
  /** Clients share the threads equally. */
  readonly client?: string
}

/** A thread broke during its job. */
export class RenderThreadError extends Error {
  override readonly name = 'RenderThreadError'
  /** The job's objects took more memory than a thread may have. */
  readonly isOutOfMemory: boolean

  constructor(message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.isOutOfMemory = (options.cause as NodeJS.ErrnoException)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
  }
}

export interface RenderPoolOptions {
  /** Name of the pool in metrics. */
  readonly name: string
  readonly wikis: readonly RenderWiki[]
  readonly threads: number
  /** Longest time that a job may wait for a thread. */
  readonly maxWaitMs: number
  /**
   * Limits count processor time, so a busy machine fails no job. For the sake of waiting clients, a job also ends at
   * this multiple of its limit, counted from the request.
   */
  readonly maxStretch: number
  /** Nice value of its threads: higher ones give way to the event loop. */
  readonly niceness: number
  /** Threads end after this time without a job. Absent: they stay. */
  readonly maxIdleMs?: number
  /**
   * When long jobs have all threads and another client waits, one more thread starts, which ends after this time
   * without a job. Absent: none starts.
   */
  readonly extraIdleMs?: number
  /** Modules that must not run for a while; pools may share the list. */
  readonly moduleBlocks?: ModuleBlocks
  /** Called when a thread breaks. */
  readonly onThreadError: (error: Error) => void
  readonly threadCpuTimeMs?: ThreadCpuTime
}

/** Result of a job, and the time that its thread took. */
interface DoneJob {
  readonly outcome: RenderResult
  readonly tookMs: number
}

interface JobLimits {
  readonly cpuMs: number
  /** Counted from the job's start, without the wait before. */
  readonly wallMs: number
}

export class RenderPool {
  readonly #options: RenderPoolOptions
  readonly #slots: FairSlots
  readonly #moduleBlocks: ModuleBlocks
  readonly threads: number
  #staysReady = false
  readonly #kept = new KeptWorkers<RenderThread>((onEnd) => this.#start(onEnd))
  #jobs = 0
  #isClosed = false
  #ended = 0
  #broken = 0
  /** Time that jobs took in their threads, by task. */
  readonly #times = new Map<RenderJob['task'], Times>()

  constructor(options: RenderPoolOptions) {
    this.#options = options
    this.threads = options.threads
    this.#moduleBlocks = options.moduleBlocks ?? new ModuleBlocks()
    this.#slots = new FairSlots({
      slots: this.threads,
      maxWaiting: this.threads * QUEUED_JOBS_PER_THREAD,
      maxWaitMs: options.maxWaitMs,
      ...(options.extraIdleMs !== undefined && {
        extra: {
          idleMs: options.extraIdleMs,
          onOpen: () => this.#isClosed || this.#kept.warm(this.threads + 1),
          onClose: () => this.#kept.trim(this.threads),
        },
      }),
    })
  }

  /** Tells if a thread is idle, so that background work delays nobody. */
  get hasIdleThread(): boolean {
    return this.#jobs < this.threads
  }

  /**
   * Keeps all threads running from the first job on. Before, they would only take memory, 40 MB each: pages whose HTML
   * is kept need none.
   */
  stayReady(): void {
    this.#staysReady = true
  }

  /**
   * Does a job within `timeoutMs` of processor time of its thread, or of elapsed time if the system does not report the
   * former. If clients ask for more than the threads can do, they get equal shares. Throws:
   * - a PoolFullError if the queue is full or the thread could not start
   * - a TaskTimeoutError if the job did not begin or end in time; `isOverrun` tells if the job itself is to blame
   * - a RenderThreadError if the job broke its thread
   */
  async run(
    job: RenderJob,
    timeoutMs: number,
    { wiki = 0, client = NOBODY }: JobOwner = {},
  ): Promise<RenderResult> {
    this.#jobs++
    try {
      const slot = await this.#slots.take(client)
      const startMs = performance.now()
      const wallMs = this.#options.maxStretch * timeoutMs - slot.waitedMs
      let usedMs: number | undefined
      try {
        const done = await this.#runInThread({ ...job, wiki }, { cpuMs: timeoutMs, wallMs }, slot)
        // The start of a thread is not the client's fault: others may have cost the one before.
        usedMs = done.tookMs
        return done.outcome
      } finally {
        slot.release(usedMs ?? performance.now() - startMs)
      }
    } finally {
      this.#jobs--
    }
  }

  /** Ends the threads; running jobs fail. Safe to call twice. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#kept.endAll()
  }

  async #runInThread(job: ThreadJob, limits: JobLimits, slot: TakenSlot): Promise<DoneJob> {
    if (this.#isClosed) throw new RenderThreadError('the render pool is closed')
    if (this.#staysReady) this.#kept.warm(this.threads)
    const thread = this.#kept.take()
    slot.end = (reason) => thread.giveUp(reason)
    void thread.ready.then(() => (slot.workingSinceMs = performance.now()))
    const beganMs = performance.now()
    try {
      const done = await thread.run(job, limits)
      this.#timesOf(job.task).add(done.tookMs)
      return done
    } catch (error) {
      if (error instanceof TaskTimeoutError) this.#ended++
      // The module would take the next thread past its limit, too.
      if (isOverLimit(error)) this.#moduleBlocks.blame(thread.runningModule, performance.now() - beganMs)
      throw error
    } finally {
      if (thread.isWorn) void thread.end()
      this.#kept.giveBack(thread)
      if (!thread.hasEnded && this.#options.maxIdleMs !== undefined) thread.endAfter(this.#options.maxIdleMs)
    }
  }

  figures(): Figure[] {
    const { name: pool } = this.#options
    const series = [...this.#times].map(([task, times]) => ({ labels: { task }, times }))
    const labels = { pool }
    return [
      ...poolFigures(pool, this.#slots, this.#ended),
      gauge(
        'palimpsest_render_threads',
        'Render threads, some 200 MB each. Beside long renderings, one more than --render-threads.',
        [{ labels, value: this.#kept.size }],
      ),
      histogram('palimpsest_render_seconds', 'How long jobs took that render threads did.', series),
      counter('palimpsest_render_threads_broken_total', 'Render threads that broke over a job.', [
        { labels, value: this.#broken },
      ]),
    ]
  }

  #timesOf(task: RenderJob['task']): Times {
    const times = this.#times.get(task) ?? new Times()
    this.#times.set(task, times)
    return times
  }

  #start(onEnd: () => void): RenderThread {
    const { wikis, niceness, onThreadError, threadCpuTimeMs: cpuTime = threadCpuTimeMs } = this.#options
    const start = { wikis, niceness, moduleBlocks: this.#moduleBlocks.memory }
    return new RenderThread(start, cpuTime, (error, hasStarted) => {
      onEnd()
      if (error !== undefined) {
        this.#broken++
        onThreadError(error)
      }
      // A thread that cannot even start would be restarted for ever.
      if (hasStarted && this.#staysReady && !this.#isClosed) this.#kept.warm(this.threads)
    })
  }
}

/** One thread, which watches the time of its job. */
class RenderThread {
  readonly runningModule = new RunningModule()
  readonly #slot: WorkerSlot<ThreadJob, RenderAnswer>
  #jobs = 0
  #heapBytes = 0
  #hasStarted = false
  /** Resolves when the thread has started and loaded the engine. A job's time begins then. */
  readonly ready: Promise<void>
  #setReady: () => void = () => undefined
  readonly #cpuTimeMs: ThreadCpuTime
  #threadNumber: number | undefined
  #idleTimer: NodeJS.Timeout | undefined

  /** `onEnd` gets the error if the thread ended by itself, and whether it was ever ready. */
  constructor(
    start: Omit<RenderStart, 'runningModule'>,
    cpuTimeMs: ThreadCpuTime,
    onEnd: (error: Error | undefined, hasStarted: boolean) => void,
  ) {
    this.#cpuTimeMs = cpuTimeMs
    this.ready = new Promise((resolve) => (this.#setReady = resolve))
    const workerData: RenderStart = { ...start, runningModule: this.runningModule.memory }
    const options = { workerData, resourceLimits: JOB_HEAP }
    this.#slot = new WorkerSlot((events) => startThread(THREAD_FILE, options, events), {
      takesMessage: (message) => this.#takesMessage(message as StoreOpened | RenderReady | RenderAnswer),
      failureOf: (ending) => this.#failureOf(ending),
      onEnd: (ending, byItself) => onEnd(byItself ? causeOf(ending) : undefined, this.#hasStarted),
    })
  }

  get hasEnded(): boolean {
    return this.#slot.hasEnded
  }

  get isWorn(): boolean {
    return this.#jobs >= MAX_JOBS || this.#heapBytes >= MAX_HEAP_BYTES
  }

  async run(job: ThreadJob, limits: JobLimits): Promise<DoneJob> {
    clearTimeout(this.#idleTimer)
    this.#jobs++
    let startedMs = 0
    let stopWatch: () => void = () => undefined
    try {
      const { outcome, heapBytes } = await this.#slot.wait(() => {
        void this.ready.then(() => {
          startedMs = performance.now()
          this.#slot.post(job)
          stopWatch = watchJob({
            name: job.task,
            ...limits,
            usedCpuMs: () => this.#usedCpuMs(),
            giveUp: (reason) => this.#slot.giveUp(reason),
          })
        })
      })
      this.#heapBytes = heapBytes
      return { outcome, tookMs: performance.now() - startedMs }
    } finally {
      stopWatch()
    }
  }

  /** Ends the thread early. Its job fails with `reason`. */
  giveUp(reason: Error): void {
    this.#slot.giveUp(reason)
  }

  /** Ends the thread after `idleMs`, unless it gets a job before. */
  endAfter(idleMs: number): void {
    this.#idleTimer = setTimeout(() => void this.end(), idleMs).unref()
  }

  end(): Promise<unknown> {
    clearTimeout(this.#idleTimer)
    return this.#slot.end()
  }

  #takesMessage(message: StoreOpened | RenderReady | RenderAnswer): boolean {
    if ('opened' in message) return true
    if (!('ready' in message)) return false
    this.#threadNumber = message.threadNumber
    this.#hasStarted = true
    this.#setReady()
    return true
  }

  #failureOf(ending: WorkerEnding): Error {
    const cause = causeOf(ending)
    if (this.#hasStarted) return new RenderThreadError(cause.message, { cause })
    return new PoolFullError('a render thread cannot be started', { cause })
  }

  /** Processor time of the thread so far; undefined if unknown. */
  #usedCpuMs(): number | undefined {
    return this.#threadNumber === undefined ? undefined : this.#cpuTimeMs(this.#threadNumber)
  }
}

/** The job itself took too much time or memory. */
const isOverLimit = (error: unknown): boolean =>
  error instanceof TaskTimeoutError
    ? error.isOverrun
    : error instanceof RenderThreadError && error.isOutOfMemory

const causeOf = ({ code, error }: WorkerEnding): Error =>
  error ?? new Error(`a render thread ended with ${code}`)
