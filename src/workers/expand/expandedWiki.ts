/** The wiki that texts are expanded on: a store, a folder of pages, a folder before a store, or nothing. */
import { interwikiMap, NO_INTERWIKI_CHANGES } from '../../domain/interwiki.js'
import { MODULE, MODULE_TALK } from '../../domain/namespaceIds.js'
import { Namespaces } from '../../domain/namespaces.js'
import { DEFAULT_SITE, type Site } from '../../domain/site.js'
import { type Title, titleId, parseTitle } from '../../domain/title.js'
import type {
  FileFacts,
  InterwikiFacts,
  SiteFacts,
  SiteStatistics,
  TitleProtection,
  WikiPage,
  WikiSource,
} from '../../render/preprocessor/source.js'
import type { Store } from '../../storage/store.js'
import { ExpansionSource, ExpansionWiki } from '../html/expansionSource.js'
import { CurrentWiki, siteFacts } from '../html/pageExpander.js'
import { RecordingSource, type RenderedFiles } from '../html/renderSource.js'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultContentModel } from '../../domain/contentModel.js'
import { decodePercent } from '../../domain/percent.js'
import { UserError } from '../../runtime/userError.js'

/** Gives sources, each of one moment, in seconds since 1970. */
export interface ExpandedWiki {
  source(now: number): WikiSource
}

/** The store as it is at each moment. */
export class StoreWiki implements ExpandedWiki {
  readonly #store: Store
  readonly #files: RenderedFiles
  readonly #wiki: CurrentWiki

  constructor(store: Store, files: RenderedFiles) {
    this.#store = store
    this.#files = files
    this.#wiki = new CurrentWiki(store)
  }

  source(now: number): WikiSource {
    const store = this.#store
    store.refresh()
    store.reloadSite()
    return new ExpansionSource(this.#wiki.get(), store, new RecordingSource(store, this.#files), now)
  }
}

const BARE_SITE: Site = {
  ...DEFAULT_SITE,
  namespaces: [
    ...DEFAULT_SITE.namespaces,
    { id: MODULE, name: 'Module', case: 'first-letter' },
    { id: MODULE_TALK, name: 'Module talk', case: 'first-letter' },
  ],
}

/** A wiki without pages, with the namespaces and the interwiki prefixes of a new one. */
export class BareWiki implements ExpandedWiki {
  readonly #wiki = new ExpansionWiki(
    siteFacts(BARE_SITE, new Namespaces(BARE_SITE)),
    interwikiMap(BARE_SITE, NO_INTERWIKI_CHANGES),
  )

  source(now: number): WikiSource {
    const wiki = this.#wiki
    return {
      site: wiki.site,
      now,
      readPage: () => undefined,
      pageExists: () => false,
      pageTitle: () => undefined,
      fileUrl: () => undefined,
      fileFacts: () => undefined,
      interwikiUrl: (prefix) => wiki.interwikiUrl(prefix),
      interwikiMap: () => wiki.interwikiMap(),
      statistics: () => NO_STATISTICS,
      usersInGroup: () => 0,
      protection: () => UNPROTECTED,
      pagesInNamespace: () => 0,
      categorySize: () => 0,
    }
  }
}

const UNPROTECTED: TitleProtection = { edit: undefined, create: undefined, expires: undefined }
const NO_STATISTICS: SiteStatistics = {
  ...{ pages: 0, articles: 0, edits: 0, files: 0, users: 0, activeUsers: 0, admins: 0 },
}

/** A folder's pages, before those of another wiki. The list of files is that of the first time. */
export class FolderWiki implements ExpandedWiki {
  readonly #folder: string
  readonly #under: ExpandedWiki
  #pages: ReadonlyMap<string, FolderPage> | undefined

  constructor(folder: string, under: ExpandedWiki) {
    this.#folder = folder
    this.#under = under
  }

  source(now: number): WikiSource {
    const under = this.#under.source(now)
    this.#pages ??= listFolder(this.#folder, under.site.namespaces)
    return new FolderSource(this.#pages, under)
  }
}

class FolderSource implements WikiSource {
  readonly #pages: ReadonlyMap<string, FolderPage>
  readonly #under: WikiSource
  readonly #read = new Map<string, WikiPage>()

  constructor(pages: ReadonlyMap<string, FolderPage>, under: WikiSource) {
    this.#pages = pages
    this.#under = under
  }

  get site(): SiteFacts {
    return this.#under.site
  }

  get now(): number {
    return this.#under.now
  }

  readPage(title: Title): WikiPage | undefined {
    const key = titleId(title)
    const known = this.#read.get(key)
    if (known !== undefined) return known
    const page = this.#pages.get(key)
    if (page === undefined) return this.#under.readPage(title)
    const read = this.#asPage(page)
    this.#read.set(key, read)
    return read
  }

  pageExists(title: Title): boolean {
    return this.#pages.has(titleId(title)) || this.#under.pageExists(title)
  }

