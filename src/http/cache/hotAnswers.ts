/**
 * Answers kept ready in memory by the path and query they were asked with, and never stale: an entry is good as of the
 * store's generation, a number that every write transaction of every process raises. When it has risen, the entry's own
 * check (`Reuse` of reply.ts) tells whether it is still true; without one it is made anew.
 *
 * A hit spares the routing, the parameters, the reads of the store, and making headers and body. What a native call
 * costs depends on how its strings come: as a JavaScript string 120 to 200 ns, as an ArrayBuffer 40, so all that is
 * handed to the library here are ArrayBuffers.
 */
import { BoundedCache } from './boundedCache.js'
import type { Conditions } from '../reply/conditional.js'
import { Doorkeeper } from './doorkeeper.js'
import { Head } from '../socket/head.js'
import { conditionally, type Reply, type Reuse } from '../reply/reply.js'
import type { RequestIds } from '../request/requestId.js'
import type { RouteMeter } from '../socket/requestMeters.js'
import type { Wiki, CurrentWiki } from '../views/wiki.js'

/** How many URLs are remembered that were asked for once. */
const DOOR_SLOTS = 1 << 17
/** What an entry costs beside its strings and bytes, roughly. */
const ENTRY_BYTES = 600

/** Header lines that the server puts around a request id, after the status and before a reply's own. */
export interface HeaderFrame {
  readonly beforeId: string
  readonly afterId: string
}

/** A ready answer with status 200. */
export interface HotAnswer {
  readonly body: ArrayBuffer
  readonly meter: RouteMeter
}

/** Under what the answer to a GET may be kept, and as of when it was made. */
export interface KeepAs {
  /** Path and query as received. */
  readonly url: string
  /** Of the store when the request was read, so that whatever was written since has the answer looked at again. */
  readonly generation: number
  /** Whose settings show in it. */
  readonly wiki: Wiki
}

interface Entry extends HotAnswer {
  readonly reply: Reply
  readonly reuse: Reuse
  /** URL of the API that stands in the answer; undefined when it is the same for every host. */
  readonly baseUrl: string | undefined
  /** Generation as of which the entry was compared with the store. */
  generation: number
  /** For ids of the server's own. */
  readonly head: Head
  /** For ids that a proxy gives, which mostly have one length. */
  namedHead?: Head
}

export interface HotAnswersOptions {
  /** Bounds what the entries take; 0 keeps none. */
  readonly capacityBytes: number
  readonly frame: HeaderFrame
  readonly requestIds: RequestIds
  readonly clock: { nowMs(): number }
}

export class HotAnswers {
  readonly #wikis: CurrentWiki
  readonly #options: HotAnswersOptions
  readonly #entries: BoundedCache<Entry>
  readonly #door = new Doorkeeper(DOOR_SLOTS)
  #wiki: Wiki
  /** Lookups that were answered at once, after a comparison with the store, and not at all. */
  hits = 0
  rechecks = 0
  misses = 0

  constructor(wikis: CurrentWiki, options: HotAnswersOptions) {
    this.#wikis = wikis
    this.#wiki = wikis.current()
    this.#options = options
    this.#entries = new BoundedCache(options.capacityBytes, weigh)
  }

  /**
   * The answer to a GET of `url`, path and query as received, as of a generation of the store; undefined when none is
   * kept that is still true. `baseUrl` gives the URL of the API that the request came to.
   */
  find(url: string, generation: number, baseUrl: () => string): HotAnswer | undefined {
    if (this.#wikis.current() !== this.#wiki) this.#forgetAll()
    const entry = this.#entries.get(url)
    if (entry === undefined) {
      this.misses++
      return undefined
    }
    if (!this.#isTrue(entry, generation) || (entry.baseUrl !== undefined && entry.baseUrl !== baseUrl())) {
      this.misses++
      this.#entries.delete(url)
      return undefined
    }
    if (entry.generation === generation) {
      this.hits++
    } else {
      this.rechecks++
      entry.generation = generation
    }
    return entry
  }

  /**
   * Status and header lines of an answer that `find` has just given, with the request's id; undefined: with the next of
   * the server's own. Good in the same tick.
   */
  headFor(answer: HotAnswer, id: string | undefined): ArrayBuffer {
    const entry = answer as Entry
    if (id === undefined) entry.head.stamp(this.#options.requestIds)
    else if (entry.namedHead?.fits(id) === true) entry.namedHead.name(id)
    else entry.namedHead = this.#makeHead(id, entry.reply)
    return (id === undefined ? entry.head : entry.namedHead!).buffer
  }

  #makeHead(id: string, { headers }: Reply): Head {
    const { beforeId, afterId } = this.#options.frame
    return new Head(`200 OK${beforeId}`, id, afterId + headers)
  }

  /** What conditions make of an answer that `find` has just given. */
  judge(answer: HotAnswer, conditions: Conditions): Reply {
    const { reply, reuse } = answer as Entry
    return conditionally(conditions, reuse.validators, () => reply)
  }

  /**
   * Keeps an answer to a GET whose URL was asked for before, where its route says that it may be used again. One that
   * was made with settings that have changed meanwhile, as it may be after it waited for a thread, is not kept.
   */
  keep({ url, generation, wiki }: KeepAs, reply: Reply, meter: RouteMeter, baseUrl: () => string): void {
    const { status, headers, body, reuse } = reply
    if (reuse === undefined || status !== 200 || !(body instanceof Uint8Array)) return
    if (wiki !== this.#wikis.current()) return
    if (!this.#door.admits(url)) return
    const ownBody = ownBytes(body)
    this.#entries.set(url, {
      head: this.#makeHead(this.#options.requestIds.first, reply),
      body: ownBody.buffer,
      meter,
      reply: { status, headers, body: ownBody },
      reuse,
      baseUrl: reuse.namesHost === true ? baseUrl() : undefined,
      generation,
    })
  }

  #isTrue({ generation, reuse }: Entry, now: number): boolean {
    if (reuse.goodUntilMs !== undefined && reuse.goodUntilMs <= this.#options.clock.nowMs()) return false
    return generation === now || reuse.isCurrent?.() === true
  }

  #forgetAll(): void {
    this.#wiki = this.#wikis.current()
    this.#entries.clear()
  }
}

/** A copy that has its memory to itself. */
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

function weigh(url: string, { head, body, reply }: Entry): number {
  const headBytes = 2 * head.buffer.byteLength + reply.headers.length
  return ENTRY_BYTES + url.length + headBytes + body.byteLength
}
