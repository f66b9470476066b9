/** Search: full text, and titles by their beginning (spec 4.1, 4.2). */
import type { SearchRequest } from '../../storage/search/searchIndex.js'
import { PoolFullError, TaskTimeoutError } from '../../workers/pool.js'
import { HttpError } from '../errors.js'
import { POOL_ERRORS } from '../openapi/routeDoc.js'
import { ref } from '../openapi/schemas.js'
import { integerBetween, text } from '../params.js'
import { headerLines, json, type Reply, reusable } from '../reply.js'
import { defineRoute, type HttpContext } from '../route.js'

const LIMIT = integerBetween(1, 100, 50, 'most results to answer')
const NO_VALIDATORS = { etag: undefined, lastModified: undefined }
/** Any edit may change what is found. */
const REUSE = { validators: NO_VALIDATORS }
const CACHE = headerLines({ 'Cache-Control': 'public, max-age=1200' })
/** Postings that are read on the event loop: more of them are of words so common that answering takes a while. */
const MAX_INLINE_POSTINGS = 1000

/**
 * Answers pages whose title or text has the words, best first. A search that reads long lists runs in a thread, so that
 * page reads do not wait for it.
 */
export const searchPages = defineRoute({
  method: 'GET',
  path: '/search/page',
  doc: {
    id: 'searchPages',
    tag: 'Search',
    summary: 'Search titles and texts',
    description:
      'All words must be found. `"words in quotes"` must stand together, `-word` must not be there, the last word may be the beginning of one. `Talk:` before the words searches that namespace, `all:` every one.',
    answer: { description: 'Pages, best first', schema: ref('SearchResults') },
    errors: ['rest-search-error', ...POOL_ERRORS],
  },
  query: { q: text('words to find'), limit: LIMIT },
  handler({ query: { q, limit } }, context) {
    const { store, pool, config } = context
    requireIndex(context)
    const request: SearchRequest = { text: q, limit, namespaces: config.searchNamespaces }
    return answering(context, () => {
      const ready = store.search.answer(store.search.parse(request), limit, MAX_INLINE_POSTINGS)
      if (ready !== undefined) return reusable(json(Buffer.from(ready), NO_VALIDATORS), REUSE)
      return pool.run('searchPages', request).then((body) => reusable(json(body, NO_VALIDATORS), REUSE))
    })
  },
})

/** Answers pages whose title, or that of a redirect to them, begins with the text, exact titles first. */
export const searchTitles = defineRoute({
  method: 'GET',
  path: '/search/title',
  doc: {
    id: 'searchTitles',
    tag: 'Search',
    summary: 'Complete a title',
    answer: { description: 'Pages whose title begins so, exact titles first', schema: ref('SearchResults') },
    errors: ['rest-search-error'],
  },
  query: { q: text('beginning of a title'), limit: LIMIT },
  handler({ query: { q, limit } }, context) {
    const { store, config } = context
    requireIndex(context)
    const request: SearchRequest = { text: q, limit, namespaces: config.searchNamespaces }
    return answering(context, () =>
      reusable(json(Buffer.from(store.search.complete(request)), NO_VALIDATORS, CACHE), REUSE),
    )
  },
})

/** Throws rest-search-error while the index cannot be used; the log said at the start what to do. */
function requireIndex({ store }: Pick<HttpContext, 'store'>): void {
  const condition = store.search.condition()
  if (condition !== 'ready') throw new HttpError('rest-search-error', [`index-${condition}`])
}

/** Turns a fault of the search into rest-search-error; a full or slow pool answers for itself. */
function answering(
  { log }: Pick<HttpContext, 'log'>,
  search: () => Reply | Promise<Reply>,
): Reply | Promise<Reply> {
  const fail = (error: unknown): never => {
    if (isPoolError(error)) throw error
    log.error({ err: error }, 'a search failed')
    throw new HttpError('rest-search-error', ['search-failed'])
  }
  try {
    const reply = search()
    return reply instanceof Promise ? reply.catch(fail) : reply
  } catch (error) {
    return fail(error)
  }
}

const isPoolError = (error: unknown): boolean =>
  error instanceof PoolFullError || error instanceof TaskTimeoutError
