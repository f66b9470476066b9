/**
 * Expansions in a thread of their own. A module can hang in one call of Lua's C library, which nothing inside stops.
 * Then the thread is ended, and the next job gets a new one.
 */
import { UserError } from '../../runtime/userError.js'
import { compiledFile } from '../../runtime/packageFiles.js'
import { JOB_HEAP } from '../hosting/heapLimits.js'
import { startThread, type WorkerEnding } from '../hosting/host.js'
import { watchJob } from '../hosting/jobWatch.js'
import { TaskTimeoutError } from '../hosting/poolErrors.js'
import { threadCpuTimeMs } from '../hosting/systemThreads.js'
import { WorkerSlot } from '../hosting/workerSlot.js'
import type { RenderSettings } from '../html/renderTasks.js'
import type { ExpandAnswer, ExpandGreeting, ExpandJob, ExpandStart } from './expandTasks.js'

const THREAD_FILE = compiledFile('workers/expand/expandThread.ts')

/** Exit status of a command that could not do its work. */
const TROUBLE = 2

/** The wiki or the folder of pages cannot be used. */
export class UnusableWikiError extends UserError {
  override readonly name = 'UnusableWikiError'
  override readonly exitStatus = TROUBLE
}

/** The thread was ended over a job. */
class JobEndedError extends Error {
  override readonly name = 'JobEndedError'
}

export interface ExpansionsOptions {
  /** Data folder of the wiki. Undefined: no wiki. */
  readonly dataDir: string | undefined
  /** Folder of pages that come before those of the wiki. */
  readonly pagesDir: string | undefined
  readonly renderSettings: RenderSettings
  /** Processor time of one job, after which the thread is ended. */
  readonly limitMs: number
}

export class Expansions {
  readonly #start: ExpandStart
  readonly #limitMs: number
  readonly #interrupt = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  #thread: ExpandThread | undefined

  constructor({ limitMs, ...start }: ExpansionsOptions) {
    this.#limitMs = limitMs
    this.#start = { ...start, interrupt: this.#interrupt.buffer }
  }

  /** Does one job at a time. Throws an UnusableWikiError. */
  async run(job: ExpandJob): Promise<ExpandAnswer> {
    Atomics.store(this.#interrupt, 0, 0)
    const thread = (this.#thread ??= new ExpandThread(this.#start))
    try {
      return await thread.run(job, this.#limitMs)
    } catch (error) {
      this.#thread = undefined
      if (error instanceof JobEndedError) return { result: 'ended', reason: error.message }
      if (!(error instanceof TaskTimeoutError)) throw error
      return { result: 'ended', reason: `${error.message} of processor time, and was ended` }
    }
  }

  /** Ends a console's line that runs, at its next instruction. */
  interrupt(): void {
    Atomics.store(this.#interrupt, 0, 1)
  }

  /** Ends the job that runs with its thread. */
  abort(): void {
    this.#thread?.abort(new JobEndedError('the line was ended'))
  }

  async close(): Promise<void> {
    await this.#thread?.end()
  }
}

class ExpandThread {
  readonly #slot: WorkerSlot<ExpandJob, ExpandAnswer>
  /** Linux's number of the thread, once it is ready. */
  readonly #ready: Promise<number | undefined>
  #greeted: (greeting: ExpandGreeting) => void = () => undefined
  #ended: (reason: Error) => void = () => undefined

  constructor(workerData: ExpandStart) {
    const options = { workerData, resourceLimits: JOB_HEAP }
    this.#ready = new Promise((resolve, reject) => {
      this.#greeted = (greeting) => {
        if ('ready' in greeting) resolve(greeting.threadNumber)
        if ('unusable' in greeting) reject(new UnusableWikiError(greeting.unusable))
      }
      this.#ended = reject
    })
    // Jobs get the error.
    this.#ready.catch(() => undefined)
    this.#slot = new WorkerSlot((events) => startThread(THREAD_FILE, options, events), {
      takesMessage: (message) => this.#takesGreeting(message as ExpandGreeting | ExpandAnswer),
      failureOf,
      onEnd: (ending) => this.#ended(failureOf(ending)),
    })
  }

  async run(job: ExpandJob, limitMs: number): Promise<ExpandAnswer> {
    const threadNumber = await this.#ready
    const stopWatch = watchJob({
      name: job.task === 'expand' ? 'the text' : 'the line',
      cpuMs: limitMs,
      wallMs: Infinity,
      usedCpuMs: () => (threadNumber === undefined ? undefined : threadCpuTimeMs(threadNumber)),
      giveUp: (reason) => this.#slot.giveUp(reason),
    })
    try {
      return await this.#slot.ask(job)
    } finally {
      stopWatch()
    }
  }

  abort(reason: Error): void {
    this.#slot.giveUp(reason)
  }

  end(): Promise<unknown> {
    return this.#slot.end()
  }

  #takesGreeting(message: ExpandGreeting | ExpandAnswer): boolean {
    if ('result' in message) return false
    this.#greeted(message)
    return true
  }
}

/** Why a thread ended by itself: its error is one of the program, unless its objects took too much memory. */
function failureOf({ error, code }: WorkerEnding): Error {
  const failure: NodeJS.ErrnoException | undefined = error
  if (failure?.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new JobEndedError('it took more memory than a thread may have, and was ended')
  return error ?? new Error(`the expanding thread ended with ${code}`)
}
