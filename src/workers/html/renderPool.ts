/**
 * A render pool: threads that turn wikitext into HTML and back. One job at a time each; a thread that takes too long,
 * grows too large or breaks is ended. Threads start when they are first needed, or with `warm`. A warmed pool replaces
 * an ended thread at once: its start takes a second, for which the next job would wait.
 */
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { counter, type Figure, gauge, histogram, Times } from '../../metrics/figures.js'
import { JOB_HEAP } from '../hosting/heapLimits.js'
import { PoolFullError, TaskTimeoutError } from '../hosting/poolErrors.js'
import { poolFigures } from '../hosting/poolFigures.js'
import type {
  RenderAnswer,
  RenderJob,
  RenderReady,
  RenderResult,
  RenderSettings,
  RenderStart,
  StoreOpened,
} from './renderTasks.js'
import { FairSlots, type TakenSlot } from '../hosting/fairSlots.js'
import { SlotsFullError, SlotWaitError } from '../hosting/slots.js'
import { type ThreadCpuTime, threadCpuTimeMs } from '../hosting/threadCpuTime.js'

/** Threads run compiled code, from src (in tests) as from dist. */
const THREAD_FILE = fileURLToPath(new URL('../../../dist/workers/html/renderThread.js', import.meta.url))
/** A thread is replaced after so many jobs, or when its objects take so much. */
const MAX_JOBS = 500
const MAX_HEAP_BYTES = 350 * 2 ** 20
const QUEUED_JOBS_PER_THREAD = 16
/** Shorter waits for the rest of a job's time are not worth it. */
const MIN_REST_MS = 20

/** A job that got so much of its time before it was ended is to blame itself. */
const OVERRUN_SHARE = 0.8
/** Client of jobs that no client shares with others. */
const NOBODY = ''

/** A thread broke over its job. */
export class RenderThreadError extends Error {
  override readonly name = 'RenderThreadError'
  /** The job's objects took more than a thread may have. */
  readonly isOutOfMemory: boolean

  constructor(message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.isOutOfMemory = (options.cause as NodeJS.ErrnoException)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
  }
}

export interface RenderPoolOptions {
  /** Of its figures. */
  readonly name: string
  readonly dataDir: string
  readonly renderSettings: RenderSettings
  readonly threads: number
  /** Longest time that a job may wait for a thread. */
  readonly maxWaitMs: number
  /**
   * Limits are of processor time, so that a busy machine fails nobody. But somebody waits: a job is ended this many times
   * its limit after it was asked for, even if it got less.
   */
  readonly maxStretch: number
  /** Steps that its threads stand back behind the event loop. */
  readonly niceness: number
  /** Threads without a job for so long are ended. Absent: they stay. */
  readonly maxIdleMs?: number
  /** Told when a thread breaks. */
  readonly onThreadError: (error: Error) => void
  readonly threadCpuTimeMs?: ThreadCpuTime
}

/** What came of a job, and how long its thread had it. */
interface DoneJob {
  readonly outcome: RenderResult
  readonly tookMs: number
}

interface JobLimits {
  readonly cpuMs: number
  /** From the beginning, waiting not included. */
  readonly wallMs: number
}

interface RunningJob {
  resolve(done: DoneJob): void
  reject(error: Error): void
}

export class RenderPool {
  readonly #options: RenderPoolOptions
  readonly #slots: FairSlots
  readonly threads: number
  #isWarm = false
  readonly #idle: RenderThread[] = []
  readonly #all = new Set<RenderThread>()
  #jobs = 0
  #isClosed = false
  #ended = 0
  #broken = 0
  /** How long jobs took in their threads, by task. */
  readonly #times = new Map<RenderJob['task'], Times>()

