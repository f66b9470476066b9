/** Searches for routes: in this turn where they are quick, else in a thread. */
import { spellingsOf } from './variantTitles.js'
import { hasVariants } from '../../domain/variants.js'
import { FileUrls } from '../../files/fileUrls.js'
import { type PictureView, searchThumbnail } from '../../files/searchThumbnail.js'
import type { PictureOf, SearchRequest } from '../../storage/search/searchIndex.js'
import { PoolFullError, TaskTimeoutError } from '../../workers/hosting/poolErrors.js'
import { HttpError } from '../reply/errors.js'
import { ColdRowError } from '../../storage/tables/coldReads.js'
import type { AppContext } from '../../context.js'
import type { SearchBatches } from '../../workers/compute/batches.js'

type SearchContext = Pick<AppContext, 'store' | 'config' | 'log'>

/**
 * The answer to a search, as UTF-8 of JSON. A search that reads long lists runs in a thread, and so does any search
 * beyond the time budget of the turn. So page reads do not wait for searches. Throws rest-search-error.
 */
export function searchPages(
  search: SearchRequest,
  baseUrl: string,
  context: SearchContext & { readonly searches: SearchBatches },
): Uint8Array | Promise<Uint8Array> {
  const { store, searches, config } = context
  requireIndex(context)
  return answering(context, () => {
    const { limit, offset } = search
    // A search reads many rows, and would wait for the disk at each that is not in memory.
    const isCold = store.search.hasPaused() || store.coldReads.isAlert
    const needsThread = isCold || searches.isBusy
    const ready = needsThread
      ? undefined
      : store.search.answerInTurn(store.search.parse(search), limit, picturesFor(config, baseUrl), offset)
    return ready ?? searches.answer({ ...search, baseUrl })
  })
}

/** Pages whose title begins with the text, as UTF-8 of JSON. Throws rest-search-error. */
export function completeTitles(search: SearchRequest, baseUrl: string, context: SearchContext): Uint8Array {
  const { store, config } = context
  requireIndex(context)
  return answering(context, () => Buffer.from(store.search.complete(search, picturesFor(config, baseUrl))))
}

/** As `completeTitles`. If no title begins so, those that begin with the text in the letters of another variant. */
export function completeInVariants(
  search: SearchRequest,
  baseUrl: string,
  context: SearchContext & Pick<AppContext, 'pool'>,
): Uint8Array | Promise<Uint8Array> {
  const body = completeTitles(search, baseUrl, context)
  const { language } = context.store.site()
  if (body.length > NO_PAGES || !hasVariants(language)) return body
  return spellingsOf(search.text, language, context).then((spellings) => {
    for (const text of spellings) {
      const other = completeTitles({ ...search, text }, baseUrl, context)
      if (other.length > NO_PAGES) return other
    }
    return body
  })
}

const NO_PAGES = '{"pages":[]}'.length

/** Pictures of files with URLs for this client. The URLs are prepared at the first file. */
function picturesFor(config: SearchContext['config'], baseUrl: string): PictureOf {
  let view: PictureView | undefined
  return (dbkey, facts) => {
    view ??= { urls: new FileUrls(config, baseUrl) }
    return searchThumbnail(dbkey, facts, view)
  }
}

/** Throws rest-search-error when the index is unusable; the log explained it at the start. */
function requireIndex({ store }: Pick<SearchContext, 'store'>): void {
  const condition = store.search.condition()
  if (condition !== 'ready') throw new HttpError('rest-search-error', [`index-${condition}`])
}

/** Turns a failure of the search into rest-search-error. Errors of a full or slow pool keep their own answers. */
function answering<Answer extends Uint8Array | Promise<Uint8Array>>(
  { log }: Pick<SearchContext, 'log'>,
  search: () => Answer,
): Answer {
  const fail = (error: unknown): never => {
    if (isPoolError(error) || error instanceof ColdRowError) throw error
    log.error({ err: error }, 'a search failed')
    throw new HttpError('rest-search-error', ['search-failed'])
  }
  try {
    const answer = search()
    return answer instanceof Promise ? (answer.catch(fail) as Answer) : answer
  } catch (error) {
    return fail(error)
  }
}

const isPoolError = (error: unknown): boolean =>
  error instanceof PoolFullError || error instanceof TaskTimeoutError
