/** The main page of a wiki, to which its root URL leads. */
import { MAIN, PROJECT } from '../../domain/namespaceIds.js'
import { decodePercent } from '../../domain/percent.js'
import { parseTitle, prefixedKey, type Title } from '../../domain/title.js'
import type { Links } from '../../reader/links.js'
import type { Store } from '../../storage/store.js'
import type { Wiki } from '../request/wiki.js'

const USUAL_NAMES: readonly Title[] = [
  { namespace: MAIN, dbkey: 'Main_Page' },
  { namespace: PROJECT, dbkey: 'Main_Page' },
]

/** Path of the main page: as the settings of the wiki name it, else of the usual name, else the list of all pages. */
export function mainPagePath(
  { site, namespaces }: Wiki,
  { store }: { readonly store: Pick<Store, 'getPage'> },
  links: Links,
): string {
  const stated = titleOfUrl(site.base)
  const parsed = stated === undefined ? undefined : parseTitle(stated, namespaces)
  const titles = parsed?.ok === true ? [parsed.title, ...USUAL_NAMES] : USUAL_NAMES
  const found = titles.find(
    ({ namespace, dbkey }) => namespace >= 0 && store.getPage(namespace, dbkey) !== undefined,
  )
  return found === undefined ? links.special('AllPages') : links.page(prefixedKey(found, namespaces))
}

/** The title in the URL of the main page: after `/wiki/`, or the last part of another path. */
function titleOfUrl(url: string): string | undefined {
  const [, after, last] = /^[^?#]*?(?:\/wiki\/([^?#]+)|\/([^/?#]+))(?:[?#].*)?$/.exec(url) ?? []
  const title = after ?? last
  return title === undefined || url.endsWith(`://${title}`) ? undefined : decodePercent(title)
}
