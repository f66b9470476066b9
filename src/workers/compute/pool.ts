/** The compute pool: a typed front of Piscina, with a bounded queue and a deadline for each task. */
import { EventEmitter } from 'node:events'
import { Piscina } from 'piscina'
import { isTooDifferent, TOO_DIFFERENT } from '../../diff/itemTable.js'
import type { Figure } from '../../metrics/figures.js'
import { compiledFile } from '../../runtime/packageFiles.js'
import { JOB_HEAP } from '../hosting/heapLimits.js'
import { poolFigures, Slots } from '../hosting/slots.js'
import { ModuleBlocks, RunningModule } from '../html/moduleBlocks.js'
import type { RenderWiki } from '../html/renderTasks.js'
import {
  type ComputeStart,
  runsModules,
  type TaskInput,
  type TaskName,
  type TaskOutput,
  type ThreadStarted,
} from './tasks.js'
import { TaskTimeoutError } from '../hosting/poolErrors.js'

const WORKER_FILE = compiledFile('workers/compute/worker.ts')
const QUEUED_TASKS_PER_THREAD = 64
/** Longest wait for threads to start, before they are ended. */
const START_TIMEOUT_MS = 60_000
/** The same when one has failed: those that replace it are likely to fail too. */
const FAILED_START_TIMEOUT_MS = 5000
/**
 * Share of a task's time that modules get: those that take longer end with an error, and the task is done all the same.
 */
const LUA_SHARE = 0.5

export interface PoolOptions {
  readonly wikis: readonly RenderWiki[]
  readonly thaiDictionary?: Uint8Array | undefined
  /** Modules that must not run for a while; pools may share the list. */
  readonly moduleBlocks?: ModuleBlocks
  readonly threads: number
  /** Longest time that a task may wait for a thread, and again the longest that it may then run. */
  readonly taskTimeoutMs: number
  /** Called when a thread fails outside a task, for instance because it cannot open the store. */
  readonly onThreadError: (error: Error) => void
}

/** The compute pool, as the parts of one wiki see it. */
export type WikiPool = Pick<ComputePool, 'threads'> & {
  run<Name extends TaskName>(name: Name, input: TaskInput<Name>): Promise<TaskOutput<Name>>
}

export class ComputePool {
  readonly #options: PoolOptions
  /** Undefined until the threads start. */
  #piscina: Piscina<unknown, unknown> | undefined
  /**
   * Tasks wait here rather than in Piscina, so that the time limit of a task starts when it runs. If one deadline
   * covered waiting and running, a server under load would end most tasks shortly before they finish. There is a slot
   * for each thread that has started: ending a thread that still loads native code would end the whole process.
   */
  readonly #slots: Slots
  readonly #taskTimeoutMs: number
  readonly #moduleBlocks: ModuleBlocks
  readonly threads: number
  /** Numbers of the threads that have started and live. */
  #started = new Set<number>()
  #onStartedOrFailed: () => void = () => undefined
  #hasFailed = false
  #ended = 0
  #closing: Promise<void> | undefined

