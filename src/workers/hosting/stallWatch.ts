/**
 * Ends work that waits for an event that can never happen. While a thread works, its port does not keep the event loop
 * alive. If no timer, request or promise does so either, the work can never continue. Node then emits `beforeExit`.
 */
import type { MessagePort } from 'node:worker_threads'

/** The work will never end. */
export class StalledError extends Error {
  override readonly name = 'StalledError'
}

export class StallWatch {
  readonly #port: Pick<MessagePort, 'ref' | 'unref'>
  #giveUp: ((reason: StalledError) => void) | undefined

  /** `port` brings the thread its work, and keeps the thread alive between jobs. */
  constructor(port: Pick<MessagePort, 'ref' | 'unref'>) {
    this.#port = port
    process.on('beforeExit', () => {
      port.ref()
      this.#giveUp?.(new StalledError('nothing is left that could end the work'))
    })
  }

  /** Runs one job at a time and returns its result. Throws a StalledError. */
  async run<Output>(work: () => Promise<Output>): Promise<Output> {
    const stalled = new Promise<never>((_resolve, reject) => (this.#giveUp = reject))
    this.#port.unref()
    try {
      return await Promise.race([work(), stalled])
    } finally {
      this.#port.ref()
      this.#giveUp = undefined
    }
  }
}
