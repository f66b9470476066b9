/**
 * Answers of page source reads, kept ready in memory by the path they were asked with, and never stale: an entry is
 * good as of the store's generation, a number that every write transaction of every process raises. When it has
 * risen, one lookup tells whether the entry's page is still the same.
 *
 * A hit spares decoding and parsing the title, the copy out of the store, and making headers: about half of what a
 * page read costs beyond the socket.
 */
import { parseTitle } from '../domain/title.js'
import type { Store } from '../storage/store.js'
import { BoundedCache } from './boundedCache.js'
import { type Conditions, NO_CONDITIONS, type Validators } from './conditional.js'
import { decodePercent } from './percent.js'
import { conditionally, type Reply } from './reply.js'
import type { Wiki, WikiSource } from './wiki.js'

/** What an entry costs beside its strings and bytes, roughly. */
const ENTRY_BYTES = 400

interface HotPage {
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
  readonly #pages: BoundedCache<HotPage>
  #wiki: Wiki

  /** `capacityBytes` bounds what the entries take; 0 keeps none. */
  constructor(store: Pick<Store, 'getPage'>, wikis: WikiSource, capacityBytes: number) {
    this.#store = store
    this.#wikis = wikis
    this.#wiki = wikis.current()
    this.#pages = new BoundedCache(capacityBytes, weigh)
  }

  /** The answer for a raw title, as of a generation of the store; undefined when it is not kept, or no longer right. */
  find(rawTitle: string, generation: number, conditions: Conditions): Reply | undefined {
    if (this.#wikis.current() !== this.#wiki) this.#forgetAll()
    const page = this.#pages.get(rawTitle)
    if (page === undefined) return undefined
    if (page.generation !== generation) {
      if (!this.#isCurrent(page)) {
        this.#pages.delete(rawTitle)
        return undefined
      }
      page.generation = generation
    }
    if (conditions === NO_CONDITIONS) return page.reply
    return conditionally(conditions, page.validators, () => page.reply)
  }

  /** Keeps an answer that was just given for a raw title, in the same turn. Only whole answers are worth it. */
  keep(rawTitle: string, generation: number, reply: Reply): void {
    if (reply.status !== 200 || !(reply.body instanceof Uint8Array)) return
    const parsed = parseTitle(decodePercent(rawTitle), this.#wiki.namespaces)
    const row = parsed.ok ? this.#store.getPage(parsed.title.namespace, parsed.title.dbkey) : undefined
    if (!parsed.ok || row === undefined) return
    const { pageId, latestId, latestTimestamp, textHidden } = row
    this.#pages.set(rawTitle, {
      reply: { ...reply, body: reply.body.slice() },
      validators: { etag: this.#wiki.revisionTag(latestId, textHidden), lastModified: latestTimestamp },
      ...parsed.title,
      pageId,
      latestId,
      generation,
    })
  }

  /** A page's answer follows from its id, its latest revision and the site; a text that was hidden since has none. */
  #isCurrent({ namespace, dbkey, pageId, latestId }: HotPage): boolean {
    const row = this.#store.getPage(namespace, dbkey)
    return row?.pageId === pageId && row.latestId === latestId && !row.textHidden
  }

  #forgetAll(): void {
    this.#wiki = this.#wikis.current()
    this.#pages.clear()
  }
}

function weigh(rawTitle: string, { reply, dbkey }: HotPage): number {
  return ENTRY_BYTES + rawTitle.length + dbkey.length + reply.headers.length + (reply.body?.length ?? 0)
}
