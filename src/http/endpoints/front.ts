/** The root URL of the server, which people open first. */
import { redirect } from '../reply/reply.js'
import { defineRoute, type HttpContext } from '../routing/route.js'
import { MAIN, PROJECT } from '../../domain/namespaceIds.js'
import { parseTitle, prefixedKey, type Title } from '../../domain/title.js'
import { decodePercent } from '../../domain/percent.js'
import type { Links } from '../../reader/links.js'
import type { Wiki } from '../request/wiki.js'

const USUAL_NAMES: readonly Title[] = [
  { namespace: MAIN, dbkey: 'Main_Page' },
  { namespace: PROJECT, dbkey: 'Main_Page' },
]

/** Redirects to the main page, or to the viewer of the API if the server has no pages for readers. */
export const getFront = defineRoute({
  method: 'GET',
  root: 'top',
  path: '/',
  handler: ({ request, wiki }, context) => {
    const { config, renderings, readerSites } = context
    const showsPages = config.reader && renderings !== undefined
    return redirect(
      showsPages ? mainPagePath(wiki, context, readerSites.site(wiki).links) : `${request.baseUrl()}/docs`,
    )
  },
})

/** Path of the main page: as the settings of the wiki name it, else of the usual name, else the list of all pages. */
function mainPagePath(
  { site, namespaces }: Wiki,
  { store }: Pick<HttpContext, 'store'>,
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
