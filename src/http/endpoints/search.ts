/** Search: full text, and completion of titles (spec 4.1, 4.2). */
import { FileUrls } from '../../files/fileUrls.js'
import { type PictureView, searchThumbnail } from '../../files/searchThumbnail.js'
import type { PictureOf, SearchRequest } from '../../storage/search/searchIndex.js'
import { PoolFullError, TaskTimeoutError } from '../../workers/hosting/poolErrors.js'
import { HttpError } from '../reply/errors.js'
import { POOL_ERRORS } from '../openapi/routeDoc.js'
import { ref } from '../openapi/schemas.js'
import { integerBetween, text } from '../request/params.js'
import { headerLines, json, type Reply, reusable } from '../reply/reply.js'
import { defineRoute, type HttpContext } from '../routing/route.js'

const LIMIT = integerBetween(1, 100, 50, 'most results to answer')
const NO_VALIDATORS = { etag: undefined, lastModified: undefined }
/** Any edit may change the results, so reuse ends with the next write. URLs of pictures contain the host. */
const REUSE = { validators: NO_VALIDATORS, namesHost: true }
const CACHE = headerLines({ 'Cache-Control': 'public, max-age=1200' })

/**
 * Answers pages whose title or text has the words, best first. A search that reads long lists runs in a thread, and so
 * does any search beyond the time budget of the turn. So page reads do not wait for searches.
 */
export const searchPages = defineRoute({
  method: 'GET',
  path: '/search/page',
  doc: {
    id: 'searchPages',
    tag: 'Search',
    summary: 'Search titles and texts',
    description:
      'Results have all words. `"words in quotes"` must stand together, `-word` excludes a word, and the last word may be incomplete. `Talk:` before the words searches that namespace, `all:` searches all.',
    answer: { description: 'Pages, best first', schema: ref('SearchResults') },
    conditions: 'none',
    errors: ['rest-search-error', ...POOL_ERRORS],
  },
  query: { q: text('words to find'), limit: LIMIT },
  handler({ query: { q, limit }, request }, context) {
    const { store, searches, config } = context
    requireIndex(context)
    const baseUrl = request.baseUrl()
    const search: SearchRequest = { text: q, limit, namespaces: config.searchNamespaces }
    return answering(context, () => {
      const query = store.search.parse(search)
      const ready = searches.isBusy
        ? undefined
        : store.search.answerInTurn(query, limit, picturesFor(config, baseUrl))
      if (ready !== undefined) return reusable(json(Buffer.from(ready), NO_VALIDATORS), REUSE)
      return searches
        .answer({ ...search, baseUrl })
        .then((body) => reusable(json(body, NO_VALIDATORS), REUSE))
    })
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
      'For fields that complete what people type. Redirects count; letters may differ in case and accents.',
    answer: { description: 'Pages whose title begins so, exact titles first', schema: ref('SearchResults') },
    conditions: 'none',
    errors: ['rest-search-error'],
  },
  query: { q: text('beginning of a title'), limit: LIMIT },
  handler({ query: { q, limit }, request }, context) {
    const { store, config } = context
    requireIndex(context)
    const baseUrl = request.baseUrl()
    const search: SearchRequest = { text: q, limit, namespaces: config.searchNamespaces }
    return answering(context, () =>
      reusable(
        json(Buffer.from(store.search.complete(search, picturesFor(config, baseUrl))), NO_VALIDATORS, CACHE),
        REUSE,
      ),
    )
  },
})

/** Pictures of files with URLs for this client. The URLs are prepared at the first file. */
function picturesFor(config: HttpContext['config'], baseUrl: string): PictureOf {
  let view: PictureView | undefined
  return (dbkey, facts) => {
    view ??= { urls: new FileUrls(config, baseUrl), maxImagePixels: config.maxImagePixels }
    return searchThumbnail(dbkey, facts, view)
  }
}

/** Throws rest-search-error when the index is unusable; the log explained it at the start. */
function requireIndex({ store }: Pick<HttpContext, 'store'>): void {
  const condition = store.search.condition()
  if (condition !== 'ready') throw new HttpError('rest-search-error', [`index-${condition}`])
}

/** Turns a failure of the search into rest-search-error. Errors of a full or slow pool keep their own answers. */
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
