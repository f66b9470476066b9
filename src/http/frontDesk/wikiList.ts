/** The wikis of a server, as its list shows them. */
import type { AppContext } from '../../context.js'
import { directionOf } from '../../domain/direction.js'
import { languageName } from '../../domain/languageNames.js'
import type { ShownWiki } from '../../reader/views/wikiList.js'

/** A wiki of the server. */
export type ServedWiki = Pick<AppContext, 'wikiName' | 'root' | 'config' | 'store'>

/** For clients of the API, as JSON. */
interface ListedWiki {
  readonly name: string
  readonly title: string
  readonly language: string
  readonly pages: number
  /** Absolute URL of its pages for readers. */
  readonly url: string
  /** Absolute URL of its API. */
  readonly api: string
}

/** `baseUrl` is the URL of the server's API, as the client of a request sees it. */
export function listedWikis(wikis: readonly ServedWiki[], baseUrl: string): ListedWiki[] {
  return wikis.map((wiki) => {
    const { wikiName: name, root, config, store } = wiki
    const origin = originOf(wiki, baseUrl)
    const { name: title, language } = store.site()
    const api = `${config.publicUrl || origin + config.basePath}/v1`
    return { name, title, language, pages: countPages(wiki), url: `${origin}${root}/`, api }
  })
}

export function shownWikis(wikis: readonly ServedWiki[], baseUrl: string): ShownWiki[] {
  return wikis.map((wiki) => {
    const { name: title, language } = wiki.store.site()
    return {
      href: wiki.root === '' ? `${originOf(wiki, baseUrl)}/` : `${wiki.root}/`,
      title: title || wiki.wikiName,
      language,
      direction: directionOf(language),
      languageName: languageName(language) ?? language,
      pages: countPages(wiki),
    }
  })
}

function countPages({ store }: ServedWiki): number {
  store.refresh()
  return store.counters().pages
}

/** Scheme and host. A wiki with a host of its own has the scheme and the port of the server. */
function originOf({ wikiName, root, config }: ServedWiki, baseUrl: string): string {
  const url = new URL(config.publicUrl || baseUrl)
  if (root === '' && config.publicUrl === '') url.hostname = wikiName
  return url.origin
}
