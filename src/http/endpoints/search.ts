/** Search: full text, and completion of titles (spec 4.1, 4.2). */
import { completeInVariants, resultsInVariant, searchPages as search } from '../views/searching.js'
import { POOL_ERRORS } from '../reply/errors.js'
import { ref } from '../openapi/schemas.js'
import { integerBetween, optional, text } from '../request/params.js'
import { headerLines, json, type Reply, reusable } from '../reply/reply.js'
import { defineRoute } from '../routing/route.js'

const LIMIT = integerBetween(1, 100, 50, 'most results to answer')
const VARIANT = optional(
  text('variant of the language that shows titles and texts, such as `zh-tw`; others have no effect'),
)
const NO_VALIDATORS = { etag: undefined, lastModified: undefined }
/** URLs of pictures have the host. */
const namesHost = true
const CACHE = headerLines({ 'Cache-Control': 'public, max-age=1200' })

/** Answers pages whose title or text has the words, best first. */
export const searchPages = defineRoute({
  method: 'GET',
  path: '/search/page',
  doc: {
    id: 'searchPages',
    tag: 'Search',
    summary: 'Search titles and texts',
    description:
      'Results have all words. `"words in quotes"` must stand together, `-word` excludes a word, and the last word may be incomplete. `Talk:` before the words searches that namespace, `all:` searches all. `incategory:"Tall trees"` limits results to a category, `-incategory:` to pages outside.',
    answer: { description: 'Pages, best first', schema: ref('SearchResults') },
    conditions: 'none',
    errors: ['rest-search-error', ...POOL_ERRORS],
  },
  query: { q: text('words to find'), limit: LIMIT, variant: VARIANT },
  handler({ query: { q, limit, variant }, request, wiki }, context) {
    const { searchNamespaces: namespaces } = context.config
    const asked = { text: q, limit, namespaces }
    const watch = context.store.search.watchPages(asked)
    const answer = (body: Uint8Array, shown = body): Reply =>
      reusable(json(shown, NO_VALIDATORS), { validators: NO_VALIDATORS, namesHost, watch: () => watch(body) })
    const found = search(asked, request.baseUrl(), context)
    return resultsInVariant(found, answer, { variant, wiki, context })
  },
})

/** Answers pages whose title, or that of a redirect to them, begins with the text. Exact titles come first. */
export const searchTitles = defineRoute({
  method: 'GET',
  path: '/search/title',
  doc: {
    id: 'searchTitles',
    tag: 'Search',
    summary: 'Complete a title',
    description:
      'For fields that complete what people type. Redirects count; letters may differ in case and accents. If no title begins so, those in the letters of another variant of the language count.',
    answer: { description: 'Pages whose title begins so, exact titles first', schema: ref('SearchResults') },
    conditions: 'none',
    errors: ['rest-search-error'],
  },
  query: { q: text('beginning of a title'), limit: LIMIT, variant: VARIANT },
  handler({ query: { q, limit, variant }, request, wiki }, context) {
    const { searchNamespaces: namespaces } = context.config
    const isCurrent = context.store.search.watchTitles()
    const answer = (body: Uint8Array, shown = body): Reply =>
      reusable(json(shown, NO_VALIDATORS, CACHE), { validators: NO_VALIDATORS, namesHost, isCurrent })
    const completed = completeInVariants({ text: q, limit, namespaces }, request.baseUrl(), context)
    return resultsInVariant(completed, answer, { variant, wiki, context })
  },
})
