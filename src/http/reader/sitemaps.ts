/** Sitemaps for search engines. A compute thread makes them, since one may have 50,000 pages. */
import { IDS_PER_SITEMAP } from '../../reader/sitemap.js'
import { HttpError } from '../reply/errors.js'
import { headerLines, type Reply } from '../reply/reply.js'
import { restOfPath } from '../request/params.js'
import type { RequestView } from '../request/requestView.js'
import { defineRoute, type HttpContext, type Route } from '../routing/route.js'

const getSitemapIndex = defineRoute({
  method: 'GET',
  root: 'top',
  path: '/sitemap.xml',
  handler: ({ request }, context) => answer(undefined, request, context),
})

/** The router has parameters for whole parts of a path, so the number is a part of its own. */
const getSitemap = defineRoute({
  method: 'GET',
  root: 'top',
  path: '/sitemap/{name}',
  params: { name: restOfPath() },
  handler({ params, request }, context) {
    const [, digits] = /^([1-9]\d{0,5})\.xml$/.exec(params.name) ?? []
    const number = Number(digits)
    const last = Math.ceil((context.store.counters().nextPageId - 1) / IDS_PER_SITEMAP)
    if (digits === undefined || number > last)
      throw new HttpError('rest-no-match', [`/sitemap/${params.name}`])
    return answer(number, request, context)
  },
})

export const sitemapRoutes: readonly Route[] = [getSitemapIndex, getSitemap]

async function answer(
  number: number | undefined,
  request: RequestView,
  { pool, root }: HttpContext,
): Promise<Reply> {
  const { origin } = new URL(request.baseUrl())
  const body = await pool.run('sitemap', { number, origin, root })
  const headers = { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'max-age=3600' }
  return { status: 200, headers: headerLines(headers), body }
}
