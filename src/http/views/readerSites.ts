/** Facts for the shell of all pages, made again when the settings of the wiki change. */
import type { AppContext } from '../../context.js'
import { directionOf } from '../../domain/direction.js'
import { LocalFormats } from '../../domain/localFormats.js'
import { MEDIAWIKI } from '../../domain/namespaceIds.js'
import { Links } from '../../reader/links.js'
import { type MessageKey, type OwnWords, plainWord, WORD_PAGES } from '../../reader/messages.js'
import type { ReaderSite, SiteVariants } from '../../reader/site.js'
import { whyClosed } from '../../auth/closedWiki.js'
import { variantName, variantTag } from '../../domain/variants.js'
import type { Wiki, WikiVariants } from '../request/wiki.js'
import { AssetFiles } from './readerAssets.js'
import { createHash } from 'node:crypto'
import { productVersion } from '../../runtime/version.js'

type SitesContext = Pick<AppContext, 'config' | 'store' | 'root'>

export class ReaderSites {
  readonly assets: AssetFiles
  readonly wikiSheets: WikiSheets
  readonly #links: Links
  /** Other servers that pictures and sounds may come from, as a Content-Security-Policy names them. */
  readonly mediaOrigins: readonly string[]
  readonly #context: SitesContext
  readonly #words: WordPages
  #made: Made | undefined

  constructor(context: SitesContext) {
    this.#context = context
    this.#links = new Links(context.root)
    this.#words = new WordPages(context.store)
    this.assets = new AssetFiles(context.root)
    this.wikiSheets = new WikiSheets(context)
    this.mediaOrigins = mediaOrigins(context.config)
  }

