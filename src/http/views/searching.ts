/** Searches for routes: in this turn where they are quick, else in a thread. */
import { decodeCharacterReferences } from '../../domain/characterReferences.js'
import { escapeHtml } from '../../domain/html.js'
import { markedHtml, markedName } from '../../domain/variantMarks.js'
import type { Wiki } from '../request/wiki.js'
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

interface ShownIn {
  /** Code of a variant, as a request names it. */
  readonly variant: string | undefined
  readonly wiki: Wiki
  readonly context: Pick<AppContext, 'pool'>
}

/** The reply with results whose titles and texts are in a variant, if one is asked for. `found` is as it is written. */
export function resultsInVariant<Made>(
  found: Uint8Array | Promise<Uint8Array>,
  reply: (found: Uint8Array, shown?: Uint8Array) => Made,
  { variant, wiki, context }: ShownIn,
): Made | Promise<Made> {
  const { language } = wiki.site
  const isAsked = variant !== undefined && variant !== language && wiki.variants?.has(variant) === true
  if (!isAsked) return found instanceof Promise ? found.then((body) => reply(body)) : reply(found)
  return Promise.resolve(found).then(async (body) =>
    reply(body, await converted(body, { language, variant, pool: context.pool })),
  )
}

/** Results as the API sends them. Other fields stay. */
interface WireAnswer {
  readonly pages: readonly {
    readonly title: string
    readonly excerpt: string
    readonly matched_title: string | null
    readonly description: string | null
  }[]
}

async function converted(
  body: Uint8Array,
  { pool, ...of }: { readonly language: string; readonly variant: string } & Pick<AppContext, 'pool'>,
): Promise<Uint8Array> {
  const answer = JSON.parse(Buffer.from(body).toString()) as WireAnswer
  const texts = answer.pages.flatMap(({ title, excerpt, matched_title: matched, description }) => [
    markedName(escapeHtml(title)),
    markedHtml(excerpt),
    markedName(escapeHtml(matched ?? '')),
    markedHtml(escapeHtml(description ?? '')),
  ])
  const shown = (await pool.run('readMarked', { texts, ...of })).values()
  const html = (): string => String(shown.next().value)
  const plain = (): string => decodeCharacterReferences(html())
  const pages = answer.pages.map((page) => {
    const [title, excerpt, matched, description] = [plain(), html(), plain(), plain()]
    return {
      ...page,
      ...{ title, excerpt },
      matched_title: page.matched_title === null ? null : matched,
      description: page.description === null ? null : description,
    }
  })
  return Buffer.from(JSON.stringify({ ...answer, pages }))
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
