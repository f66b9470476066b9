/** Threads and processes that work for this process, behind one interface. */
import { type ForkOptions, fork } from 'node:child_process'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** The end of a worker. */
export interface WorkerEnding {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** The error that ended a thread, or that kept a process from starting. */
  readonly error: Error | undefined
}

export interface HostEvents {
  readonly onMessage: (message: unknown) => void
  /** Called once, when the worker has ended or could not start. */
  readonly onEnd: (ending: WorkerEnding) => void
}

export interface Host {
  /** Sends a message. A worker that has just died ignores it, and then reports its end. */
  post(message: unknown): void
  /** Ends the worker. Resolves once that is under way. */
  end(): Promise<unknown>
}

export type StartHost = (events: HostEvents) => Host

/**
 * Starts a thread whose first message says that it has loaded its native code. `end` waits for that message, since
 * ending the thread earlier would end the whole process.
 */
export function startThread(file: string, options: WorkerOptions, { onMessage, onEnd }: HostEvents): Host {
  const worker = new Worker(file, options)
  let error: Error | undefined
  const canEnd = new Promise<void>((resolve) => {
    worker.once('message', () => resolve())
    worker.once('exit', () => resolve())
  })
  worker.on('message', onMessage)
  // An exit event follows.
  worker.on('error', (thrown: Error) => (error = thrown))
  worker.once('exit', (code) => onEnd({ code, signal: null, error }))
  return {
    post: (message) => worker.postMessage(message),
    end: () => canEnd.then(() => worker.terminate()),
  }
}

export function startProcess(
  file: string,
  args: readonly string[],
  options: ForkOptions,
  { onMessage, onEnd }: HostEvents,
): Host {
  const child = fork(file, args, options)
  child.on('message', onMessage)
  child.once('exit', (code, signal) => onEnd({ code, signal, error: undefined }))
  // If the system cannot start the process, there is no exit event.
  child.on('error', (error) => {
    if (child.pid === undefined) onEnd({ code: null, signal: null, error })
  })
  return {
    post: (message) => {
      // A process that did not start has no channel.
      if (child.pid !== undefined) child.send(message as object, () => undefined)
    },
    end: () => {
      child.kill('SIGKILL')
      return Promise.resolve()
    },
  }
}
