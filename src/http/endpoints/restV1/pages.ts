/** Pages as `/api/rest_v1` names them: by title, with redirects as answers, and problems in the form of RFC 9457. */
import { encodePercent } from '../../../domain/percent.js'
import { parseTitle, prefixedKey, type Title } from '../../../domain/title.js'
import type { PageSummary, RevisionRow } from '../../../storage/store.js'
import type { HttpError } from '../../reply/errors.js'
import { headerLines, type Reply } from '../../reply/reply.js'
import type { Integer, RequestedTitle } from '../../request/params.js'
import type { Wiki } from '../../request/wiki.js'
import type { ErrorPage, HttpContext } from '../../routing/route.js'

/** Below the wiki's root. */
export const REST_V1 = '/api/rest_v1'
const CROSS_ORIGIN = { 'Access-Control-Allow-Origin': '*' }
const NAMES: Readonly<Partial<Record<number, string>>> = {
  400: 'bad_request',
  403: 'forbidden',
  404: 'not_found',
  429: 'request_rate_exceeded',
}

/** Headers of an answer of a kind, such as `Summary/1.5.0`. */
export const headersOf = (specification: string): string =>
  headerLines({
    'Content-Type': `application/json; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/${specification}"`,
    'Cache-Control': 'max-age=5',
    ...CROSS_ORIGIN,
  })

/** An error. `path` is below the wiki's root. */
export function problem(status: number, title: string, detail: string, path: string = REST_V1): Reply {
  const name = NAMES[status] ?? 'internal_error'
  const type = `https://mediawiki.org/wiki/HyperSwitch/errors/${name}`
  return {
    status,
    headers: headerLines({
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-cache',
      ...CROSS_ORIGIN,
    }),
    body: Buffer.from(JSON.stringify({ type, title, method: 'get', detail, uri: path, status })),
  }
}

export const problemPage: ErrorPage = (error: HttpError) => {
  const reply = problem(error.status, error.key, error.message)
  const { headers, closesConnection } = error.extras
  return {
    ...reply,
    headers: reply.headers + headerLines({ ...headers }),
    ...(closesConnection === true && { closesConnection }),
  }
}

/** A page with a revision that may be shown. */
export interface ShownPage {
  readonly title: Title
  readonly key: string
  readonly page: PageSummary
  readonly revision: RevisionRow
  /** A check to call later: whether the address still means this revision, and its text may be shown. */
  readonly isCurrent: () => boolean
}

/** The kinds of answers, as paths name them. */
export const FORMS = ['summary', 'html', 'media-list', 'title'] as const
export type PageForm = (typeof FORMS)[number]

export interface PageWish {
  readonly form: PageForm
  readonly requested: RequestedTitle
  readonly revisionId: Integer | undefined
  /** False: answer a redirect itself. */
  readonly follows: boolean
}

/** The page, or the answer that sends the client to another title or says that there is none. */
export function shownPage(
  { form, requested, revisionId, follows }: PageWish,
  { namespaces }: Wiki,
  { pages, store }: HttpContext,
): ShownPage | Reply {
  const { asked, title } = requested
  const path = `${REST_V1}/page/${form}/${encodePercent(asked.toWellFormed())}`
  const missing = (): Reply => problem(404, 'Not found.', 'Page or revision not found.', path)
  if (title === undefined) return missing()
  const key = prefixedKey(title, namespaces)
  if (asked.replaceAll(' ', '_') !== key) return moved(301, key, revisionId)
  const row = pages.find(title)
  if (row === undefined) return missing()
  const unchanged = pages.unchanged(title, { ...row })
  const page = store.getPageById(row.pageId)
  if (page === undefined) return missing()
  if (revisionId === undefined && follows && page.redirectTarget !== undefined) {
    const target = parseTitle(page.redirectTarget, namespaces)
    const isOther = target.ok && prefixedKey(target.title, namespaces) !== key
    if (isOther && pages.find(target.title) !== undefined)
      return moved(302, prefixedKey(target.title, namespaces))
  }
  const revision = typeof revisionId === 'bigint' ? undefined : store.getRevision(revisionId ?? page.latestId)
  if (revision?.pageId !== page.pageId) return missing()
  if (revision.textHidden)
    return problem(403, 'Access denied.', 'Access is restricted to this revision.', path)
  const { id } = revision
  const isShown = (): boolean => store.getRevision(id)?.textHidden === false
  return { title, key, page, revision, isCurrent: revisionId === undefined ? unchanged : isShown }
}

export const isReply = (found: ShownPage | Reply): found is Reply => 'status' in found

/** The address is beside the one that was asked. */
function moved(status: 301 | 302, key: string, revisionId?: Integer): Reply {
  const name = encodePercent(key)
  const location = revisionId === undefined ? name : `../${name}/${revisionId}`
  return seeAt(status, location, 'max-age=60')
}

/** Leads to another address. */
export function seeAt(status: 301 | 302 | 303, location: string, caching: string): Reply {
  const headers = { Location: location, 'Cache-Control': caching, ...CROSS_ORIGIN }
  return { status, headers: headerLines(headers), body: new Uint8Array() }
}
