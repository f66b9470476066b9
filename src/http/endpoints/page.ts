/** Pages: source, bare, HTML and with HTML (spec 4.7, 4.5, 4.8, 4.6). Redirects are never followed. */
import { prefixedText, type Title } from '../../domain/title.js'
import type { PageRow } from '../../storage/store.js'
import { continueObject } from '../reply/bodies.js'
import type { Validators } from '../reply/conditional.js'
import { HttpError } from '../reply/errors.js'
import { HTML_ERRORS, htmlReply, requireRenderings, STASH, withHtmlReply } from '../views/html.js'
import { requirePage } from '../views/lookup.js'
import { ref } from '../openapi/schemas.js'
import { boolean, optional, pageTitle, type RequestedTitle } from '../request/params.js'
import { encodePercent } from '../../domain/percent.js'
import { conditionally, headerLines, json, reusable } from '../reply/reply.js'
import { defineRoute, type HttpContext } from '../routing/route.js'
import type { Wiki } from '../request/wiki.js'

const CACHE = headerLines({ 'Cache-Control': 'max-age=5' })

/** Answers a page with its latest source, in bytes from the store. Mirrors serve this route most. */
export const getPageSource = defineRoute({
  method: 'GET',
  path: '/page/{title}',
  doc: {
    id: 'getPageSource',
    tag: 'Pages',
    summary: 'Read a page with its source',
    description:
      'The source is what `updatePage` takes, with `latest.id` as the base revision. Redirects are not followed.',
    answer: { description: 'The page and its latest text', schema: ref('PageSource') },
    errors: ['rest-nonexistent-title', 'rest-source-hidden'],
  },
  params: { title: pageTitle() },
  handler({ params, request, wiki }, { pages }) {
    const { page, title } = requirePage(pages, params.title)
    if (page.textHidden) throw new HttpError('rest-source-hidden', [params.title.asked])
    const validators = pageValidators(page, wiki)
    return conditionally(request.conditions, validators, () =>
      reusable(json(pages.sourceBody(page, wiki), validators, CACHE), {
        validators,
        isCurrent: pages.unchanged(title, page),
      }),
    )
  },
})

/** Answers a page without its source, with the URL of its HTML. */
export const getPageBare = defineRoute({
  method: 'GET',
  path: '/page/{title}/bare',
  doc: {
    id: 'getPage',
    tag: 'Pages',
    summary: 'Read a page without its source',
    description: 'Redirects are not followed.',
    answer: { description: 'The page, with the URL of its HTML', schema: ref('Page') },
    errors: ['rest-nonexistent-title', 'rest-html-not-configured'],
  },
  params: { title: pageTitle() },
  handler({ params, request, wiki }, { pages, renderings }) {
    const { page, title } = requirePage(pages, params.title)
    if (renderings === undefined) throw new HttpError('rest-html-not-configured')
    const validators = pageValidators(page, wiki)
    return conditionally(request.conditions, validators, () => {
      const url = `${request.baseUrl()}/v1/page/${encodePercent(prefixedText(title, wiki.namespaces))}/html`
      const tail = `${wiki.licenseField},"html_url":${JSON.stringify(url)}}`
      return reusable(json(continueObject(page.meta, tail), validators, CACHE), {
        validators,
        isCurrent: pages.unchanged(title, page),
        namesHost: true,
      })
    })
  },
})

/** Answers the HTML of a page's latest revision. */
export const getPageHtml = defineRoute({
  method: 'GET',
  path: '/page/{title}/html',
  doc: {
    id: 'getPageHtml',
    tag: 'Pages',
    summary: 'Read the HTML of a page',
    description: 'Made from the latest revision, with its templates expanded.',
    answer: {
      description:
        'A document of HTML 2.1.0, or of the version that the profile names if it came from another server',
      type: 'text/html',
      schema: { type: 'string' },
    },
    errors: ['rest-nonexistent-title', 'rest-source-hidden', ...HTML_ERRORS],
  },
  params: { title: pageTitle() },
  query: { stash: optional(boolean(STASH)) },
  handler({ params, query, request, wiki }, context) {
    const { page, title } = requireShownPage(context, params.title)
    const isCurrent = context.pages.unchanged(title, page)
    const asked = { revisionId: page.latestId, request, wiki, stash: query.stash === true, isCurrent }
    return htmlReply(asked, context)
  },
})

/** Answers a page with the HTML of its latest revision. */
export const getPageWithHtml = defineRoute({
  method: 'GET',
  path: '/page/{title}/with_html',
  doc: {
    id: 'getPageWithHtml',
    tag: 'Pages',
    summary: 'Read a page with its HTML',
    description: 'As the two routes `getPage` and `getPageHtml` together.',
    answer: { description: 'The page and its HTML', schema: ref('PageHtml') },
    errors: ['rest-nonexistent-title', 'rest-source-hidden', ...HTML_ERRORS],
  },
  params: { title: pageTitle() },
  query: { stash: optional(boolean(STASH)) },
  handler({ params, query, request, wiki }, context) {
    const { page, title } = requireShownPage(context, params.title)
    const isCurrent = context.pages.unchanged(title, page)
    const head = continueObject(page.meta, `${wiki.licenseField},"html":`)
    const asked = { revisionId: page.latestId, request, wiki, stash: query.stash === true, isCurrent }
    return withHtmlReply(asked, head, context)
  },
})

/** A page whose HTML the client may read. */
export function requireShownPage(
  context: HttpContext,
  requested: RequestedTitle,
): { readonly page: PageRow; readonly title: Title } {
  const found = requirePage(context.pages, requested)
  requireRenderings(context)
  if (found.page.textHidden) throw new HttpError('rest-source-hidden', [requested.asked])
  return found
}

/** A page's validators are those of its latest revision, without the user and comment, which a page does not show. */
function pageValidators(page: PageRow, wiki: Wiki): Validators {
  const { latestId, latestTimestamp, textHidden } = page
  return { etag: wiki.revisionTag(latestId, { textHidden }), lastModified: latestTimestamp }
}
