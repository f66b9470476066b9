/**
 * Ready answers in memory, by path, query and accepted codings. They are never stale: an entry is valid for one
 * generation of the store, a number that every write transaction of every process raises. After a rise, the entry's own
 * check (`Reuse` in reply.ts) decides whether it is still valid. An entry without a check is dropped.
 *
 * A hit skips routing, parameters, reads of the store, and making headers and body. A native call takes 120 to 200 ns
 * for a JavaScript string and 40 ns for an ArrayBuffer, so the library gets bytes only.
 */
import { BoundedCache } from '../../runtime/boundedCache.js'
import type { Conditions } from '../reply/conditional.js'
import { Slabs } from './slabs.js'
import { conditionally, type ReadyReply, type Reuse } from '../reply/reply.js'
import type { RequestIds } from '../request/requestId.js'
import type { RouteMeter } from '../access/requestMeters.js'
import type { LinePart } from '../access/accessLine.js'

/** Number of URLs whose first request is remembered. */
const DOOR_SLOTS = 1 << 17
/** Rough size of an entry without its strings and bytes. */
const ENTRY_BYTES = 600

/** Header lines before and after the request id. They follow the status and precede the reply's own lines. */
export interface HeaderFrame {
  readonly beforeId: string
  readonly afterId: string
}

/** A ready answer. Its status is 200. */
export interface HotAnswer {
  readonly body: Uint8Array
  readonly meter: RouteMeter
  /** The part of an access log line that shows it, if it was logged. */
  served?: LinePart
}

/** Identity of an answer to a GET, and the state of store and settings it was made from. */
export interface KeepAs {
  /** Path and query as received, and the codings that the client accepts. */
  readonly key: string
  /** Generation of the store when the request was read: any later write makes `find` check the answer again. */
  readonly generation: number
  /** Settings that the answer was made with. */
  readonly settings: object
}

interface Entry extends HotAnswer {
  /** In a slab. */
  body: Uint8Array
  readonly headers: string
  readonly reuse: Reuse
  /** Settings that the answer was made with. */
  readonly settings: object
  /** URL of the API that the answer contains; undefined when the answer is the same for every host. */
  readonly baseUrl: string | undefined
  /** Generation of the store at the last check of the entry. */
  generation: number
  /** Header for ids that this server makes. */
  readonly head: Head
  /** Header for ids that a proxy gives. Most of these have the same length. */
  namedHead?: Head
}

/** Memory for ready answers, which wikis share. Their keys differ. */
export class HotAnswerRoom {
  readonly slabs = new Slabs()
  readonly entries: BoundedCache<Entry>
  readonly door = new Doorkeeper(DOOR_SLOTS)

  /** 0 keeps no answers. */
  constructor(capacityBytes: number) {
    // Else a body in use would keep the slab of all those that were dropped.
    const renew = (entry: Entry): void => void (entry.body = this.slabs.copy(entry.body))
    this.entries = new BoundedCache(capacityBytes, weigh, renew)
  }
}

interface HotAnswersOptions {
  readonly room: HotAnswerRoom
  readonly frame: HeaderFrame
  readonly requestIds: RequestIds
  readonly clock: { nowMs(): number }
}

export class HotAnswers {
  readonly #settings: () => object
  readonly #options: HotAnswersOptions
  readonly #entries: BoundedCache<Entry>
  /** Lookups: valid at once, valid after a check against the store, and not found. */
  hits = 0
  rechecks = 0
  misses = 0

  /** `settings` gives the present settings. Answers of earlier ones are not used again. */
  constructor(settings: () => object, options: HotAnswersOptions) {
    this.#settings = settings
    this.#options = options
    this.#entries = options.room.entries
  }

