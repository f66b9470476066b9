/**
 * Manages the processes that open files, with a bounded queue and a deadline for each task. A new process replaces a
 * lost one.
 */
import type { ForkOptions } from 'node:child_process'
import {
  type FileAnswer,
  type FileRequest,
  type FileTaskInput,
  type FileTaskName,
  type FileTaskOutput,
  OUT_OF_MEMORY,
} from './fileTasks.js'
import { compiledFile } from '../../runtime/packageFiles.js'
import { type WorkerEnding, startProcess } from '../hosting/host.js'
import { KeptWorkers } from '../hosting/keptWorkers.js'
import { Slots } from '../hosting/slots.js'
import { WorkerSlot } from '../hosting/workerSlot.js'

const PROCESS_FILE = compiledFile('workers/files/fileProcess.ts')
const FORK: ForkOptions = {
  execArgv: [],
  serialization: 'advanced',
  // Decoders write warnings about hostile files to standard error, which do not belong in a log.
  stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
}
/** Enough for a picture of 100 million pixels in full, and for its scaled copy. */
const DEFAULT_MEMORY_BYTES = 2 ** 30
const QUEUED_TASKS_PER_PROCESS = 32

/** The file is at fault: it is broken, or needs more time or memory than allowed. The message says what is wrong. */
export class FileTaskError extends Error {
  override readonly name = 'FileTaskError'
}

type FileProcess = WorkerSlot<FileRequest, FileAnswer>

export interface FileProcessesOptions {
  /** Most processes to run. Each starts when it is first needed. */
  readonly processes: number
  /** Longest time that a task may wait, and again the longest that it may then run. */
  readonly timeoutMs: number
  /** Most memory for one process. */
  readonly maxMemoryBytes?: number
}

export class FileProcesses {
  readonly #timeoutMs: number
  readonly #maxMemoryBytes: number
  readonly #slots: Slots
  readonly #processes = new KeptWorkers<FileProcess>((onEnd) => this.#start(onEnd))
  #closed = false

  constructor({ processes, timeoutMs, maxMemoryBytes = DEFAULT_MEMORY_BYTES }: FileProcessesOptions) {
    this.#timeoutMs = timeoutMs
    this.#maxMemoryBytes = maxMemoryBytes
    const maxWaiting = processes * QUEUED_TASKS_PER_PROCESS
    this.#slots = new Slots({ slots: processes, maxWaiting, maxWaitMs: timeoutMs })
  }

  /**
   * Runs a task. Throws a FileTaskError if the file is at fault, a PoolFullError if the queue is full, and a
   * TaskTimeoutError if no process becomes free in time. Throws another error if a process cannot be started.
   */
  async run<Name extends FileTaskName>(
    name: Name,
    input: FileTaskInput<Name>,
  ): Promise<FileTaskOutput<Name>> {
    await this.#slots.take()
    try {
      if (this.#closed) throw new Error('the processes for files are closed')
      const process = this.#processes.take()
      const answer = await this.#ask(process, { name, input } as FileRequest)
      this.#processes.giveBack(process)
      if ('failure' in answer) throw new FileTaskError(answer.failure)
      return answer.output as FileTaskOutput<Name>
    } finally {
      this.#slots.release()
    }
  }

  /** Ends the processes; running tasks fail. Safe to call twice. */
  close(): void {
    this.#closed = true
    void this.#processes.endAll()
  }

  async #ask(process: FileProcess, request: FileRequest): Promise<FileAnswer> {
    const giveUp = (): void => process.giveUp(new FileTaskError(`took longer than ${this.#timeoutMs} ms`))
    const timer = setTimeout(giveUp, this.#timeoutMs)
    try {
      return await process.ask(request)
    } finally {
      clearTimeout(timer)
    }
  }

  #start(onEnd: () => void): FileProcess {
    return new WorkerSlot(
      (events) => startProcess(PROCESS_FILE, [String(this.#maxMemoryBytes)], FORK, events),
      {
        failureOf,
        onEnd,
      },
    )
  }
}

function failureOf({ code, signal, error }: WorkerEnding): Error {
  if (error !== undefined) return new Error('a process that opens files cannot be started', { cause: error })
  return new FileTaskError(lossOf(code, signal))
}

function lossOf(code: number | null, signal: string | null): string {
  if (code === OUT_OF_MEMORY) return 'takes too much memory to open'
  return `ended the process that opened it (${signal ?? `status ${code}`})`
}