  pageTitle(id: number): Title | undefined {
    for (const page of this.#pages.values()) if (page.id === id) return page.title
    return this.#under.pageTitle(id)
  }

  fileUrl(name: string): string | undefined {
    return this.#under.fileUrl(name)
  }

  fileFacts(name: string): FileFacts | undefined {
    return this.#under.fileFacts(name)
  }

  interwikiUrl(prefix: string): string | undefined {
    return this.#under.interwikiUrl(prefix)
  }

  interwikiMap(): readonly InterwikiFacts[] {
    return this.#under.interwikiMap()
  }

  statistics(): SiteStatistics {
    return this.#under.statistics()
  }

  pagesInNamespace(namespace: number): number {
    return this.#under.pagesInNamespace(namespace)
  }

  usersInGroup(group: string): number {
    return this.#under.usersInGroup(group)
  }

  protection(title: Title): TitleProtection {
    return this.#under.protection(title)
  }

  categorySize(name: string, kind: 'all' | 'pages' | 'files' | 'subcats'): number {
    return this.#under.categorySize(name, kind)
  }

  /** Revisions need ids of their own, by which trees of templates are kept. */
  #asPage(page: FolderPage): WikiPage {
    const { id: ownId, title, contentModel } = page
    const text = page.read()
    const id = this.#under.readPage(title)?.id ?? ownId
    const revision = { id: ownId, timestamp: this.now, userName: '', sizeBytes: Buffer.byteLength(text) }
    return { id, text, contentModel, revision }
  }
}

// A folder of pages, for texts that are not in a wiki yet. Paths are titles. A first folder with the name of a
// namespace is the prefix:
//
//     Template:Note.wiki           Template:Note
//     Template/Note/doc.wiki       Template:Note/doc
//     Module/Note.lua, Note.lua    Module:Note
//     Main Page                    Main Page; endings but .wiki, .wikitext and .lua are part of the title
//     A%3F.wiki                    A?

/** A file of the folder is no page; the message names it. */
class PagesFolderError extends UserError {
  override readonly name = 'PagesFolderError'
}

interface FolderPage {
  /** Of the page and its revision. No stored one has it. */
  readonly id: number
  readonly title: Title
  readonly contentModel: string
  /** Throws a PagesFolderError when the file is not text in UTF-8. */
  read(): string
}

const SOURCE_ENDING = /\.(?:wiki|wikitext|lua)$/
/** Files that editors and version control leave beside others. */
const NO_PAGE = /^\.|~$/

const FIRST_ID = 2 ** 31

/** Pages by `titleId`, such as `10:Note`. Throws a PagesFolderError, or what the system says. */
export function listFolder(folder: string, namespaces: Namespaces): ReadonlyMap<string, FolderPage> {
  const pages = new Map<string, FolderPage>()
  const paths = new Map<string, string>()
  for (const path of filesBelow(folder)) {
    const title = titleOfPath(path, namespaces)
    if (title === undefined)
      throw new PagesFolderError(`${join(folder, path)} is not named by a page's title`)
    const key = titleId(title)
    const other = paths.get(key)
    if (other !== undefined)
      throw new PagesFolderError(`${join(folder, other)} and ${join(folder, path)} are one page`)
    paths.set(key, path)
    pages.set(key, pageOf(title, FIRST_ID + pages.size, join(folder, path)))
  }
  return pages
}

/** The title that a path below the folder means. */
export function titleOfPath(path: string, namespaces: Namespaces): Title | undefined {
  const name = decodePercent(path.replace(SOURCE_ENDING, ''))
  const slash = name.indexOf('/')
  const [folder, rest] = slash < 0 ? ['', name] : [name.slice(0, slash), name.slice(slash + 1)]
  const text = namespaces.idByName(folder) === undefined ? name : `${folder}:${rest}`
  const parsed = parseTitle(text, namespaces)
  if (!parsed.ok || parsed.fragment !== '') return undefined
  if (parsed.title.namespace !== 0 || !path.endsWith('.lua')) return parsed.title
  const module = parseTitle(`${namespaces.keyPrefix(MODULE)}${name}`, namespaces)
  return module.ok ? module.title : undefined
}

/** Paths below a folder, in order. */
function filesBelow(folder: string, path = ''): string[] {
  const entries = readdirSync(join(folder, path), { withFileTypes: true })
  const names = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return names.flatMap((entry) => {
    if (NO_PAGE.test(entry.name)) return []
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    return entry.isDirectory() ? filesBelow(folder, below) : [below]
  })
}

function pageOf(title: Title, id: number, path: string): FolderPage {
  return {
    id,
    title,
    contentModel: defaultContentModel(title.namespace, title.dbkey),
    read: () => {
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        throw new PagesFolderError(`${path} is not text in UTF-8`, { cause: error })
      }
    },
  }
}
