/**
 * A worker and the one request that it has. The request ends with the worker's answer, or with the worker: its holder
 * sets the deadline, as some count processor time, and gives the request up.
 */
import type { WorkerEnding, Host, StartHost } from './host.js'

export interface WorkerSlotOptions {
  /** Gets messages that are no answers, as that the worker is ready: true for one of these. */
  readonly takesMessage?: (message: unknown) => boolean
  /** What the request of a worker that ended by itself fails with. */
  readonly failureOf: (ending: WorkerEnding) => Error
  /** Told when the worker has ended. `byItself`: nobody here ended it. */
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
  /** Set when it is to end. */
  #ended: Promise<unknown> | undefined
  /** Set when it has ended. */
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

  /** It has ended, or is about to. */
  get hasEnded(): boolean {
    return this.#ended !== undefined
  }

  /** Sends a request, one at a time, and waits for its answer. Throws what `failureOf` makes of its end. */
  ask(request: Request): Promise<Answer> {
    return this.wait(() => this.#host.post(request))
  }

  /** The same for a request that `begin` sends, perhaps later, with `post`. */
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

  /** Ends the worker, which takes too long: its request fails with `reason`. */
  giveUp(reason: Error): void {
    this.#asked?.reject(reason)
    void this.end()
  }

  /** Ends the worker; its request fails. Safe to call twice. */
  end(): Promise<unknown> {
    this.#ended ??= this.#host.end()
    return this.#ended
  }
}
