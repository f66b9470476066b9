/**
 * Answers of page source reads, kept ready in memory by the path they were asked with, and never stale: an entry is
 * good as of the store's generation, a number that every write transaction of every process raises. When it has
 * risen, one lookup tells whether the entry's page is still the same.
 *
 * A hit spares decoding and parsing the title, the copy out of the store, and making headers: more than half of what
 * a page read costs beyond the socket. Headers are kept as bytes, since making the library's strings out of ours
 * took a tenth of the rest.
 */
import { parseTitle } from '../domain/title.js'
import type { Store } from '../storage/store.js'
import { BoundedCache } from './boundedCache.js'
import type { Conditions, Validators } from './conditional.js'
import { decodePercent } from './percent.js'
import { conditionally, type Reply } from './reply.js'
import { REQUEST_ID_LENGTH } from './requestId.js'
import type { Wiki, WikiSource } from './wiki.js'

/** What an entry costs beside its strings and bytes, roughly. */
const ENTRY_BYTES = 500

/** What the server puts around a request id and before a reply's own header lines. */
export interface HeaderFrame {
  readonly beforeId: string
  readonly afterId: string
}

/** A ready answer with status 200. */
export interface HotPage {
  /** All header lines from the frame's start, ASCII; the request id goes in at `idAt`. */
  readonly head: Uint8Array
  readonly idAt: number
  readonly body: Uint8Array
}

interface Entry extends HotPage {
  readonly reply: Reply
  readonly validators: Validators
  readonly namespace: number
  readonly dbkey: string
  readonly pageId: number
  readonly latestId: number
  /** Generation as of which the entry was compared with the store. */
  generation: number
}

export class HotPages {
  readonly #store: Pick<Store, 'getPage'>
  readonly #wikis: WikiSource
  readonly #frame: HeaderFrame
  readonly #entries: BoundedCache<Entry>
  #wiki: Wiki
  /** Lookups that were answered at once, after a comparison with the store, and not at all. */
  hits = 0
  rechecks = 0
  misses = 0

  /** `capacityBytes` bounds what the entries take; 0 keeps none. */
  constructor(
    store: Pick<Store, 'getPage'>,
    wikis: WikiSource,
    options: { readonly capacityBytes: number; readonly frame: HeaderFrame },
  ) {
    this.#store = store
    this.#wikis = wikis
    this.#wiki = wikis.current()
    this.#frame = options.frame
    this.#entries = new BoundedCache(options.capacityBytes, weigh)
  }

  /** The page asked for as `rawTitle`, as of a generation of the store; undefined when it is not kept, or has changed. */
  find(rawTitle: string, generation: number): HotPage | undefined {
    if (this.#wikis.current() !== this.#wiki) this.#forgetAll()
    const entry = this.#entries.get(rawTitle)
    if (entry?.generation === generation) {
      this.hits++
      return entry
    }
    if (entry === undefined || !this.#isCurrent(entry)) {
      this.misses++
      this.#entries.delete(rawTitle)
      return undefined
    }
    this.rechecks++
    entry.generation = generation
    return entry
  }

  /** What conditions make of a page that `find` has just given. */
  judge(page: HotPage, conditions: Conditions): Reply {
    const { reply, validators } = page as Entry
    return conditionally(conditions, validators, () => reply)
  }

  /** Keeps an answer that was just given for a raw title, in the same turn. Only whole answers are worth it. */
  keep(rawTitle: string, generation: number, { status, headers, body }: Reply): void {
    if (status !== 200 || !(body instanceof Uint8Array)) return
    const parsed = parseTitle(decodePercent(rawTitle), this.#wiki.namespaces)
    const row = parsed.ok ? this.#store.getPage(parsed.title.namespace, parsed.title.dbkey) : undefined
    if (!parsed.ok || row === undefined) return
    const { pageId, latestId, latestTimestamp, textHidden } = row
    const { beforeId, afterId } = this.#frame
    const ownBody = body.slice()
    this.#entries.set(rawTitle, {
      head: Buffer.from(`${beforeId}${'0'.repeat(REQUEST_ID_LENGTH)}${afterId}${headers}`, 'latin1'),
      idAt: beforeId.length,
      body: ownBody,
      reply: { status, headers, body: ownBody },
      validators: { etag: this.#wiki.revisionTag(latestId, textHidden), lastModified: latestTimestamp },
      ...parsed.title,
      pageId,
      latestId,
      generation,
    })
  }

  /** A page's answer follows from its id, its latest revision and the site; a text that was hidden since has none. */
  #isCurrent({ namespace, dbkey, pageId, latestId }: Entry): boolean {
    const row = this.#store.getPage(namespace, dbkey)
    return row?.pageId === pageId && row.latestId === latestId && !row.textHidden
  }

  #forgetAll(): void {
    this.#wiki = this.#wikis.current()
    this.#entries.clear()
  }
}

function weigh(rawTitle: string, { head, body, dbkey, reply }: Entry): number {
  return ENTRY_BYTES + rawTitle.length + dbkey.length + head.length + reply.headers.length + body.length
}
