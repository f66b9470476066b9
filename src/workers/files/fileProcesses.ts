/** The front of the processes that open files: a bounded queue, a deadline for each task, a new process for a lost one. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import {
  type FileAnswer,
  type FileTaskInput,
  type FileTaskName,
  type FileTaskOutput,
  OUT_OF_MEMORY,
} from './fileTasks.js'
import { PoolFullError, TaskTimeoutError } from '../hosting/poolErrors.js'
import { Slots, SlotsFullError, SlotWaitError } from '../hosting/slots.js'

/** Compiled code, from src (in tests) as from dist. */
const PROCESS_FILE = fileURLToPath(new URL('../../../dist/workers/files/fileProcess.js', import.meta.url))
/** Room for a picture of 100 million pixels in full, and for what is made of it. */
const DEFAULT_MEMORY_BYTES = 2 ** 30
const QUEUED_TASKS_PER_PROCESS = 32

/** The file is at fault: it is broken, or costs more than it may. The message says what is wrong with it. */
export class FileTaskError extends Error {
  override readonly name = 'FileTaskError'
}

export interface FileProcessesOptions {
  /** How many there may be; each is started when it is first needed. */
  readonly processes: number
  /** Longest time that a task may wait, and longest time that it may then run. */
  readonly timeoutMs: number
  /** Memory that a process may take. */
  readonly maxMemoryBytes?: number
}

export class FileProcesses {
  readonly #timeoutMs: number
  readonly #maxMemoryBytes: number
  readonly #slots: Slots
  readonly #all = new Set<ChildProcess>()
  readonly #idle: ChildProcess[] = []
  #closed = false

  constructor({ processes, timeoutMs, maxMemoryBytes = DEFAULT_MEMORY_BYTES }: FileProcessesOptions) {
    this.#timeoutMs = timeoutMs
    this.#maxMemoryBytes = maxMemoryBytes
    const maxWaiting = processes * QUEUED_TASKS_PER_PROCESS
    this.#slots = new Slots({ slots: processes, maxWaiting, maxWaitMs: timeoutMs })
  }

  /**
   * Runs a task. Throws a FileTaskError where the file is at fault, a PoolFullError when the queue is full, a
   * TaskTimeoutError when no process became free in time; another error where the machine could not start a process.
   */
  async run<Name extends FileTaskName>(
    name: Name,
    input: FileTaskInput<Name>,
  ): Promise<FileTaskOutput<Name>> {
    await this.#takeSlot(name)
    try {
      if (this.#closed) throw new Error('the processes for files are closed')
      const child = this.#idle.pop() ?? this.#start()
      const answer = await ask(child, { name, input }, this.#timeoutMs)
      this.#idle.push(child)
      if ('failure' in answer) throw new FileTaskError(answer.failure)
      return answer.output as FileTaskOutput<Name>
    } finally {
      this.#slots.release()
    }
  }

  /** Ends the processes; running tasks fail. Safe to call twice. */
  close(): void {
    this.#closed = true
    for (const child of this.#all) child.kill('SIGKILL')
  }

  #start(): ChildProcess {
    // Decoders warn of what hostile files hold on standard error: that is no news for a log.
    const child = fork(PROCESS_FILE, [String(this.#maxMemoryBytes)], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#all.add(child)
    child.once('exit', () => this.#forget(child))
    // Without `exit`, where the machine cannot start it; whoever waits is told by `ask`.
    child.on('error', () => {
      if (child.pid === undefined) this.#forget(child)
    })
    return child
  }

  #forget(child: ChildProcess): void {
    this.#all.delete(child)
    const at = this.#idle.indexOf(child)
    if (at >= 0) this.#idle.splice(at, 1)
  }

  async #takeSlot(task: FileTaskName): Promise<void> {
    try {
      await this.#slots.take()
    } catch (error) {
      if (error instanceof SlotsFullError) throw new PoolFullError(`no room for ${task}`, { cause: error })
      if (error instanceof SlotWaitError)
        throw new TaskTimeoutError(`no process for ${task}`, { cause: error })
      throw error
    }
  }
}

/** Sends a request and waits for its answer; a process that gives none in time is ended. */
function ask(child: ChildProcess, request: object, timeoutMs: number): Promise<FileAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer)
      child.removeAllListeners('message')
      child.off('exit', onExit)
      child.off('error', onError)
    }
    const onExit = (code: number | null, signal: string | null): void => {
      settle()
      reject(new FileTaskError(lossOf(code, signal)))
    }
    const onError = (cause: Error): void => {
      settle()
      reject(new Error('a process that opens files cannot be started', { cause }))
    }
    const timer = setTimeout(() => {
      settle()
      child.kill('SIGKILL')
      reject(new FileTaskError(`took longer than ${timeoutMs} ms`))
    }, timeoutMs)
    child.once('exit', onExit)
    child.once('error', onError)
    child.once('message', (answer) => {
      settle()
      resolve(answer as FileAnswer)
    })
    // A process that has just died takes no request; its exit says the rest. One that was not started has no channel.
    if (child.pid !== undefined) child.send(request, () => undefined)
  })
}

function lossOf(code: number | null, signal: string | null): string {
  if (code === OUT_OF_MEMORY) return 'takes too much memory to open'
  return `ended the process that opened it (${signal ?? `status ${code}`})`
}
