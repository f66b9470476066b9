/** Expands templates from the store, in any thread, and records each read. */
import type { Namespaces } from '../../domain/namespaces.js'
import type { Site } from '../../domain/site.js'
import { packagedSiteinfo } from '../../render/parsoid/loadPackage.js'
import { extensionTagsOf, magicWords, specialPageNames, wikiAddress } from '../../render/parsoid/siteinfo.js'
import { Preprocessor } from '../../render/preprocessor/preprocessor.js'
import type { PageFacts, SiteFacts } from '../../render/preprocessor/source.js'
import type { ModuleRuntime } from '../../render/preprocessor/expander.js'
import { TreeCache } from '../../render/preprocessor/treeCache.js'
import { wordAliases } from '../../render/preprocessor/wordAliases.js'
import type { Store } from '../../storage/store.js'
import { ExpansionSource, ExpansionWiki } from './expansionSource.js'
import { KeptTexts, RecordingSource, type RenderedFiles } from './renderSource.js'

/** The MediaWiki release whose wikitext this is. */
const MEDIAWIKI_VERSION = '1.39.0'

/** The expansion of one page: the preprocessor, and the record of its reads. */
export interface BegunExpansion {
  readonly preprocessor: Preprocessor
  readonly source: RecordingSource
}

export class PageExpander {
  readonly #store: Store
  readonly #files: RenderedFiles
  readonly #modules: ModuleRuntime | undefined
  readonly #trees = new TreeCache()
  readonly #texts = new KeptTexts()
  readonly #wiki: CurrentWiki

  /** Without `modules`, calls of modules show an error. */
  constructor(store: Store, files: RenderedFiles, modules?: ModuleRuntime) {
    this.#store = store
    this.#files = files
    this.#modules = modules
    this.#wiki = new CurrentWiki(store)
  }

  /** `now` is in seconds since 1970. Reads the store in its present state; refresh it before if needed. */
  begin(page: PageFacts, now: number): BegunExpansion {
    const source = new RecordingSource(this.#store, this.#files, this.#texts)
    const asked = new ExpansionSource(this.#wiki.get(), this.#store, source, now)
    return {
      source,
      preprocessor: new Preprocessor(page, asked, {
        cache: this.#trees,
        ...(this.#modules !== undefined && { modules: this.#modules }),
      }),
    }
  }
}

/** The facts of a store's wiki, renewed if its settings have changed. */
export class CurrentWiki {
  readonly #store: Store
  #site: Site | undefined
  #wiki: ExpansionWiki | undefined

  constructor(store: Store) {
    this.#store = store
  }

  get(): ExpansionWiki {
    const site = this.#store.site()
    if (this.#wiki === undefined || site !== this.#site) {
      this.#site = site
      this.#wiki = new ExpansionWiki(siteFacts(site, this.#store.namespaces()), this.#store.interwiki())
    }
    return this.#wiki
  }
}

/** What templates may know of the wiki. */
export function siteFacts(site: Site, namespaces: Namespaces): SiteFacts {
  const { server, articlePath } = wikiAddress(site)
  const words = magicWords({ siteinfo: packagedSiteinfo }, site.language)
  const aliases = words.map(({ aliases, 'case-sensitive': sensitive }) => ({
    aliases,
    caseSensitive: sensitive !== undefined,
  }))
  return {
    name: site.name,
    language: site.language,
    namespaces,
    server,
    scriptPath: '',
    articlePath,
    version: MEDIAWIKI_VERSION,
    timeZone: 'UTC',
    extensionTags: extensionTagsOf(site),
    wordAliases: wordAliases(aliases),
    specialPages: specialPageNames({ siteinfo: packagedSiteinfo }, site),
    stringFunctions: site.stringFunctions ?? false,
    localDigits: site.localDigits ?? true,
  }
}
