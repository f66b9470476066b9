/**
 * A reader of the action API that a busy wiki can bear: one request at a time, each with its sender's address, gzip and
 * maxlag. Faults that may pass are waited out, from 1 s to 5 min, or as long as the wiki asks.
 */
import { backOffMs, type Clock } from './etiquette.js'
import { type Answer, type Exchange, exchange, type ExchangeLimits, retryAfterMs } from './exchange.js'
import { type Fields, fieldsOf, unexpected, Unstorable } from './fields.js'
import {
  AnswerTooLarge,
  FileRefused,
  FollowRefused,
  isBusy,
  mayPass,
  refusalOf,
  UpstreamFault,
} from './faults.js'

export type Parameters = Readonly<Record<string, string | number | undefined>>

export interface ApiOptions {
  /** Address of the action API, which ends in `api.php`. */
  readonly url: string
  readonly userAgent: string
  /** Token of an account. */
  readonly token?: string | undefined
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Gets each fault that is waited out, and since when there have been faults only, in milliseconds. */
  readonly onFault?: (fault: UpstreamFault, sinceMs: number) => void
  /** Faults for this long end the request with the last of them. Default: they never do. */
  readonly giveUpAfterMs?: number | undefined
  readonly maxBytes?: number
  readonly silenceMs?: number
}

/** Longest answer: some 50 texts of the greatest size that MediaWiki allows are more, and come in fewer at a time. */
const MAX_BYTES = 32 * 2 ** 20
const SILENCE_MS = 60_000
const MAX_LAG_SECONDS = 5
/** A wiki that lags by more than an hour is out of order. */
const MOST_LAG_SECONDS = 3600
/** Servers refuse long URLs; a longer query goes as a form. */
const MAX_QUERY_LENGTH = 4000