  constructor(options: PoolOptions) {
    const { threads, taskTimeoutMs } = options
    this.#options = options
    this.#slots = new Slots({
      slots: 0,
      maxWaiting: threads * QUEUED_TASKS_PER_THREAD,
      maxWaitMs: taskTimeoutMs,
    })
    this.#taskTimeoutMs = taskTimeoutMs
    this.#moduleBlocks = options.moduleBlocks ?? new ModuleBlocks()
    this.threads = threads
  }

  /** Starts the threads, so that no task waits for them. Otherwise the first task does it. */
  start(): void {
    if (this.#closing === undefined) this.#piscina ??= this.#startThreads()
  }

  #startThreads(): Piscina<unknown, unknown> {
    const { wikis, thaiDictionary, onThreadError } = this.#options
    const workerData: ComputeStart = {
      wikis: wikis.map((wiki) => withLessLua(wiki, this.#taskTimeoutMs)),
      thaiDictionary,
      moduleBlocks: this.#moduleBlocks.memory,
    }
    const piscina = new Piscina<unknown, unknown>({
      filename: WORKER_FILE,
      minThreads: this.threads,
      maxThreads: this.threads,
      concurrentTasksPerWorker: 1,
      resourceLimits: JOB_HEAP,
      workerData,
    })
    piscina.on('workerCreate', keepInterface)
    piscina.on('error', (error: Error) => {
      onThreadError(error)
      this.#hasFailed = true
      this.#onStartedOrFailed()
    })
    piscina.on('message', ({ started }: ThreadStarted) => {
      this.#started.add(started)
      this.#countThreads()
      this.#onStartedOrFailed()
    })
    return piscina
  }

  /** Makes the slots as many as the threads that have started and live. */
  #countThreads(): void {
    const live = this.#piscina?.threads.map(({ threadId }) => threadId) ?? []
    this.#started = new Set(live.filter((threadId) => this.#started.has(threadId)))
    this.#slots.resize(this.#started.size)
  }

  get #isStarting(): boolean {
    return this.#piscina?.threads.some(({ threadId }) => !this.#started.has(threadId)) ?? false
  }

  /** The pool for one wiki, by its number in `wikis`. */
  of(wiki: number): WikiPool {
    return { threads: this.threads, run: (name, input) => this.run(name, input, wiki) }
  }

  /**
   * Runs a task in a thread, for the first wiki unless another one is named. Throws a PoolFullError if the queue is
   * full, and a TaskTimeoutError if the task does not begin or end in time, or would not. A thread that still
   * runs the task is then ended and replaced.
   *
   * An emitter with its own timer aborts the task. An AbortSignal with a timeout would keep the task in memory until a
   * full garbage collection.
   */
  async run<Name extends TaskName>(name: Name, input: TaskInput<Name>, wiki = 0): Promise<TaskOutput<Name>> {
    this.start()
    if (this.#piscina === undefined) throw new Error('the compute pool is closed')
    await this.#slots.take()
    const running = runsModules(name) ? new RunningModule() : undefined
    const signal = new EventEmitter()
    const timer = setTimeout(() => signal.emit('abort'), this.#taskTimeoutMs)
    try {
      const work = { ...input, wiki, ...(running !== undefined && { runningModule: running.memory }) }
      return (await this.#piscina.run(work, { name, signal })) as TaskOutput<Name>
    } catch (error) {
      // The thread may have ended. Piscina starts another one.
      this.#countThreads()
      if (error instanceof Error && error.name === 'AbortError') {
        this.#ended++
        this.#moduleBlocks.blame(running, this.#taskTimeoutMs)
        throw new TaskTimeoutError(`${name} was ended after ${this.#taskTimeoutMs} ms`, {
          cause: error,
          isOverrun: true,
        })
      }
      if (isTooDifferent(error)) throw new TaskTimeoutError(TOO_DIFFERENT, { cause: error, isOverrun: true })
      throw error
    } finally {
      clearTimeout(timer)
      this.#slots.release()
    }
  }

  figures(): Figure[] {
    return poolFigures('compute', this.#slots, this.#ended)
  }

  /** Ends the threads; running tasks fail. Safe to call twice. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#allStarted()
    await this.#piscina?.destroy()
  }

  /** Waits until no thread is starting any more, within a limit. */
  #allStarted(): Promise<void> {
    return new Promise((resolve) => {
      let timer = setTimeout(resolve, START_TIMEOUT_MS)
      let hasShortTimer = false
      this.#onStartedOrFailed = () => {
        if (!this.#isStarting) {
          clearTimeout(timer)
          resolve()
        } else if (this.#hasFailed && !hasShortTimer) {
          hasShortTimer = true
          clearTimeout(timer)
          timer = setTimeout(resolve, FAILED_START_TIMEOUT_MS)
        }
      }
      this.#onStartedOrFailed()
    })
  }
}

function withLessLua({ dataDir, renderSettings }: RenderWiki, taskTimeoutMs: number): RenderWiki {
  const luaTimeMs = Math.min(renderSettings.luaTimeMs, LUA_SHARE * taskTimeoutMs)
  return { dataDir, renderSettings: { ...renderSettings, luaTimeMs } }
}

/**
 * Makes Piscina use one description of a thread for all its tasks. Otherwise it makes one for each task, which lives
 * until a full garbage collection. Under 3,000 comparisons a second, such leftovers of tasks, queues and deadlines made
 * collections stop the event loop several times a second, for 5 to 10 ms. Without them it stops for half a millisecond.
 */
function keepInterface(description: object): void {
  const [key] = Object.getOwnPropertySymbols(description)
  const thread = key && (description as Record<symbol, object>)[key]
  if (thread === undefined || !('interface' in thread)) throw new Error('Piscina describes threads otherwise')
  Object.defineProperty(thread, 'interface', { value: description })
}
