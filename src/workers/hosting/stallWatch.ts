/**
 * Ends work that waits for something that can never come. While a thread works, its port does not keep the event loop
 * alive. So when nothing else does, no timer, no request, no promise, nothing can ever go on: Node then emits
 * `beforeExit`.
 */
import type { MessagePort } from 'node:worker_threads'

/** The work will never end. */
export class StalledError extends Error {
  override readonly name = 'StalledError'
}

export class StallWatch {
  readonly #port: Pick<MessagePort, 'ref' | 'unref'>
  #giveUp: ((reason: StalledError) => void) | undefined

  /** `port` is what brings the thread its work; it keeps the thread alive between. */
  constructor(port: Pick<MessagePort, 'ref' | 'unref'>) {
    this.#port = port
    process.on('beforeExit', () => {
      port.ref()
      this.#giveUp?.(new StalledError('nothing is left that could end the work'))
    })
  }

  /** What comes of the work, one at a time; throws a StalledError. */
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