export class ApiClient {
  /** Requests sent so far. */
  requests = 0
  /** Greatest lag of replicas that the wiki has told, in seconds. */
  lag = 0
  /** The wiki's clock at its last answer, in seconds since 1970; ours if it does not tell. 0: no answer yet. */
  time = 0
  readonly #options: ApiOptions
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: ApiOptions) {
    this.#options = options
  }

  get signal(): AbortSignal {
    return this.#options.signal
  }

  /**
   * The answer to a query as `read` understands it, once the wiki gives one. An answer that `read` refuses is a fault
   * like any other. Throws an UpstreamFault for errors of the request, FollowRefused where no repetition helps, and the
   * signal's reason; `isDivisible`: AnswerTooLarge, after which the caller asks for fewer items.
   */
  query<Result>(
    parameters: Parameters,
    read: (answer: Fields) => Result,
    { isDivisible = false } = {},
  ): Promise<Result> {
    return this.#inTurn(async () => {
      try {
        return read(await this.#ask(parameters))
      } catch (error) {
        if (error instanceof AnswerTooLarge && !isDivisible) throw unexpected(error.message)
        // A value outside of any list, or one that is nested too deep.
        if (error instanceof Unstorable || error instanceof RangeError) throw unexpected(error.message)
        throw error
      }
    })
  }

  /** Reads a file of the wiki, piece by piece. `begin` is called before the first piece of each attempt. */
  read(url: string, maxBytes: number, begin: () => (bytes: Uint8Array) => void): Promise<void> {
    return this.#inTurn(async () => {
      const { silenceMs = SILENCE_MS, userAgent } = this.#options
      // The file may be on another host, which must not get the token.
      const request = { url, headers: { 'user-agent': userAgent, 'accept-encoding': 'gzip' } }
      await this.#exchange(request, { maxBytes, silenceMs }, begin()).catch((error: unknown) => {
        if (error instanceof UpstreamFault && /^http-4(?!08|29)/.test(error.code))
          throw new FileRefused(error.message, { cause: error })
        throw error
      })
    })
  }

  /** Reads a document of the wiki whole, with its headers. */
  document(url: string, maxBytes: number): Promise<Answer> {
    const { silenceMs = SILENCE_MS } = this.#options
    return this.#inTurn(() => this.#exchange({ url, headers: this.#headers() }, { maxBytes, silenceMs }))
  }

  /** Repeats a request after faults that may pass, and lets no two requests run at the same time. */
  #inTurn<Result>(request: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(() => this.patiently(request, requirePassing))
    this.#last = result.catch(() => undefined)
    return result
  }

  /**
   * Repeats an action after faults, and waits before it does. `mend` may throw a fault that no repetition helps, or
   * return true, and the action runs again at once. Throws FollowRefused where waiting does not help, or has lasted
   * too long.
   */
  async patiently<Result>(
    action: () => Promise<Result>,
    mend: (fault: UpstreamFault) => boolean | Promise<boolean> = () => false,
  ): Promise<Result> {
    const { clock } = this.#options
    const began = clock.now()
    for (let failures = 0; ; failures++) {
      this.signal.throwIfAborted()
      try {
        return await action()
      } catch (error) {
        if (!(error instanceof UpstreamFault)) throw error
        if (!(await mend(error))) await this.#wait(error, failures, clock.now() - began)
      }
    }
  }

  /** Waits after a fault, of which `failures` came before. */
  async #wait(fault: UpstreamFault, failures: number, sinceMs: number): Promise<void> {
    const { clock, onFault, giveUpAfterMs = Infinity, url } = this.#options
    onFault?.(fault, sinceMs)
    const options = { cause: fault }
    if (isLasting(fault) && this.time === 0) throw new FollowRefused(`${url}: ${fault.message}`, options)
    if (sinceMs >= giveUpAfterMs)
      throw new FollowRefused(`${url} has failed for ${minutes(sinceMs)}: ${fault.message}`, options)
    await clock.sleep(Math.max(fault.retryAfterMs, backOffMs(failures, clock.chance())), this.signal)
  }

  async #ask(parameters: Parameters): Promise<Fields> {
    const { url, token, maxBytes = MAX_BYTES, silenceMs = SILENCE_MS } = this.#options
    const form = new URLSearchParams({
      action: 'query',
      format: 'json',
      formatversion: '2',
      maxlag: String(MAX_LAG_SECONDS),
      ...(token !== undefined && { assert: 'user' }),
    })
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) form.set(name, String(value))
    const [query, headers] = [form.toString(), this.#headers()]
    const request =
      query.length > MAX_QUERY_LENGTH ? { url, headers, body: query } : { url: `${url}?${query}`, headers }
    return this.#parse(await this.#exchange(request, { maxBytes, silenceMs }))
  }

  async #exchange(
    request: Exchange,
    limits: ExchangeLimits,
    take?: (bytes: Uint8Array) => void,
  ): Promise<Answer> {
    this.requests++
    const answer = await exchange(request, limits, this.signal, take)
    this.time = answer.time ?? Math.floor(Date.now() / 1000)
    return answer
  }

  #headers(): Record<string, string> {
    const { userAgent, token } = this.#options
    return {
      'user-agent': userAgent,
      'accept-encoding': 'gzip',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
  }

  #parse({ headers, body }: Answer): Fields {
    const type = headers.get('content-type') ?? ''
    if (!/^application\/json\b/i.test(type)) throw unexpected(`its type is "${type.slice(0, 60)}"`)
    const answer = fieldsOf(parseJson(body), 'it is no object')
    if (answer['error'] !== undefined) throw this.#apiError(fieldsOf(answer['error'], 'error'), headers)
    return answer
  }

  #apiError({ code, info, lag }: Fields, headers: Headers): Error {
    const [word, text] = [String(code).slice(0, 100), String(info).slice(0, 300)]
    if (word === 'maxlag' && typeof lag === 'number')
      this.lag = Math.max(this.lag, Math.min(lag, MOST_LAG_SECONDS))
    return (
      refusalOf(word, text) ??
      new UpstreamFault(word, `the API answers ${word}: ${text}`, { retryAfterMs: retryAfterMs(headers) })
    )
  }
}

/** A fault of the address rather than of the moment: there is no such file, or nobody of that name. */
const isLasting = (fault: UpstreamFault): boolean =>
  !isBusy(fault) && (/^http-4\d\d$/.test(fault.code) || /ENOTFOUND/.test(fault.message))

/** Errors of the API lie in the request, and its sender must change it. */
function requirePassing(fault: UpstreamFault): boolean {
  if (!mayPass(fault)) throw fault
  return false
}

const minutes = (ms: number): string => `${Math.round(ms / 60_000)} minutes`

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch (cause) {
    throw new UpstreamFault('answer', 'the answer is not JSON, or was cut off', { cause })
  }
}
