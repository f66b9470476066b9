/** Facts for the shell of all pages, made again when the settings of the wiki change. */
import { createHash } from 'node:crypto'
import type { AppContext } from '../../context.js'
import { directionOf } from '../../domain/direction.js'
import type { ReaderSite } from '../../reader/site.js'
import { whyClosed } from '../../auth/closedWiki.js'
import type { Wiki } from '../views/wiki.js'
import { AssetFiles } from './assets.js'

export type SitesContext = Pick<AppContext, 'config' | 'store'>

export class ReaderSites {
  readonly assets = new AssetFiles()
  readonly #context: SitesContext
  #made: { readonly site: ReaderSite; readonly wiki: Wiki; readonly version: string } | undefined

  constructor(context: SitesContext) {
    this.#context = context
  }

  /** The same object as long as nothing changed. */
  site(wiki: Wiki): ReaderSite {
    const isOpen = whyClosed(this.#context) === undefined
    if (this.#made?.wiki !== wiki || this.#made.site.allowsEdits !== isOpen) {
      const site = this.#make(wiki, isOpen)
      this.#made = { site, wiki, version: digestOf(site) }
    }
    return this.#made.site
  }

  /** Hash of everything that `site` returns, for tags of pages. */
  version(wiki: Wiki): string {
    this.site(wiki)
    return this.#made!.version
  }

  #make({ site }: Wiki, allowsEdits: boolean): ReaderSite {
    const { basePath, publicUrl } = this.#context.config
    const { name, language, license, base } = site
    return {
      name,
      language,
      direction: directionOf(language),
      license,
      source: base,
      origin: originOf(publicUrl),
      apiDocs: `${basePath}/docs`,
      assets: this.assets.links,
      allowsEdits,
    }
  }
}

/** Scheme and host of a URL; empty for no URL. */
const originOf = (url: string): string => (url === '' ? '' : new URL(url).origin)

const digestOf = (site: ReaderSite): string =>
  createHash('sha256').update(JSON.stringify(site)).digest('hex').slice(0, 16)
