/** Threads and processes that work for this process, behind one interface. */
import { type ForkOptions, fork } from 'node:child_process'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** How a worker ended. */
export interface WorkerEnding {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** What a thread threw, or why a process could not be started. */
  readonly error: Error | undefined
}

export interface HostEvents {
  readonly onMessage: (message: unknown) => void
  /** Called once, when it has ended or could not be started. */
  readonly onEnd: (ending: WorkerEnding) => void
}

export interface Host {
  /** A worker that has just died takes no message; its end says the rest. */
  post(message: unknown): void
  /** Ends it; resolves when that is under way. */
  end(): Promise<unknown>
}

export type StartHost = (events: HostEvents) => Host

/**
 * Starts a thread whose first message says that it has loaded its native code. It is not ended before: that would end
 * the whole process.
 */
export function startThread(file: string, options: WorkerOptions, { onMessage, onEnd }: HostEvents): Host {
  const worker = new Worker(file, options)
  let error: Error | undefined
  const canEnd = new Promise<void>((resolve) => {
    worker.once('message', () => resolve())
    worker.once('exit', () => resolve())
  })
  worker.on('message', onMessage)
  // An exit follows.
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
  // Without an exit, where the machine cannot start it.
  child.on('error', (error) => {
    if (child.pid === undefined) onEnd({ code: null, signal: null, error })
  })
  return {
    post: (message) => {
      // One that was not started has no channel.
      if (child.pid !== undefined) child.send(message as object, () => undefined)
    },
    end: () => {
      child.kill('SIGKILL')
      return Promise.resolve()
    },
  }
}
