/** Runs a generator ahead of its reader, until `maxBytes` wait to be read. */
export class ReadAhead<Result> {
  readonly #source: AsyncGenerator<Buffer, Result>
  readonly #maxBytes: number
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #isStopped = false
  #ended: { readonly result: Result } | { readonly error: unknown } | undefined
  /** Called when there is news for the reader, or room for the source. */
  #wakeReader: () => void = () => undefined
  #wakeSource: () => void = () => undefined
  readonly #running: Promise<void>

  constructor(source: AsyncGenerator<Buffer, Result>, maxBytes: number) {
    this.#source = source
    this.#maxBytes = maxBytes
    this.#running = this.#run()
  }

  /** Yields everything, and returns the source's result or throws its error. */
  async *read(): AsyncGenerator<Buffer, Result> {
    for (;;) {
      const ready = this.#waiting
      this.#waiting = []
      this.#waitingBytes = 0
      this.#wakeSource()
      yield* ready
      if (this.#waiting.length > 0) continue
      if (this.#ended !== undefined) break
      await new Promise<void>((resolve) => (this.#wakeReader = resolve))
    }
    if ('error' in this.#ended) throw this.#ended.error
    return this.#ended.result
  }

  /** Ends the source, and settles when it has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#wakeSource()
    await this.#running
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    try {
      for (;;) {
        const step = await this.#source.next()
        if (step.done === true) {
          this.#ended = { result: step.value }
          break
        }
        this.#waiting.push(step.value)
        this.#waitingBytes += step.value.length
        this.#wakeReader()
        while (this.#waitingBytes >= this.#maxBytes && !this.#isStopped)
          await new Promise<void>((resolve) => (this.#wakeSource = resolve))
        if (this.#isStopped) await this.#source.return(undefined as Result)
      }
    } catch (error) {
      this.#ended = { error }
    }
    this.#wakeReader()
  }
}
