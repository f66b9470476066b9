/** Reads a file from a web server, and goes on where a connection broke off. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fetchFailure } from '../runtime/systemErrors.js'
import { productVersion } from '../runtime/version.js'
import { DumpError } from './dumpError.js'

export interface WebFileOptions {
  /** Longest silence of the server, in milliseconds. */
  readonly silenceMs?: number
  /** Waits before each attempt to go on, in ms. Progress starts the list anew; at its end the reading fails. */
  readonly retryDelaysMs?: readonly number[]
  /** Ends the reading, also a wait, which throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

const SILENCE_MS = 60_000
const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 16_000, 32_000]
/** Longest wait that a server may ask for. */
const MAX_RETRY_AFTER_S = 120
/** Servers that are busy or being restarted. */
const PASSING_STATUSES: readonly number[] = [429, 500, 502, 503, 504]

export const isWebAddress = (path: string): boolean => /^https?:\/\//i.test(path)

/** The part of the file that an answer has. */
interface Answer {
  readonly body: AsyncIterable<Uint8Array>
  /** Size of the whole file; undefined if the server does not tell. */
  readonly sizeBytes: number | undefined
  /** Entity tag or date that names this version of the file; undefined if the file cannot be read from the middle. */
  readonly version: string | undefined
}

/** A fault that may go away by itself: the connection broke, or the server was busy. */
class PassingFault extends Error {
  override readonly name = 'PassingFault'
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs = 0, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterMs = retryAfterMs
  }
}

export interface WebFile {
  readonly sizeBytes: number | undefined
  /** Throws a DumpError if the server does not give the rest of the file. */
  readonly chunks: AsyncGenerator<Buffer, void>
}

/**
 * Opens a file of a web server. Follows redirects, as many as `fetch` does. Throws a DumpError if the server cannot be
 * reached or has no such file.
 */
export async function openWebFile(url: string, options: WebFileOptions = {}): Promise<WebFile> {
  if (!URL.canParse(url)) throw new DumpError('is not a valid URL')
  const reader = new WebFileReader(url, options)
  const first = await reader.open()
  return { sizeBytes: first.sizeBytes, chunks: reader.read(first) }
}

class WebFileReader {
  /** Without name and password, which errors would show. */
  readonly #url: string
  readonly #credentials: Readonly<Record<string, string>>
  readonly #silenceMs: number
  readonly #retryDelaysMs: readonly number[]
  readonly #signal: AbortSignal | undefined
  #bytesRead = 0
  /** Attempts since the last progress. */
  #failures = 0
  #request = new AbortController()
  #silence: NodeJS.Timeout | undefined

  constructor(
    url: string,
    { silenceMs = SILENCE_MS, retryDelaysMs = RETRY_DELAYS_MS, signal }: WebFileOptions,
  ) {
    const { url: plain, credentials } = withoutCredentials(url)
    this.#url = plain
    this.#credentials = credentials
    this.#signal = signal
    this.#silenceMs = silenceMs
    this.#retryDelaysMs = retryDelaysMs
  }

  /** The first answer. A fault ends the reading at once, since most are mistakes in the URL. */
  async open(): Promise<Answer> {
    try {
      return await this.#ask({})
    } catch (fault) {
      this.#end()
      throw fault instanceof PassingFault ? unreadable(fault) : fault
    }
  }