  constructor(options: RenderPoolOptions) {
    this.#options = options
    this.threads = options.threads
    this.#slots = new FairSlots({
      slots: this.threads,
      maxWaiting: this.threads * QUEUED_JOBS_PER_THREAD,
      maxWaitMs: options.maxWaitMs,
    })
  }

  /** Whether there is a thread with nothing to do, so that work that can wait holds up nobody. */
  get hasIdleThread(): boolean {
    return this.#jobs < this.threads
  }

  /** Starts the threads, so that the first job finds one that is ready. */
  warm(): void {
    this.#isWarm = true
    while (!this.#isClosed && this.#all.size < this.threads) this.#idle.push(this.#start())
  }

  /**
   * Does a job within `timeoutMs` of its thread's processor time (of time, where the system does not tell). Clients get
   * equal shares of the threads while they ask for more than there is. Throws a PoolFullError when the queue is full or the
   * thread could not be started; a TaskTimeoutError, which says whether the job is to blame, when it has not begun or not
   * ended in time; a RenderThreadError when it broke its thread.
   */
  async run(job: RenderJob, timeoutMs: number, client = NOBODY): Promise<RenderResult> {
    this.#jobs++
    try {
      const slot = await this.#takeSlot(job, client)
      const startMs = performance.now()
      const wallMs = this.#options.maxStretch * timeoutMs - slot.waitedMs
      try {
        return await this.#runInThread(job, { cpuMs: timeoutMs, wallMs })
      } finally {
        slot.release(performance.now() - startMs)
      }
    } finally {
      this.#jobs--
    }
  }

  /** Ends the threads; running jobs fail. Safe to call twice. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#all].map((thread) => thread.end()))
  }

  async #runInThread(job: RenderJob, limits: JobLimits): Promise<RenderResult> {
    if (this.#isClosed) throw new RenderThreadError('the render pool is closed')
    const thread = this.#idle.pop() ?? this.#start()
    try {
      const { outcome, tookMs } = await thread.run(job, limits)
      this.#timesOf(job.task).add(tookMs)
      return outcome
    } catch (error) {
      if (error instanceof TaskTimeoutError) this.#ended++
      throw error
    } finally {
      if (thread.isWorn && !thread.hasEnded) void thread.end()
      if (!thread.hasEnded) {
        this.#idle.push(thread)
        if (this.#options.maxIdleMs !== undefined) thread.endAfter(this.#options.maxIdleMs)
      }
    }
  }

  figures(): Figure[] {
    const { name: pool } = this.#options
    const series = [...this.#times].map(([task, times]) => ({ labels: { task }, times }))
    const labels = { pool }
    return [
      ...poolFigures(pool, this.#slots, this.#ended),
      gauge('palimpsest_render_threads', 'Render threads, some 200 MB each.', [
        { labels, value: this.#all.size },
      ]),
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

  #start(): RenderThread {
    const {
      dataDir,
      renderSettings,
      niceness,
      onThreadError,
      threadCpuTimeMs: cpuTime = threadCpuTimeMs,
    } = this.#options
    const start: RenderStart = { dataDir, renderSettings, niceness }
    const thread = new RenderThread(start, cpuTime, (error) => {
      this.#all.delete(thread)
      const at = this.#idle.indexOf(thread)
      if (at >= 0) this.#idle.splice(at, 1)
      if (error !== undefined) {
        this.#broken++
        onThreadError(error)
      }
      // One that could not even start would be started for ever.
      if (thread.hasStarted && this.#isWarm) this.warm()
    })
    this.#all.add(thread)
    return thread
  }

  async #takeSlot({ task }: RenderJob, client: string): Promise<TakenSlot> {
    try {
      return await this.#slots.take(client)
    } catch (error) {
      if (error instanceof SlotsFullError) throw new PoolFullError(`no room for ${task}`, { cause: error })
      if (error instanceof SlotWaitError)
        throw new TaskTimeoutError(`no thread for ${task}`, { cause: error })
      throw error
    }
  }
}

/** One thread and the job it has. */
class RenderThread {
  readonly #worker: Worker
  #running: RunningJob | undefined
  #jobs = 0
  #heapBytes = 0
  #failure: Error | undefined
  #hasStarted = false
  #ended: Promise<unknown> | undefined
  /** It has started and loaded the engine: a job's time begins then. */
  readonly #ready: Promise<void>
  /** From then on it can be ended. */
  readonly #openedOrExited: Promise<void>
  readonly #cpuTimeMs: ThreadCpuTime
  #threadNumber: number | undefined
  #startedMs = 0
  #idleTimer: NodeJS.Timeout | undefined

  /** `onEnd` is told why, when the thread ended by itself. */
  constructor(start: RenderStart, cpuTimeMs: ThreadCpuTime, onEnd: (error: Error | undefined) => void) {
    this.#cpuTimeMs = cpuTimeMs
    this.#worker = new Worker(THREAD_FILE, { workerData: start, resourceLimits: JOB_HEAP })
    const exited = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()))
    let setReady = (): void => undefined
    this.#ready = new Promise((resolve) => (setReady = resolve))
    const opened = new Promise<void>((resolve) => this.#worker.once('message', () => resolve()))
    this.#openedOrExited = Promise.race([opened, exited])
    this.#worker.on('message', (message: StoreOpened | RenderReady | RenderAnswer) => {
      if ('opened' in message) return
      if (!('ready' in message)) return this.#finish(message)
      this.#threadNumber = message.threadNumber
      this.#hasStarted = true
      setReady()
    })
    this.#worker.on('error', (error: Error) => (this.#failure = error))
    this.#worker.on('exit', (code) => {
      const byItself = this.#ended === undefined
      const failure = this.#failure ?? new Error(`a render thread ended with ${code}`)
      this.#ended ??= Promise.resolve()
      onEnd(byItself ? failure : undefined)
      this.#running?.reject(
        this.#hasStarted
          ? new RenderThreadError(failure.message, { cause: failure })
          : new PoolFullError('a render thread cannot be started', { cause: failure }),
      )
    })
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined
  }

  get hasStarted(): boolean {
    return this.#hasStarted
  }

  get isWorn(): boolean {
    return this.#jobs >= MAX_JOBS || this.#heapBytes >= MAX_HEAP_BYTES
  }

  async run(job: RenderJob, { cpuMs: timeoutMs, wallMs }: JobLimits): Promise<DoneJob> {
    let timer: NodeJS.Timeout | undefined
    clearTimeout(this.#idleTimer)
    this.#jobs++
    try {
      return await new Promise<DoneJob>((resolve, reject) => {
        this.#running = { resolve, reject }
        void this.#ready.then(() => {
          this.#startedMs = performance.now()
          const cpuBefore = this.#usedCpuMs()
          const check = (): void => {
            const passedMs = performance.now() - this.#startedMs
            const cpuMs = cpuBefore === undefined ? undefined : (this.#usedCpuMs() ?? 0) - cpuBefore
            const restMs = Math.min(timeoutMs - (cpuMs ?? passedMs), wallMs - passedMs)
            if (restMs > MIN_REST_MS) {
              timer = setTimeout(check, restMs)
              return
            }
            const isOverrun = cpuMs === undefined || cpuMs >= OVERRUN_SHARE * timeoutMs
            const why = isOverrun ? 'took more than' : 'was given too little time to take'
            reject(new TaskTimeoutError(`${job.task} ${why} ${timeoutMs} ms`, { isOverrun }))
            void this.end()
          }
          this.#worker.postMessage(job)
          timer = setTimeout(check, Math.max(MIN_REST_MS, Math.min(timeoutMs, wallMs)))
        })
      })
    } finally {
      clearTimeout(timer)
      this.#running = undefined
    }
  }

  /** Ends the thread unless it gets a job before. */
  endAfter(idleMs: number): void {
    this.#idleTimer = setTimeout(() => void this.end(), idleMs).unref()
  }

  /** Processor time of the thread so far. */
  #usedCpuMs(): number | undefined {
    return this.#threadNumber === undefined ? undefined : this.#cpuTimeMs(this.#threadNumber)
  }

  /** Not while it loads native code: it would take the process with it. */
  end(): Promise<unknown> {
    clearTimeout(this.#idleTimer)
    this.#ended ??= this.#openedOrExited.then(() => this.#worker.terminate())
    return this.#ended
  }

  #finish({ outcome, heapBytes }: RenderAnswer): void {
    this.#heapBytes = heapBytes
    this.#running?.resolve({ outcome, tookMs: performance.now() - this.#startedMs })
  }
}
