/**
 * A worker and its present request. The request ends with the worker's answer, or with the worker. The holder watches
 * the deadline, since some deadlines count processor time, and calls `giveUp`.
 */
import type { WorkerEnding, Host, StartHost } from './host.js'

export interface WorkerSlotOptions {
  /**
   * Called with each message. Returns true for one that is not an answer, such as a worker's message that it is ready.
   */
  readonly takesMessage?: (message: unknown) => boolean
  /** Makes the error for the request of a worker that ended. */
  readonly failureOf: (ending: WorkerEnding) => Error
  /** Called when the worker has ended. `byItself`: nobody here ended it. */
  readonly onEnd: (ending: WorkerEnding, byItself: boolean) => void
}

interface Asked<Answer> {
  resolve(answer: Answer): void
  reject(error: Error): void
}

export class WorkerSlot<Request, Answer> {
  readonly #host: Host
  readonly #failureOf: WorkerSlotOptions['failureOf']
  #asked: Asked<Answer> | undefined
  /** Set when `end` was called, or the worker has ended. */
  #ended: Promise<unknown> | undefined
  /** Set when the worker has ended. */
  #ending: WorkerEnding | undefined

  constructor(start: StartHost, { takesMessage, failureOf, onEnd }: WorkerSlotOptions) {
    this.#failureOf = failureOf
    this.#host = start({
      onMessage: (message) => {
        if (takesMessage?.(message) !== true) this.#asked?.resolve(message as Answer)
      },
      onEnd: (ending) => {
        const byItself = this.#ended === undefined
        this.#ended ??= Promise.resolve()
        this.#ending = ending
        onEnd(ending, byItself)
        this.#asked?.reject(failureOf(ending))
      },
    })
  }

  /** The worker has ended or is ending. */
  get hasEnded(): boolean {
    return this.#ended !== undefined
  }

  /**
   * Sends a request and waits for its answer; one request at a time. Throws the error from `failureOf` if the worker
   * ends.
   */
  ask(request: Request): Promise<Answer> {
    return this.wait(() => this.#host.post(request))
  }

  /** Like `ask`, for a request that `begin` sends with `post`, perhaps later. */
  async wait(begin: () => void): Promise<Answer> {
    if (this.#ending !== undefined) throw this.#failureOf(this.#ending)
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.#asked = { resolve, reject }
        begin()
      })
    } finally {
      this.#asked = undefined
    }
  }

  post(request: Request): void {
    this.#host.post(request)
  }

  /** Ends a worker that takes too long. Its request fails with `reason`. */
  giveUp(reason: Error): void {
    this.#asked?.reject(reason)
    void this.end()
  }

  /** Ends the worker; its request fails. May be called twice. */
  end(): Promise<unknown> {
    this.#ended ??= this.#host.end()
    return this.#ended
  }
}