  async *read(first: Answer): AsyncGenerator<Buffer, void> {
    try {
      for (let answer: Answer | undefined = first; answer !== undefined;) {
        const fault: PassingFault | undefined = yield* this.#readBody(answer)
        answer = fault && (await this.#resume(first, fault))
      }
    } finally {
      this.#end()
    }
  }

  /** Yields the rest of an answer. Returns the fault if it breaks off. */
  async *#readBody({ body, sizeBytes }: Answer): AsyncGenerator<Buffer, PassingFault | undefined> {
    try {
      for await (const chunk of body) {
        // The caller may take its time.
        clearTimeout(this.#silence)
        this.#failures = 0
        this.#bytesRead += chunk.length
        yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
        this.#listen()
      }
    } catch (cause) {
      return this.#passingFault(cause)
    }
    if (sizeBytes !== undefined && this.#bytesRead < sizeBytes)
      return new PassingFault('the connection ended early')
    return undefined
  }

  async #resume({ version, sizeBytes }: Answer, fault: PassingFault): Promise<Answer> {
    if (version === undefined || sizeBytes === undefined)
      throw new DumpError(`cannot be read: ${fault.message}, and the server cannot send the rest alone`)
    for (let last = fault; ;) {
      await this.#waitAfter(last)
      try {
        const answer = await this.#ask({ range: `bytes=${this.#bytesRead}-`, 'if-range': version })
        if (answer.version !== version || answer.sizeBytes !== sizeBytes) throw changed()
        return answer
      } catch (error) {
        if (!(error instanceof PassingFault)) throw error
        last = error
      }
    }
  }

  async #waitAfter(fault: PassingFault): Promise<void> {
    this.#end()
    const delayMs = this.#retryDelaysMs[this.#failures++]
    if (delayMs === undefined) throw unreadable(fault)
    try {
      await sleep(Math.max(delayMs, fault.retryAfterMs), undefined, { signal: this.#signal })
    } catch (cause) {
      throw this.#passingFault(cause)
    }
  }

  /** Throws the signal's reason if the signal caused the fault. */
  #passingFault(cause: unknown): PassingFault {
    this.#signal?.throwIfAborted()
    return new PassingFault(fetchFailure(cause), 0, { cause })
  }

  async #ask(headers: Readonly<Record<string, string>>): Promise<Answer> {
    this.#request = new AbortController()
    this.#listen()
    const response = await fetch(this.#url, {
      headers: {
        'user-agent': userAgent(),
        'accept-encoding': 'identity',
        ...this.#credentials,
        ...headers,
      },
      signal: AbortSignal.any([this.#request.signal, ...(this.#signal ? [this.#signal] : [])]),
    }).catch((cause: unknown) => {
      throw this.#passingFault(cause)
    })
    const { status, statusText, body } = response
    if (PASSING_STATUSES.includes(status))
      throw new PassingFault(`the server answers ${status} ${statusText}`.trimEnd(), retryAfterMs(response))
    const isRest = status === 206 && 'range' in headers
    if ((status !== 200 && !isRest) || body === null)
      throw new DumpError(`cannot be read: the server answers ${status} ${statusText}`.trimEnd())
    const { start, sizeBytes } = isRest
      ? contentRange(response)
      : { start: 0, sizeBytes: contentLength(response) }
    // An answer with the whole file means that the file has changed.
    if (start !== ('range' in headers ? this.#bytesRead : 0)) throw changed()
    return { body, sizeBytes, version: versionOf(response) }
  }

  /** Ends the request unless something comes within the longest silence. */
  #listen(): void {
    clearTimeout(this.#silence)
    const request = this.#request
    this.#silence = setTimeout(() => {
      request.abort(new Error(`the server was silent for ${this.#silenceMs / 1000} seconds`))
    }, this.#silenceMs)
  }

  #end(): void {
    clearTimeout(this.#silence)
    this.#request.abort()
  }
}

/** Takes name and password out of a URL, for a header: `fetch` refuses them there, and its error repeats them. */
function withoutCredentials(url: string): { url: string; credentials: Readonly<Record<string, string>> } {
  const parsed = new URL(url)
  const { username, password } = parsed
  if (username === '' && password === '') return { url, credentials: {} }
  parsed.username = parsed.password = ''
  const pair = `${decoded(username)}:${decoded(password)}`
  return { url: parsed.href, credentials: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign that begins no escape stands for itself.
    return text
  }
}

const changed = (): DumpError => new DumpError('changed on the server while it was read')

const unreadable = (fault: PassingFault): DumpError =>
  new DumpError(`cannot be read: ${fault.message}`, {}, { cause: fault })

function userAgent(): string {
  return `Palimpsest/${productVersion()} (import of dumps)`
}

/** Undefined if `fetch` has unpacked the body, whose size the server has not told then. */
function contentLength({ headers }: Response): number | undefined {
  const length = headers.get('content-length')
  return length === null || headers.has('content-encoding') ? undefined : Number(length)
}

function contentRange({ headers }: Response): { start: number; sizeBytes: number | undefined } {
  const [, start, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  return {
    start: start === undefined ? -1 : Number(start),
    sizeBytes: size === undefined ? undefined : Number(size),
  }
}

/** A strong entity tag, or a date. */
function versionOf({ headers }: Response): string | undefined {
  if (headers.has('content-encoding')) return undefined
  const tag = headers.get('etag')
  return (tag?.startsWith('W/') === true ? undefined : tag) ?? headers.get('last-modified') ?? undefined
}

function retryAfterMs({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? 0)
  return 1000 * Math.min(MAX_RETRY_AFTER_S, Number.isFinite(seconds) ? Math.max(0, seconds) : 0)
}
