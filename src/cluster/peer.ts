/** Asks another node of the cluster. */
import { Readable } from 'node:stream'

/** A node does not answer, refuses, or sends something wrong. */
export class PeerError extends Error {
  override readonly name = 'PeerError'
}

/** Longest time until the headers of an answer. Making a copy of a large store takes long. */
const ANSWER_MS = 10_000
const COPY_MS = 3_600_000

/** The answer to `GET /cluster/status`. */
export interface PeerStatus {
  readonly version: string
  readonly store: string
  readonly epoch: string | null
  readonly position: number
  readonly digest: string
  readonly first: number
  readonly at: string | null
  readonly state: string | null
  readonly reason: string | null
  readonly last: number | null
}

export class Peer {
  readonly url: URL
  readonly #secret: string

  constructor(url: URL, secret: string) {
    this.url = url
    this.#secret = secret
  }

  /** `at`: a position whose digest the node is to tell. Throws a PeerError. */
  async status(at?: number): Promise<PeerStatus> {
    const response = await this.#get(`cluster/status${at === undefined ? '' : `?at=${at}`}`, ANSWER_MS)
    return (await response.json()) as PeerStatus
  }

  /** The file of the store, compacted. Throws a PeerError. */
  async copy(): Promise<{ readonly bytes: Readable; readonly length: number }> {
    return bodyOf(await this.#get('cluster/copy', COPY_MS))
  }

  /**
   * The contents of a file; undefined if the node does not have them. `signal` ends the body, too. Throws a PeerError;
   * reading the bytes may throw others.
   */
  async contents(
    sha256: string,
    signal: AbortSignal,
  ): Promise<{ readonly bytes: Readable; readonly length: number } | undefined> {
    const response = await this.#get(`cluster/contents/${sha256}`, ANSWER_MS, { alsoGood: [404], signal })
    if (response.status !== 404) return bodyOf(response)
    await response.body?.cancel()
    return undefined
  }

  /** `timeoutMs` is for the headers alone. */
  async #get(
    path: string,
    timeoutMs: number,
    { alsoGood = [], signal }: { readonly alsoGood?: readonly number[]; readonly signal?: AbortSignal } = {},
  ): Promise<Response> {
    const stop = new AbortController()
    const signals = signal === undefined ? [stop.signal] : [stop.signal, signal]
    const timer = setTimeout(() => stop.abort(), timeoutMs)
    const base = this.url.href.endsWith('/') ? this.url.href : `${this.url.href}/`
    let response: Response
    try {
      const headers = { Authorization: `Bearer ${this.#secret}`, 'Accept-Encoding': 'identity' }
      response = await fetch(new URL(path, base), {
        headers,
        signal: AbortSignal.any(signals),
        redirect: 'error',
      })
    } catch (error) {
      throw new PeerError(`${this.url.host} does not answer: ${reasonOf(error)}`, { cause: error })
    } finally {
      clearTimeout(timer)
    }
    if (response.ok || alsoGood.includes(response.status)) return response
    await response.body?.cancel()
    throw new PeerError(
      response.status === 404
        ? `${this.url.host} has no such path: is the secret of the cluster the same there?`
        : `${this.url.host} answered ${response.status}`,
    )
  }
}

function bodyOf(response: Response): { bytes: Readable; length: number } {
  const length = Number(response.headers.get('content-length'))
  const bytes = Readable.fromWeb(response.body as never)
  // A connection may break before anybody reads. The reader then gets the error, too.
  bytes.on('error', () => undefined)
  return { bytes, length }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