  /** The same object as long as nothing changed. Without a choice, the page is shown as it is written. */
  site(wiki: Wiki, choice?: VariantChoice): ReaderSite {
    const isOpen = whyClosed(this.#context) === undefined
    const generation = this.#context.store.generation()
    const words = this.#words.current(generation)
    const sheet = this.wikiSheets.current(generation)?.path
    const known = this.#made?.site
    const isKnown = known?.allowsEdits === isOpen && known.words === words && known.assets.wiki === sheet
    if (this.#made?.wiki !== wiki || !isKnown) {
      this.#made = { site: this.#make(wiki, isOpen, words, sheet), wiki, inVariants: new Map() }
    }
    const { site, inVariants } = this.#made
    if (choice === undefined) return site
    const key = `${choice.code}${choice.isKept ? '/' : ''}`
    const made = inVariants.get(key) ?? inVariant(site, choice)
    inVariants.set(key, made)
    return made
  }

  #make(
    { site, variants }: Wiki,
    allowsEdits: boolean,
    words: OwnWords,
    sheet: string | undefined,
  ): ReaderSite {
    const { basePath, publicUrl } = this.#context.config
    const { name, language, license, base } = site
    const upstream = upstreamBase(base, this.#context.config)
    return {
      links: this.#links,
      name,
      language,
      direction: directionOf(language),
      words,
      formats: new LocalFormats(site),
      license,
      source: upstream === undefined ? '' : base,
      ...(upstream !== undefined && { upstream }),
      origin: originOf(publicUrl),
      api: `${basePath}/v1`,
      apiDocs: `${basePath}/docs`,
      assets: { ...this.assets.links, ...(sheet !== undefined && { wiki: sheet }) },
      allowsEdits,
      ...(this.#context.config.readerOfflinePages > 0 && { offline: offlinePaths(this.#links.root) }),
      ...(variants !== undefined && { variants: siteVariants(variants, this.#links) }),
    }
  }
}

/** Paths of the service worker and of the manifest of the app. */
const offlinePaths = (root: string): NonNullable<ReaderSite['offline']> => ({
  worker: `${root}/offline.js`,
  manifest: `${root}/manifest.webmanifest`,
})

/** How a reader chose a variant. */
export interface VariantChoice {
  readonly code: string
  /** The reader named it, so links lead to pages in it. */
  readonly isKept: boolean
}

interface Made {
  readonly site: ReaderSite
  readonly wiki: Wiki
  /** By choice. */
  readonly inVariants: Map<string, ReaderSite>
}

function siteVariants({ main, codes }: WikiVariants, links: Links): SiteVariants {
  const all = codes.map((code) => ({
    code,
    tag: variantTag(code),
    name: variantName(code),
    wiki: new Links(links.root, code).wiki,
  }))
  return { chosen: main, all, links }
}

/** The wiki as readers of a variant see it. */
function inVariant(site: ReaderSite, { code, isKept }: VariantChoice): ReaderSite {
  const { links, variants, language, direction } = site
  const isMain = code === language
  return {
    ...site,
    language: isMain ? language : variantTag(code),
    direction: isMain ? direction : directionOf(code),
    links: isKept ? new Links(links.root, code) : links,
    ...(variants !== undefined && { variants: { ...variants, chosen: code } }),
  }
}

/** Longer pages are no words. */
const MAX_PAGE_BYTES = 1000

/** The wiki's own words, read again after writes that changed one of their pages. */
class WordPages {
  readonly #store: AppContext['store']
  #generation = -1
  /** Latest revisions of the pages. */
  #read = ''
  #words: OwnWords = new Map()

  constructor(store: AppContext['store']) {
    this.#store = store
  }

  /** The same object as long as no word changed. Takes some 100 µs after a write, else one. */
  current(generation: number): OwnWords {
    if (generation === this.#generation) return this.#words
    const pages = WORD_PAGES.flatMap(([key, ...titles]) => {
      const revisionId = this.#latestOf(titles)
      return revisionId === undefined ? [] : [[key, revisionId] as const]
    })
    const read = pages.join()
    if (read !== this.#read) this.#words = this.#wordsOf(pages)
    this.#read = read
    this.#generation = generation
    return this.#words
  }

  #latestOf(titles: readonly string[]): number | undefined {
    for (const title of titles) {
      const page = this.#store.getPage(MEDIAWIKI, title)
      if (page === undefined) continue
      return page.textHidden || page.source.byteLength > MAX_PAGE_BYTES ? undefined : page.latestId
    }
    return undefined
  }

  #wordsOf(pages: readonly (readonly [key: MessageKey, revisionId: number])[]): OwnWords {
    const words = new Map<MessageKey, string>()
    for (const [key, revisionId] of pages) {
      const word = plainWord(this.#store.getText(revisionId) ?? '', key)
      if (word !== undefined) words.set(key, word)
    }
    return words
  }
}

/** Scheme and host of a URL; empty for no URL. */
const originOf = (url: string): string => (url === '' ? '' : new URL(url).origin)

/** Own addresses of files always count; those of other servers only if the operator allows it. */
function mediaOrigins(config: AppContext['config']): string[] {
  const { publicUrl, mediaUrl, readerRemoteImages } = config
  const { remoteFileUrl, remoteThumbnailUrl, wikiFileUrl, wikiThumbnailUrl } = config
  const remote = readerRemoteImages ? [remoteFileUrl, remoteThumbnailUrl, wikiFileUrl, wikiThumbnailUrl] : []
  return [...new Set([publicUrl, mediaUrl, ...remote].map(originOf))].filter((origin) => origin !== '')
}

const LOCAL = /^(?:localhost|127\.[\d.]+|\[::1\])$/

/**
 * URL before the titles of the wiki that this one copies, as its dump names it, with a slash at the end. Undefined for
 * a wiki of one's own: its main page is at this server, or nowhere.
 */
function upstreamBase(
  mainPage: string,
  { publicUrl }: Pick<AppContext['config'], 'publicUrl'>,
): string | undefined {
  const base = /^https?:\/\/[^?#]+\//i.exec(mainPage)?.[0]
  if (base === undefined || !URL.canParse(base)) return undefined
  const { hostname, origin } = new URL(base)
  const isOwn = LOCAL.test(hostname) || (publicUrl !== '' && new URL(publicUrl).origin === origin)
  return isOwn ? undefined : base
}

// The wiki's own style sheet: a thread makes it of `MediaWiki:Common.css` and `Vector.css` for its first request.

/** In the order in which they count. */
const PAGES = ['Common.css', 'Vector.css']
/** Longer pages have no effect. */
const MAX_BYTES = 200_000
const HASH_DIGITS = 16

interface WikiSheet {
  /** Path, with a hash of the revisions. */
  readonly path: string
  readonly revisionIds: readonly number[]
}

class WikiSheets {
  readonly #context: Pick<AppContext, 'config' | 'store' | 'root'>
  #generation = -1
  #sheet: WikiSheet | undefined
  #made: { readonly path: string; readonly bytes: Promise<Uint8Array> } | undefined

  constructor(context: Pick<AppContext, 'config' | 'store' | 'root'>) {
    this.#context = context
  }

  /** The same object as long as the pages are the same; undefined if there are none. Reads two rows after a write. */
  current(generation = this.#context.store.generation()): WikiSheet | undefined {
    const { store, config } = this.#context
    if (!config.readerWikiStyles) return undefined
    if (generation === this.#generation) return this.#sheet
    this.#generation = generation
    const revisionIds = PAGES.flatMap((name) => {
      const page = store.getPage(MEDIAWIKI, name)
      const isUsed = page !== undefined && !page.textHidden && page.source.byteLength <= MAX_BYTES
      return isUsed ? page.latestId : []
    })
    if (revisionIds.join() !== (this.#sheet?.revisionIds.join() ?? '')) this.#sheet = this.#named(revisionIds)
    return this.#sheet
  }

  /** The text of a sheet. Simultaneous requests share one task. */
  bytes({ path, revisionIds }: WikiSheet, pool: Pick<AppContext['pool'], 'run'>): Promise<Uint8Array> {
    if (this.#made?.path === path) return this.#made.bytes
    const bytes = pool.run('wikiSheet', { revisionIds })
    const made = { path, bytes }
    this.#made = made
    bytes.catch(() => {
      if (this.#made === made) this.#made = undefined
    })
    return bytes
  }

  #named(revisionIds: readonly number[]): WikiSheet | undefined {
    if (revisionIds.length === 0) return undefined
    const facts = `${productVersion()} ${revisionIds.join()}`
    const hash = createHash('sha256').update(facts).digest('hex').slice(0, HASH_DIGITS)
    return { path: `${this.#context.root}/assets/wiki.${hash}.css`, revisionIds }
  }
}
