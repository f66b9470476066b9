/**
 * Compresses answers for clients that accept it. Ready answers are kept compressed (hotAnswers.ts), so a popular body
 * is compressed once.
 *
 *     below 1 kB, pictures, files         as they are
 *     up to 16 kB                         on the event loop: brotli takes 0.3 ms, gzip 0.2 ms
 *     above                               in a compute thread; if too many bodies wait there, as they are
 */
import { counter, type Figure } from '../../metrics/figures.js'
import type { ComputePool } from '../../workers/compute/pool.js'
import { MAX_INLINE_BYTES } from '../../workers/compute/inline.js'
import { compress } from '../../workers/compute/compress.js'
import { PoolFullError, TaskTimeoutError } from '../../workers/hosting/poolErrors.js'
import type { Reply } from '../reply/reply.js'
import { type Accepted, type Coding, encodedHeaders } from './codings.js'

/** Smaller bodies fit into one packet of a network anyway. */
const MIN_BYTES = 1024
/** Bodies of this process in the compute pool. Its queue belongs to comparisons and searches too. */
const MAX_IN_THREADS = 16

const COMPRESSIBLE =
  /\r\nContent-Type: (?:text\/|image\/svg|application\/(?:json|javascript|[\w.-]+\+(?:json|xml)|xml)\b)/
const VARY = '\r\nVary: Accept-Encoding'

/** A reply whose body is in memory. */
type BodyReply = Reply & { readonly body: Uint8Array }

export class Encoder {
  readonly #pool: Pick<ComputePool, 'run'>
  #inThreads = 0
  readonly #counts = { br: 0, gzip: 0, skipped: 0 }

  constructor(pool: Pick<ComputePool, 'run'>) {
    this.#pool = pool
  }

  /** The answer in the best coding that the client accepts. It says so in `Vary`, even if the client accepts none. */
  encode(reply: Reply | Promise<Reply>, accepted: Accepted): Reply | Promise<Reply> {
    if (reply instanceof Promise) return reply.then((ready) => this.encode(ready, accepted))
    if (!isCompressible(reply)) return reply
    const varying = { ...reply, headers: reply.headers + VARY }
    const coding = accepted.codings[0]
    if (coding === undefined) return varying
    if (reply.body.length > MAX_INLINE_BYTES.compression) return this.#encodeInThread(varying, coding)
    return this.#encoded(varying, coding, compress(reply.body, coding))
  }

  figures(): Figure[] {
    return [
      counter(
        'palimpsest_http_encoded_total',
        'Bodies compressed for an answer, and those sent as they are because too many waited for a compute thread.',
        Object.entries(this.#counts).map(([coding, value]) => ({ labels: { coding }, value })),
      ),
    ]
  }

  async #encodeInThread(reply: BodyReply, coding: Coding): Promise<Reply> {
    // The bytes may be valid in this tick only.
    const bytes = reply.body.slice()
    const plain = { ...reply, body: bytes }
    if (this.#inThreads >= MAX_IN_THREADS) return this.#skipped(plain)
    this.#inThreads++
    try {
      return this.#encoded(plain, coding, await this.#pool.run('compress', { bytes, coding }))
    } catch (error) {
      if (error instanceof PoolFullError || error instanceof TaskTimeoutError) return this.#skipped(plain)
      throw error
    } finally {
      this.#inThreads--
    }
  }

  #encoded(reply: BodyReply, coding: Coding, body: Uint8Array): Reply {
    if (body.length >= reply.body.length) return reply
    this.#counts[coding]++
    return { ...reply, headers: encodedHeaders(reply.headers, coding), body }
  }

  /** Not to be kept: a later answer may be compressed. */
  #skipped({ status, headers, body }: BodyReply): Reply {
    this.#counts.skipped++
    return { status, headers, body }
  }
}

function isCompressible(reply: Reply): reply is BodyReply {
  return (
    reply.body instanceof Uint8Array &&
    reply.body.length >= MIN_BYTES &&
    COMPRESSIBLE.test(reply.headers) &&
    !reply.headers.includes('\r\nContent-Encoding:')
  )
}
