/**
 * Links of pages with templates, which a compute thread finds in the expanded text. To expand a page takes about a
 * millisecond, so its links stay in memory until something that they depend on changes: the same pages, files and
 * settings as of kept HTML.
 */
import type { AppContext } from '../../context.js'
import type { Site } from '../../domain/site.js'
import { toSeconds } from '../../domain/timestamp.js'
import { type Title, titleId } from '../../domain/title.js'
import type { Basis } from '../../storage/html/renderings.js'
import type { PageRow } from '../../storage/store.js'
import type { ExpandedLinks as LinksOfThread } from '../../workers/compute/tasks.js'
import { BoundedCache } from '../../runtime/boundedCache.js'
import { Slabs } from './slabs.js'
import { bodyDigest } from '../reply/bodies.js'

/** Spec 8. Links to nonexistent files count too. */
export const MAX_FILES = 100
/** Templates may select a different picture at a later time, such as one per day. */
const DATED_GOOD_FOR_MS = 60_000
const ROOM_BYTES = 16 * 2 ** 20
/** To compare that many pages with their state at the expansion takes less than a millisecond. */
const MAX_USES = 200
/** Rough sizes in memory. */
const [ENTRY_BYTES, USE_BYTES, NAME_BYTES] = [600, 200, 60]

/** Links of a page and its templates. */
export interface FoundLinks {
  /** Links to other languages, as the UTF-8 bytes of a JSON array. */
  readonly languages: Uint8Array
  /** A hash of these bytes. */
  readonly languagesDigest: string
  /** Names of files, sorted, whether they exist or not: at most one more than MAX_FILES. */
  readonly files: readonly string[]
  /** The time from which on they are found again, in milliseconds since 1970; undefined if they do not depend on it. */
  readonly goodUntilMs: number | undefined
}

interface Entry extends FoundLinks {
  /** In a slab. */
  languages: Uint8Array
  readonly basis: Basis
  readonly site: Site
  readonly pageId: number
  readonly latestId: number
  /** Generation of the store for which these links are right. */
  generation: number
}

/** Memory for links, which the wikis of a server share. Their keys differ. */
export class LinkRoom {
  readonly slabs = new Slabs()
  readonly entries: BoundedCache<Entry>

  constructor(capacityBytes = ROOM_BYTES) {
    // Else links in use would keep the slab of all those that were dropped.
    const renew = (entry: Entry): void => void (entry.languages = this.slabs.copy(entry.languages))
    this.entries = new BoundedCache(capacityBytes, weigh, renew)
  }
}

type LinksContext = Pick<AppContext, 'store' | 'pool' | 'clock' | 'wikiName'>

export class ExpandedLinks {
  readonly #context: LinksContext
  readonly #room: LinkRoom

  constructor(context: LinksContext, room: LinkRoom) {
    this.#context = context
    this.#room = room
  }

  /** The links of a page, in the same tick if they are known. `title` is that of the page. */
  of(title: Title, page: Pick<PageRow, 'pageId' | 'latestId'>): FoundLinks | Promise<FoundLinks> {
    const key = `${this.#context.wikiName}|${titleId(title)}`
    const known = this.#room.entries.get(key)
    const isSame = known?.pageId === page.pageId && known.latestId === page.latestId
    return isSame && this.#isCurrent(known) ? known : this.#find(key, page)
  }

  /** A check to call later: whether a page that is the same still has these links. */
  unchanged(links: FoundLinks): () => boolean {
    return () => this.#isCurrent(links as Entry)
  }

  async #find(key: string, { pageId, latestId }: Pick<PageRow, 'pageId' | 'latestId'>): Promise<FoundLinks> {
    const { store, pool, clock } = this.#context
    const [site, nowMs] = [store.site(), clock.nowMs()]
    const input = { pageId, maxFiles: MAX_FILES + 1, now: toSeconds(nowMs) }
    const { languages, files, ...found } = await pool.run('expandedLinks', input)
    const entry: Entry = {
      languages: this.#room.slabs.copy(languages),
      languagesDigest: bodyDigest(languages),
      files,
      goodUntilMs: goodUntil(found, nowMs),
      basis: found,
      site,
      pageId,
      latestId,
      generation: found.generation,
    }
    this.#room.entries.set(key, entry)
    return entry
  }

  #isCurrent(entry: Entry): boolean {
    const { store, clock } = this.#context
    const { basis, site, goodUntilMs } = entry
    if (site !== store.site() || (goodUntilMs !== undefined && goodUntilMs <= clock.nowMs())) return false
    const generation = store.generation()
    if (entry.generation === generation) return true
    if (basis.uses.length > MAX_USES || !store.html.isUnchanged(basis)) return false
    entry.generation = generation
    return true
  }
}

function goodUntil(
  { lifetimeSeconds }: Pick<LinksOfThread, 'lifetimeSeconds'>,
  nowMs: number,
): number | undefined {
  return lifetimeSeconds === undefined
    ? undefined
    : nowMs + Math.min(DATED_GOOD_FOR_MS, lifetimeSeconds * 1000)
}

function weigh(key: string, { languages, files, basis }: Entry): number {
  const lists = basis.uses.length * USE_BYTES + files.length * NAME_BYTES
  return ENTRY_BYTES + 2 * key.length + languages.length + lists
}