  /**
   * A valid answer to a GET with this key (see `KeepAs`) at this generation of the store; undefined when there is no
   * such entry. `baseUrl` gives the URL of the API as the request names it.
   */
  find(key: string, generation: number, baseUrl: () => string): HotAnswer | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) {
      this.misses++
      return undefined
    }
    if (!this.#isTrue(entry, generation) || (entry.baseUrl !== undefined && entry.baseUrl !== baseUrl())) {
      this.misses++
      this.#entries.delete(key)
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
   * Status and header lines for an answer that `find` just returned, with the request's id. When `id` is undefined, the
   * server's next id. Valid in the same tick only.
   */
  headFor(answer: HotAnswer, id: string | undefined): ArrayBuffer {
    const entry = answer as Entry
    if (id === undefined) entry.head.stamp(this.#options.requestIds)
    else if (entry.namedHead?.fits(id) === true) entry.namedHead.name(id)
    else entry.namedHead = this.#makeHead(id, entry.headers)
    return (id === undefined ? entry.head : entry.namedHead!).buffer
  }

  /** The request id that `headFor` has just made for this answer. */
  stampedId(answer: HotAnswer): Uint8Array {
    return (answer as Entry).head.id
  }

  #makeHead(id: string, headers: string): Head {
    const { beforeId, afterId } = this.#options.frame
    return new Head(`200 OK${beforeId}`, id, afterId + headers)
  }

  /** Applies the request's conditions to an answer that `find` just returned. */
  judge(answer: HotAnswer, conditions: Conditions): ReadyReply {
    const { headers, body, reuse } = answer as Entry
    return conditionally(conditions, reuse.validators, () => ({ status: 200, headers, body }))
  }

  /**
   * Keeps the answer to a GET when its route allows reuse and the same was requested before. Site settings may change
   * while a request waits for a thread: an answer made with the old settings is not kept. `baseUrl` is the URL of the
   * API as the answer may name it; undefined if nobody asked for it.
   */
  keep(
    { key, generation, settings }: KeepAs,
    reply: ReadyReply,
    meter: RouteMeter,
    baseUrl: string | undefined,
  ): void {
    const { status, headers, body, reuse } = reply
    if (reuse === undefined || status !== 200 || !(body instanceof Uint8Array)) return
    if (settings !== this.#settings()) return
    if (!this.#options.room.door.admits(key)) return
    this.#entries.set(key, {
      head: this.#makeHead(this.#options.requestIds.first, headers),
      body: this.#options.room.slabs.copy(body),
      meter,
      headers,
      reuse: watched(reuse),
      settings,
      baseUrl: reuse.namesHost === true ? baseUrl : undefined,
      generation,
    })
  }

  #isTrue({ generation, reuse, settings }: Entry, now: number): boolean {
    if (settings !== this.#settings()) return false
    if (reuse.goodUntilMs !== undefined && reuse.goodUntilMs <= this.#options.clock.nowMs()) return false
    return generation === now || reuse.isCurrent?.() === true
  }
}

/** Without `watch`, which may hold another copy of the body. */
function watched({ watch, ...reuse }: Reuse): Reuse {
  return watch === undefined ? reuse : { ...reuse, isCurrent: watch() }
}

function weigh(key: string, { head, body, headers }: Entry): number {
  const headBytes = 2 * head.buffer.byteLength + headers.length
  // The part of a log line has the URL too.
  return ENTRY_BYTES + 2 * key.length + headBytes + body.byteLength
}

/** Status and all header lines in ASCII, with a request id of fixed length. One native call writes them all. */
class Head {
  readonly buffer: ArrayBuffer
  readonly #bytes: Uint8Array<ArrayBuffer>
  readonly #idAt: number
  readonly #idLength: number
  #id: Uint8Array | undefined

  constructor(before: string, id: string, after: string) {
    this.#bytes = new Uint8Array(Buffer.from(before + id + after, 'latin1'))
    this.buffer = this.#bytes.buffer
    this.#idAt = before.length
    this.#idLength = id.length
  }

  /** Replaces the id with the next one of `ids`, which must have made the first one too. */
  stamp(ids: RequestIds): void {
    ids.stamp(this.#bytes, this.#idAt)
  }

  /** The digits of the id that it has now. */
  get id(): Uint8Array {
    return (this.#id ??= this.#bytes.subarray(this.#idAt, this.#idAt + this.#idLength))
  }

  fits(id: string): boolean {
    return id.length === this.#idLength
  }

  /** Replaces the id with another of the same length, in ASCII. */
  name(id: string): void {
    for (let n = 0; n < id.length; n++) this.#bytes[this.#idAt + n] = id.charCodeAt(n)
  }
}

// Admission filter: remembers recent keys in fixed memory, so that a cache takes in only keys requested twice. One-off
// keys (a crawler's, or invented ones) then neither cost a copy nor evict entries in use.

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
/**
 * Associativity: hashes kept per group. Keys that arrive in turn would otherwise evict each other forever. With one
 * place per group, one in sixty of 2,000 keys in rotation never got in.
 */
const PLACES = 4

export class Doorkeeper {
  /** Hashes of the last keys of each group, the newest first. */
  readonly #hashes: Uint32Array

  /** `slots` is a power of two, at least 4. The filter remembers about that many keys. */
  constructor(slots: number) {
    this.#hashes = new Uint32Array(slots)
  }

  /** Whether the key came before; remembers it. Keys with the same 32-bit hash count as one. */
  admits(key: string): boolean {
    const hash = hashOf(key)
    const first = hash & (this.#hashes.length - PLACES)
    for (let place = first; place < first + PLACES; place++) {
      if (this.#hashes[place] === hash) return true
    }
    this.#hashes.copyWithin(first + 1, first, first + PLACES - 1)
    this.#hashes[first] = hash
    return false
  }
}

/** FNV-1a over UTF-16 units. Never 0, which marks an empty slot. */
function hashOf(key: string): number {
  let hash = FNV_OFFSET
  for (let n = 0; n < key.length; n++) hash = Math.imul(hash ^ key.charCodeAt(n), FNV_PRIME)
  return hash >>> 0 || 1
}
