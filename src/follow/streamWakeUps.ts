/**
 * Wakes the follower when the wiki's event stream tells of a change. Its events are not trusted, and never needed:
 * they only make a poll begin at once. A silent stream is opened again, since listeners stall without a word.
 */
import { backOffMs, type Clock } from './api/etiquette.js'
import { Silence } from './api/exchange.js'

const SILENCE_MS = 30_000
/** Wake-ups are at least so far apart. */
const LEAST_GAP_MS = 1000
/** A longer event is none of ours. */
const MOST_LETTERS = 2 ** 20

export interface StreamOptions {
  /** Address of the wiki's action API: its host names the wiki in the events. */
  readonly url: string
  readonly userAgent: string
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Longest silence of the stream. */
  readonly streamSilenceMs?: number
}

export class StreamWakeUps {
  readonly #stream: string
  readonly #host: string
  readonly #options: StreamOptions
  readonly #tell: (message: string) => void
  readonly #closing = new AbortController()
  readonly #signal: AbortSignal
  #isDue = false
  #wokeAt = -Infinity
  #wake: (() => void) | undefined

  static open(stream: string, options: StreamOptions, tell: (message: string) => void): StreamWakeUps {
    const wakeUps = new StreamWakeUps(stream, options, tell)
    void wakeUps.#listen()
    return wakeUps
  }

  private constructor(stream: string, options: StreamOptions, tell: (message: string) => void) {
    this.#stream = stream
    this.#host = new URL(options.url).hostname
    this.#options = options
    this.#tell = tell
    this.#signal = AbortSignal.any([options.signal, this.#closing.signal])
  }

  close(): void {
    this.#closing.abort()
  }

  /** Resolves at once for an event since the last wait, but not sooner than a second after the last wake-up. */
  async wait(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    if (!this.#isDue)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    this.#wake = undefined
    if (signal.aborted) return
    await clock.sleep(Math.max(0, this.#wokeAt + LEAST_GAP_MS - clock.now()), signal)
    this.#isDue = false
    this.#wokeAt = clock.now()
  }

  #call(): void {
    this.#isDue = true
    this.#wake?.()
  }

  async #listen(): Promise<void> {
    const { clock } = this.#options
    for (let failures = 0; !this.#signal.aborted; failures++) {
      const began = clock.now()
      const fault = await this.#read()
      if (this.#signal.aborted) return
      if (clock.now() - began > SILENCE_MS) failures = 0
      this.#tell(`the event stream ended: ${fault}`)
      await clock.sleep(backOffMs(failures, clock.chance()), this.#signal)
    }
  }

  /** Reads the stream to its end, and returns why it ended. */
  async #read(): Promise<string> {
    const { streamSilenceMs: silenceMs = SILENCE_MS, userAgent } = this.#options
    const silence = new Silence(silenceMs)
    try {
      const response = await fetch(this.#stream, {
        headers: { accept: 'text/event-stream', 'user-agent': userAgent },
        signal: AbortSignal.any([this.#signal, silence.signal]),
      })
      if (response.status !== 200 || response.body === null) {
        await response.body?.cancel()
        return `the server answers ${response.status}`
      }
      const decoder = new TextDecoder()
      let rest = ''
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        silence.restart()
        const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r/)
        rest = lines.pop() ?? ''
        if (rest.length > MOST_LETTERS) rest = ''
        for (const line of lines) if (line.startsWith('data:')) this.#take(line)
      }
      return 'the server closed it'
    } catch (error) {
      return silence.signal.aborted ? `it was silent for ${silenceMs / 1000} s` : String(error)
    } finally {
      silence.end()
    }
  }

  /** An event of our wiki wakes; one without a name of its wiki too. */
  #take(data: string): void {
    const [, domain] = /"domain":"([^"]{1,255})"/.exec(data) ?? []
    if (domain === undefined || domain === this.#host) this.#call()
  }
}
