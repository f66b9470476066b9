/** `GET /page/{title}/markdown`: a page as Markdown, which the specification does not have. */
import { prefixedText } from '../../domain/title.js'
import { ownBody } from '../../storage/html/packedHtml.js'
import { addressesOf } from '../actionApi/addresses.js'
import { conditionally, headerLines, type Reply, reusable, validatorLines } from '../reply/reply.js'
import { pageTitle } from '../request/params.js'
import { defineRoute } from '../routing/route.js'
import { HTML_ERRORS, withHtml } from '../views/html.js'
import { requireShownPage } from './page.js'

/** Longer than any page that can be rendered. */
const MAX_BYTES = 32 * 1024 * 1024
const HEADERS = headerLines({
  'Content-Type': 'text/markdown; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'max-age=5',
})

const LINE_END = Buffer.from('\n')

/** Answers a page as Markdown, with links to the pages for readers and notes as footnotes. */
export const getPageMarkdown = defineRoute({
  method: 'GET',
  path: '/page/{title}/markdown',
  doc: {
    id: 'getPageMarkdown',
    tag: 'Pages',
    summary: 'Read a page as Markdown',
    description:
      'CommonMark with tables and footnotes, made of the HTML of the latest revision. Formulas are TeX. Boxes that lead to other pages, hidden parts and pictures are left out.',
    answer: { description: 'The page', type: 'text/markdown', schema: { type: 'string' } },
    errors: ['rest-nonexistent-title', 'rest-source-hidden', ...HTML_ERRORS],
  },
  params: { title: pageTitle() },
  handler({ params, request, wiki }, context) {
    const { page, title } = requireShownPage(context, params.title)
    const isCurrent = context.pages.unchanged(title, page)
    const { server, links } = addressesOf({ baseUrl: request.baseUrl(), context })
    const asked = { revisionId: page.latestId, request, isCurrent }
    return withHtml<Reply | Promise<Reply>>(asked, context, ({ packedHtml, tag, madeAt, lifetime }) => {
      const etag = wiki.htmlTag(page.latestId, tag, { flavour: 'view/html' })
      const validators = { etag, lastModified: madeAt }
      return conditionally<Reply | Promise<Reply>>(request.conditions, validators, async () => {
        const { text = new Uint8Array() } = await context.pool.run('markdown', {
          parts: ownBody(packedHtml),
          options: {
            form: 'markdown',
            links: { below: server + links.wiki },
            notes: 'footnotes',
            title: prefixedText(title, wiki.namespaces),
            maxBytes: MAX_BYTES,
          },
        })
        const headers = HEADERS + validatorLines(validators)
        const reply = { status: 200, headers, body: Buffer.concat([text, LINE_END]) }
        return lifetime === undefined ? reply : reusable(reply, { validators, ...lifetime, namesHost: true })
      })
    })
  },
})
