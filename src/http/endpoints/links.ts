/** Links of a page: language links (spec 4.9). */
import { formatTimestamp } from '../../domain/timestamp.js'
import { requirePage } from '../lookup.js'
import { POOL_ERRORS } from '../openapi/routeDoc.js'
import { list, ref } from '../openapi/schemas.js'
import { pageTitle } from '../params.js'
import { conditionally, json, type Reply } from '../reply.js'
import { defineRoute } from '../route.js'

/** Texts up to this size are searched for links on the event loop: that stays well below a millisecond. */
const MAX_INLINE_BYTES = 64 * 1024

/** Answers the page's counterparts in other languages, by language code; an empty list when there are none. */
export const getLanguageLinks = defineRoute({
  method: 'GET',
  path: '/page/{title}/links/language',
  doc: {
    id: 'getPageLanguages',
    tag: 'Pages',
    summary: 'List the same page in other languages',
    answer: {
      description: 'Links by language code, none when there are none',
      schema: list(ref('LanguageLink')),
    },
    errors: ['rest-nonexistent-title', ...POOL_ERRORS],
  },
  params: { title: pageTitle() },
  handler({ params, request }, { pages, store, pool }) {
    const { pageId, latestId, latestTimestamp, source } = requirePage(pages, params.title).page
    const sourceBytes = source.length
    const etag = `"${latestId}@${digitsOf(latestTimestamp)}"`
    const validators = { etag, lastModified: latestTimestamp }
    return conditionally<Reply | Promise<Reply>>(request.conditions, validators, () =>
      sourceBytes <= MAX_INLINE_BYTES
        ? json(store.languageLinks(pageId), validators)
        : pool.run('languageLinks', { pageId }).then((links) => json(links, validators)),
    )
  },
})

/** `20261120214807`: a time as MediaWiki writes it into tags. */
function digitsOf(seconds: number): string {
  return formatTimestamp(seconds).replace(/\D/g, '')
}
