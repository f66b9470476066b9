/**
 * Answers the template preprocessor's questions about the wiki. It asks the rendering's own source, which records each
 * read.
 */
import { type Group, isGroup } from '../../domain/account.js'
import { MAIN } from '../../domain/namespaceIds.js'
import type { ProtectionLevel } from '../../domain/protection.js'
import { type InterwikiMap, isLocalWiki } from '../../domain/interwiki.js'
import type { Title } from '../../domain/title.js'
import type {
  FileFacts,
  InterwikiFacts,
  SiteFacts,
  SiteStatistics,
  TitleProtection,
  WikiPage,
  WikiSource,
} from '../../render/preprocessor/source.js'
import type { User } from '../../storage/accounts/accounts.js'
import type { Store } from '../../storage/store.js'
import type { RecordingSource } from './renderSource.js'

/** Counting walks over rows, so a count is kept for this many seconds. */
const COUNT_LIFETIME_S = 60

const ADMINISTRATORS: Group = 'sysop'

interface Count {
  readonly value: number
  readonly untilS: number
}

/** Facts that are the same for all pages of a wiki, kept between renderings. */
export class ExpansionWiki {
  readonly site: SiteFacts
  readonly #interwiki: InterwikiMap
  /** Pages by namespace, accounts by group. */
  readonly #counts = new Map<number | string, Count>()

  constructor(site: SiteFacts, interwiki: InterwikiMap) {
    this.site = site
    this.#interwiki = interwiki
  }

  interwikiUrl(prefix: string): string | undefined {
    return this.#interwiki.get(prefix)?.url
  }

  interwikiMap(): InterwikiFacts[] {
    return [...this.#interwiki.values()].map((entry) => ({
      prefix: entry.prefix,
      url: entry.url,
      isLocal: isLocalWiki(entry),
    }))
  }

  pagesInNamespace(store: Store, namespace: number, now: number): number {
    return this.#count(namespace, now, () => store.countTitles(namespace))
  }

  usersInGroup(store: Store, group: string, now: number): number {
    if (!isGroup(group)) return 0
    const isMember = ({ groups }: User): boolean => groups.includes(group)
    return this.#count(group, now, () => store.accounts.listUsers().filter(isMember).length)
  }

  #count(key: number | string, now: number, walk: () => number): number {
    const known = this.#counts.get(key)
    if (known !== undefined && known.untilS > now) return known.value
    const value = walk()
    this.#counts.set(key, { value, untilS: now + COUNT_LIFETIME_S })
    return value
  }
}

export class ExpansionSource implements WikiSource {
  readonly now: number
  readonly #wiki: ExpansionWiki
  readonly #store: Store
  readonly #source: RecordingSource

  /** `now` is in seconds since 1970. */
  constructor(wiki: ExpansionWiki, store: Store, source: RecordingSource, now: number) {
    this.#wiki = wiki
    this.#store = store
    this.#source = source
    this.now = now
  }

  get site(): SiteFacts {
    return this.#wiki.site
  }

  readPage(title: Title): WikiPage | undefined {
    const page = this.#source.readPage(title)
    if (page === undefined) return undefined
    const { pageId: id, wikitext: text, contentModel, revisionId, timestamp, userName, sizeBytes } = page
    return { id, text, contentModel, revision: { id: revisionId, timestamp, userName, sizeBytes } }
  }

  pageExists(title: Title): boolean {
    return this.#source.pageExists(title)
  }

  fileUrl(name: string): string | undefined {
    return this.#source.readFile(name)?.url
  }

  fileFacts(name: string): FileFacts | undefined {
    return this.#source.readFile(name)
  }

  /** The title of a page, by its id. Records the use: the result changes if the page disappears or is renamed. */
  pageTitle(id: number): Title | undefined {
    const page = this.#store.getPageById(id)
    if (page === undefined) return undefined
    const title = { namespace: page.namespace, dbkey: page.dbkey }
    return this.#source.pageExists(title) ? title : undefined
  }

  interwikiUrl(prefix: string): string | undefined {
    return this.#wiki.interwikiUrl(prefix)
  }

  interwikiMap(): readonly InterwikiFacts[] {
    return this.#wiki.interwikiMap()
  }

  /** Totals of the wiki. The number of active users is 0, since the store does not have it. */
  statistics(): SiteStatistics {
    const { pages, revisions: edits, redirects, files, nextUserId } = this.#store.counters()
    const admins = this.usersInGroup(ADMINISTRATORS)
    const articles = Math.max(0, this.pagesInNamespace(MAIN) - redirects)
    return { pages, articles, edits, files, users: nextUserId - 1, activeUsers: 0, admins }
  }

  pagesInNamespace(namespace: number): number {
    return this.#wiki.pagesInNamespace(this.#store, namespace, this.now)
  }

  usersInGroup(group: string): number {
    return this.#wiki.usersInGroup(this.#store, group, this.now)
  }

  /** Recorded as a read of the page: a change of the protection drops the HTML too. */
  protection(title: Title): TitleProtection {
    this.#source.readPage(title)
    const { edit, create, expires, move, moveExpires = expires } = this.#store.getProtection(title, this.now)
    const named = (level: ProtectionLevel): string | undefined => (level === 'none' ? undefined : level)
    const moves = move !== undefined && { move: named(move), moveExpires: moveExpires ?? undefined }
    return { edit: named(edit), create: named(create), expires: expires ?? undefined, ...moves }
  }

  /** Counts of the index of categories, which changes with each edit. */
  categorySize(name: string, kind: 'all' | 'pages' | 'files' | 'subcats'): number {
    const { page, file, subcategory } = this.#store.categories.counts(name)
    return { all: page + file + subcategory, pages: page, files: file, subcats: subcategory }[kind]
  }
}
