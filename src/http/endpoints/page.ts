/** Pages: source and bare (spec 4.7, 4.5). Redirects are never followed. */
import { prefixedText } from '../../domain/title.js'
import type { PageRow } from '../../storage/store.js'
import { continueObject } from '../bodies.js'
import type { Validators } from '../conditional.js'
import { HttpError } from '../errors.js'
import { requirePage } from '../lookup.js'
import { ref } from '../openapi/schemas.js'
import { pageTitle } from '../params.js'
import { encodePercent } from '../percent.js'
import { conditionally, headerLines, json } from '../reply.js'
import { defineRoute } from '../route.js'
import type { Wiki } from '../wiki.js'

const CACHE = headerLines({ 'Cache-Control': 'max-age=5' })

/** Answers a page with its latest source. The body is bytes from the store: this is what mirrors serve most. */
export const getPageSource = defineRoute({
  method: 'GET',
  path: '/page/{title}',
  doc: {
    id: 'getPageSource',
    tag: 'Pages',
    summary: 'Read a page with its source',
    answer: { description: 'The page and its latest text', schema: ref('PageSource') },
    errors: ['rest-nonexistent-title', 'rest-source-hidden'],
  },
  params: { title: pageTitle() },
  handler({ params, request, wiki }, { pages }) {
    const { page } = requirePage(pages, params.title)
    if (page.textHidden) throw new HttpError('rest-source-hidden', [params.title.asked])
    const validators = pageValidators(page, wiki)
    return conditionally(request.conditions, validators, () =>
      json(pages.sourceBody(page, wiki), validators, CACHE),
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
    answer: { description: 'The page, with the URL of its HTML', schema: ref('Page') },
    errors: ['rest-nonexistent-title', 'rest-html-not-configured'],
  },
  params: { title: pageTitle() },
  handler({ params, request, wiki }, { pages, config }) {
    const { page, title } = requirePage(pages, params.title)
    if (!config.html) throw new HttpError('rest-html-not-configured')
    const validators = pageValidators(page, wiki)
    return conditionally(request.conditions, validators, () => {
      const url = `${request.baseUrl()}/v1/page/${encodePercent(prefixedText(title, wiki.namespaces))}/html`
      const tail = `${wiki.licenseField},"html_url":${JSON.stringify(url)}}`
      return json(continueObject(page.meta, tail), validators, CACHE)
    })
  },
})

/** A page's state is that of its latest revision. */
function pageValidators(page: PageRow, wiki: Wiki): Validators {
  return { etag: wiki.revisionTag(page.latestId, page.textHidden), lastModified: page.latestTimestamp }
}
