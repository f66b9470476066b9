/**
 * The render pool: threads that turn wikitext into HTML and back. One job at a time each; a thread that takes too
 * long, grows too large or breaks is ended, and replaced at once, since the next job would else wait for a start that takes
 * a second. Threads are started when they are first needed, or by `warm`.
 */
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { counter, type Figure, histogram, Times } from '../metrics/figures.js'
import { JOB_HEAP } from './heapLimits.js'
import { PoolFullError, TaskTimeoutError } from './pool.js'
import { poolFigures } from './poolFigures.js'
import type {
  RenderAnswer,
  RenderJob,
  RenderReady,
  RenderResult,
  RenderSettings,
  StoreOpened,
} from './renderTasks.js'
import { Slots, SlotsFullError, SlotWaitError } from './slots.js'
import type { ComputeStart } from './tasks.js'
import { type ThreadCpuTime, threadCpuTimeMs } from './threadCpuTime.js'

/** Threads run compiled code, from src (in tests) as from dist. */
const THREAD_FILE = fileURLToPath(new URL('../../dist/workers/renderThread.js', import.meta.url))
/** A thread is replaced after so many jobs, or when its objects take so much. */
const MAX_JOBS = 500
const MAX_HEAP_BYTES = 350 * 2 ** 20
const QUEUED_JOBS_PER_THREAD = 16
/**
 * Limits are of processor time, so that a busy machine fails nobody; but a job that has not got its time after so many
 * times as long is ended all the same, since somebody waits for it.
 */
const MAX_STRETCH = 2
/** Shorter waits for the rest of a job's time are not worth it. */
const MIN_REST_MS = 20

/** A thread broke over its job. */
export class RenderThreadError extends Error {
  override readonly name = 'RenderThreadError'
}

export interface RenderPoolOptions {
  readonly dataDir: string
  readonly renderSettings: RenderSettings
  readonly threads: number
  /** Longest time that a job may wait for a thread. */
  readonly maxWaitMs: number
  /** Told when a thread breaks. */
  readonly onThreadError: (error: Error) => void
  readonly threadCpuTimeMs?: ThreadCpuTime
}

/** What came of a job, and how long its thread had it. */
interface DoneJob {
  readonly outcome: RenderResult
  readonly tookMs: number
}

interface RunningJob {
  resolve(done: DoneJob): void
  reject(error: Error): void
}

export class RenderPool {
  readonly #options: RenderPoolOptions
  readonly #slots: Slots
  readonly threads: number
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
    this.#slots = new Slots({
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
    while (!this.#isClosed && this.#all.size < this.threads) this.#idle.push(this.#start())
  }

  /**
   * Does a job within `timeoutMs` of its thread's processor time (of time, where the system does not tell). Throws a
   * PoolFullError when the queue is full or the thread could not be started; a TaskTimeoutError, which says whether the
   * job is to blame, when it has not begun or not ended in time; a RenderThreadError when it broke its thread.
   */
  async run(job: RenderJob, timeoutMs: number): Promise<RenderResult> {
    this.#jobs++
    try {
      await this.#takeSlot(job)
      try {
        return await this.#runInThread(job, timeoutMs)
      } finally {
        this.#slots.release()
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

  async #runInThread(job: RenderJob, timeoutMs: number): Promise<RenderResult> {
    if (this.#isClosed) throw new RenderThreadError('the render pool is closed')
    const thread = this.#idle.pop() ?? this.#start()
    try {
      const { outcome, tookMs } = await thread.run(job, timeoutMs)
      this.#timesOf(job.task).add(tookMs)
      return outcome
    } catch (error) {
      if (error instanceof TaskTimeoutError) this.#ended++
      throw error
    } finally {
      if (thread.isWorn && !thread.hasEnded) void thread.end()
      if (!thread.hasEnded) this.#idle.push(thread)
    }
  }

  figures(): Figure[] {
    const series = [...this.#times].map(([task, times]) => ({ labels: { task }, times }))
    return [
      ...poolFigures('render', this.#slots, this.#ended),
      histogram('palimpsest_render_seconds', 'How long jobs took that render threads did.', series),
      counter(
        'palimpsest_render_threads_broken_total',
        'Render threads that broke over a job.',
        this.#broken,
      ),
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
      onThreadError,
      threadCpuTimeMs: cpuTime = threadCpuTimeMs,
    } = this.#options
    const thread = new RenderThread({ dataDir, renderSettings }, cpuTime, (error) => {
      this.#all.delete(thread)
      const at = this.#idle.indexOf(thread)
      if (at >= 0) this.#idle.splice(at, 1)
      if (error !== undefined) {
        this.#broken++
        onThreadError(error)
      }
      // One that could not even start would be started for ever.
      if (thread.hasStarted) this.warm()
    })
    this.#all.add(thread)
    return thread
  }

  async #takeSlot({ task }: RenderJob): Promise<void> {
    try {
      await this.#slots.take()
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

  /** `onEnd` is told why, when the thread ended by itself. */
  constructor(start: ComputeStart, cpuTimeMs: ThreadCpuTime, onEnd: (error: Error | undefined) => void) {
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

  async run(job: RenderJob, timeoutMs: number): Promise<DoneJob> {
    let timer: NodeJS.Timeout | undefined
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
            const restMs = Math.min(timeoutMs - (cpuMs ?? passedMs), MAX_STRETCH * timeoutMs - passedMs)
            if (restMs > MIN_REST_MS) {
              timer = setTimeout(check, restMs)
              return
            }
            const isOverrun = cpuMs === undefined || cpuMs >= timeoutMs - MIN_REST_MS
            const why = isOverrun ? 'took more than' : 'was given too little time to take'
            reject(new TaskTimeoutError(`${job.task} ${why} ${timeoutMs} ms`, { isOverrun }))
            void this.end()
          }
          this.#worker.postMessage(job)
          timer = setTimeout(check, timeoutMs)
        })
      })
    } finally {
      clearTimeout(timer)
      this.#running = undefined
    }
  }

  /** Processor time of the thread so far. */
  #usedCpuMs(): number | undefined {
    return this.#threadNumber === undefined ? undefined : this.#cpuTimeMs(this.#threadNumber)
  }

  /** Not while it loads native code: it would take the process with it. */
  end(): Promise<unknown> {
    this.#ended ??= this.#openedOrExited.then(() => this.#worker.terminate())
    return this.#ended
  }

  #finish({ outcome, heapBytes }: RenderAnswer): void {
    this.#heapBytes = heapBytes
    this.#running?.resolve({ outcome, tookMs: performance.now() - this.#startedMs })
  }
}
