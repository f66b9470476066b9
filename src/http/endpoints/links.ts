/** Links of a page: language links (spec 4.9). */
import { formatTimestamp } from '../../domain/timestamp.js'
import { requirePage } from '../lookup.js'
import { pageTitle } from '../params.js'
import { conditionally, json } from '../reply.js'
import { defineRoute } from '../route.js'

/** Answers the page's counterparts in other languages, by language code; an empty list when there are none. */
export const getLanguageLinks = defineRoute({
  method: 'GET',
  path: '/page/{title}/links/language',
  params: { title: pageTitle() },
  handler({ params, request }, { pages, store }) {
    const { pageId, latestId, latestTimestamp } = requirePage(pages, params.title).page
    const etag = `"${latestId}@${digitsOf(latestTimestamp)}"`
    const validators = { etag, lastModified: latestTimestamp }
    return conditionally(request.conditions, validators, () =>
      json(store.languageLinksJson(pageId) ?? [], validators),
    )
  },
})

/** `20261120214807`: a time as MediaWiki writes it into tags. */
function digitsOf(seconds: number): string {
  return formatTimestamp(seconds).replace(/\D/g, '')
}
