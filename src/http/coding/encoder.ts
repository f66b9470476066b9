/**
 * Brings answers into the coding that their clients accept. Ready answers are kept encoded (hotAnswers.ts), so a
 * popular body is compressed once.
 *
 *     below 1 kB, pictures, files     as they are
 *     private answers                 as they are, see PRIVATE
 *     HTML of the store               put together from its deflated parts for clients that accept gzip
 *     up to 8 kB                      compressed on the event loop: brotli takes 0.2 ms, gzip 0.1 ms
 *     above                           compressed in a compute thread; if too many bodies wait there, as they are
 */
import { counter, type Figure } from '../../metrics/figures.js'
import type { ComputePool } from '../../workers/compute/pool.js'
import { MAX_INLINE_BYTES } from '../../workers/compute/tasks.js'
import { compress } from '../../workers/compute/compress.js'
import { PoolFullError, TaskTimeoutError } from '../../workers/hosting/poolErrors.js'
import { type PackedBody, type ReadyReply, type Reply, withOwnBody } from '../reply/reply.js'
import { type Accepted, type Coding, encodedHeaders } from './codings.js'
import { AnswerRoom, gzipOf, unpack } from './parts.js'

/** Smaller bodies fit into one packet of a network anyway. */
const MIN_BYTES = 1024
/** Bodies of this process in the compute pool. Its queue belongs to comparisons and searches too. */
const MAX_IN_THREADS = 16

const COMPRESSIBLE =
  /\r\nContent-Type: (?:text\/|image\/svg|application\/(?:json|javascript|[\w.-]+\+(?:json|xml)|xml)\b)/
/**
 * Pages for one reader have the token of the session, and repeat what the request says. If they were compressed, their
 * length would tell which guesses of the token are right (the attack is called BREACH).
 */
const PRIVATE = '\r\nCache-Control: private'
const VARY = '\r\nVary: Accept-Encoding'

/** A reply whose body is in memory. */
type BodyReply = Reply & { readonly body: Uint8Array }
type PackedReply = Reply & { readonly body: PackedBody }

export class Encoder {
  readonly #pool: Pick<ComputePool, 'run'>
  readonly #compresses: boolean
  readonly #room = new AnswerRoom()
  #inThreads = 0
  readonly #counts = { br: 0, gzip: 0, ready: 0, skipped: 0 }

  /** If it does not compress, every client gets bodies as they are, whatever it accepts. */
  constructor(pool: Pick<ComputePool, 'run'>, compresses: boolean) {
    this.#pool = pool
    this.#compresses = compresses
  }

  /** The answer in the best coding that the client accepts. It says so in `Vary`, even if the client accepts none. */
  encode(reply: Reply | Promise<Reply>, accepted: Accepted): ReadyReply | Promise<ReadyReply> {
    if (reply instanceof Promise) return reply.then((made) => this.encodeLater(made, accepted))
    if (isPacked(reply)) return this.#encodePacked(reply, accepted)
    if (!this.#compresses || !isCompressible(reply)) return reply as ReadyReply
    const varying = { ...reply, headers: reply.headers + VARY }
    const coding = accepted.codings[0]
    if (coding === undefined) return varying
    if (reply.body.length > MAX_INLINE_BYTES.compression) return this.#encodeInThread(varying, coding)
    return this.#encoded(varying, coding, compress(reply.body, coding))
  }

  /** As `encode`, for an answer that is not sent in this tick. By then, the room has other answers. */
  encodeLater(reply: Reply, accepted: Accepted): ReadyReply | Promise<ReadyReply> {
    const encoded = this.encode(reply, accepted)
    if (encoded instanceof Promise) return encoded
    return encoded.body === reply.body ? encoded : withOwnBody(encoded)
  }

  figures(): Figure[] {
    return [
      counter(
        'palimpsest_http_encoded_total',
        'Bodies compressed for an answer, taken compressed from the store (ready), ' +
          'or sent as they are because too many waited for a compute thread (skipped).',
        Object.entries(this.#counts).map(([coding, value]) => ({ labels: { coding }, value })),
      ),
    ]
  }

  #encodePacked(reply: PackedReply, accepted: Accepted): ReadyReply | Promise<ReadyReply> {
    const { parts } = reply.body
    if (this.#compresses && accepted.codings.includes('gzip')) {
      this.#counts.ready++
      return {
        ...reply,
        headers: encodedHeaders(reply.headers + VARY, 'gzip'),
        body: gzipOf(parts, this.#room),
      }
    }
    const body = unpack(parts, this.#room)
    return body instanceof Promise
      ? body.then((bytes) => this.encodeLater({ ...reply, body: bytes }, accepted))
      : this.encode({ ...reply, body }, accepted)
  }

  async #encodeInThread(reply: BodyReply, coding: Coding): Promise<ReadyReply> {
    // The bytes may be valid in this tick only, and `slice` of a Buffer copies nothing.
    const bytes = new Uint8Array(reply.body)
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

  #encoded(reply: BodyReply, coding: Coding, body: Uint8Array): ReadyReply {
    if (body.length >= reply.body.length) return reply
    this.#counts[coding]++
    return { ...reply, headers: encodedHeaders(reply.headers, coding), body }
  }

  /** Not to be kept: a later answer may be compressed. */
  #skipped({ status, headers, body }: BodyReply): ReadyReply {
    this.#counts.skipped++
    return { status, headers, body }
  }
}

const isPacked = (reply: Reply): reply is PackedReply => reply.body !== undefined && 'parts' in reply.body

function isCompressible(reply: Reply): reply is BodyReply {
  return (
    reply.body instanceof Uint8Array &&
    reply.body.length >= MIN_BYTES &&
    COMPRESSIBLE.test(reply.headers) &&
    !reply.headers.includes('\r\nContent-Encoding:') &&
    !reply.headers.includes(PRIVATE)
  )
}
