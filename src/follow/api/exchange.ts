/** One request to an upstream and its answer, within limits of size and silence. */
import { parseHttpDate } from '../../domain/timestamp.js'
import { fetchFailure } from '../../runtime/systemErrors.js'
import { AnswerTooLarge, UpstreamFault } from './faults.js'

export interface ExchangeLimits {
  /** Longest answer, unpacked. */
  readonly maxBytes: number
  /** Longest silence of the server. */
  readonly silenceMs: number
}

export interface Exchange {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A form for POST; undefined for GET. */
  readonly body?: string
}

export interface Answer {
  readonly headers: Headers
  readonly body: Buffer
  /** The server's clock, in seconds since 1970; undefined if it does not tell. */
  readonly time: number | undefined
}

/** Longest wait that a server may ask for. */
const MAX_RETRY_AFTER_MS = 3_600_000

/**
 * Sends a request, and returns the answer if its status is 200. Throws an UpstreamFault, or AnswerTooLarge. `take` gets
 * the answer in pieces instead, and `body` is empty then.
 */
export async function exchange(
  request: Exchange,
  limits: ExchangeLimits,
  signal: AbortSignal,
  take?: (bytes: Uint8Array) => void,
): Promise<Answer> {
  const silence = new Silence(limits.silenceMs)
  const ends = AbortSignal.any([signal, silence.signal])
  try {
    const response = await send(request, ends)
    const { headers } = response
    if (response.status !== 200) {
      await response.body?.cancel()
      throw statusFault(response)
    }
    const chunks: Uint8Array[] = []
    await readBody(response, limits.maxBytes, silence, take ?? ((bytes) => chunks.push(bytes)))
    const time = parseHttpDate(headers.get('date') ?? '')
    return { headers, body: Buffer.concat(chunks), time }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof UpstreamFault || error instanceof AnswerTooLarge) throw error
    throw new UpstreamFault('network', fetchFailure(error), { cause: error })
  } finally {
    silence.end()
  }
}

function send({ url, headers, body }: Exchange, signal: AbortSignal): Promise<Response> {
  if (body === undefined) return fetch(url, { headers, signal })
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return fetch(url, { method: 'POST', headers: { ...headers, ...type }, body, signal })
}

async function readBody(
  { body }: Response,
  maxBytes: number,
  silence: Silence,
  take: (bytes: Uint8Array) => void,
): Promise<void> {
  let bytes = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    silence.restart()
    bytes += chunk.length
    if (bytes > maxBytes) throw new AnswerTooLarge(`the answer is longer than ${maxBytes} bytes`)
    take(chunk)
  }
}

function statusFault({ status, statusText, headers }: Response): UpstreamFault {
  const message = `the server answers ${status} ${statusText}`.trimEnd()
  return new UpstreamFault(`http-${status}`, message, { retryAfterMs: retryAfterMs(headers) })
}

/** The wait that a server asks for, as a number of seconds or a date; 0 without one. */
export function retryAfterMs(headers: Headers): number {
  const value = headers.get('retry-after')?.trim() ?? ''
  const date = parseHttpDate(value)
  const now = parseHttpDate(headers.get('date') ?? '')
  const seconds = /^\d{1,12}$/.test(value) ? Number(value) : date === undefined ? 0 : date - (now ?? date)
  return Math.min(MAX_RETRY_AFTER_MS, Math.max(0, 1000 * seconds))
}

/** Aborts a request when nothing comes for too long. */
export class Silence {
  readonly #ms: number
  readonly #request = new AbortController()
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number) {
    this.#ms = ms
    this.restart()
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }

  restart(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#request.abort(new Error(`the server was silent for ${this.#ms / 1000} seconds`))
    }, this.#ms)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
