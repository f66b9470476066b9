/** `/index.php` and `/load.php` beside `/api.php`: addresses of MediaWiki that clients and links know. */
import { interwikiPrefixOf } from '../../domain/interwiki.js'
import { prefixedKey } from '../../domain/title.js'
import { encodeTitle } from '../../reader/links.js'
import { text } from '../../reader/messages.js'
import { HttpError } from '../reply/errors.js'
import { headerLines, type Reply } from '../reply/reply.js'
import type { RequestView } from '../request/requestView.js'
import type { Wiki } from '../request/wiki.js'
import { defineRoute, type HttpContext } from '../routing/route.js'
import { mainPagePath } from '../views/mainPage.js'
import { errorPage, leadTo, problemPage } from './pageReply.js'
import { pageAnswer } from './tables.js'
import { rawType } from './views/source.js'
import { type Visit, visitOf } from './visit.js'

const NO_TEXT: Reply = {
  status: 404,
  headers: headerLines({ 'Content-Type': 'text/x-wiki; charset=utf-8', 'Cache-Control': 'no-cache' }),
  body: new Uint8Array(),
}
const HTML_TYPE = headerLines({ 'Content-Type': 'text/html; charset=utf-8' })
const REVISION_ID = /^\d{1,10}$/

interface Input {
  readonly request: RequestView
  readonly wiki: Wiki
  readonly rawQuery: string
}

const getIndex = defineRoute({
  method: 'GET',
  root: 'folder',
  path: '/index.php',
  errorPage,
  handler(input, context) {
    const origin = /^https?:\/\/[^/]*/.exec(input.request.baseUrl())?.[0] ?? ''
    const reply = indexAnswer(input, context)
    return reply instanceof Promise
      ? reply.then((found) => withOrigin(found, origin))
      : withOrigin(reply, origin)
  },
})

/** MediaWiki's redirects have an absolute address and a type. */
function withOrigin(reply: Reply, origin: string): Reply {
  const { status, headers } = reply
  if (status < 301 || status > 303) return reply
  return { ...reply, headers: HTML_TYPE + headers.replace('\r\nLocation: /', `\r\nLocation: ${origin}/`) }
}

function indexAnswer(input: Input, context: HttpContext): Reply | Promise<Reply> {
  const { request, wiki, rawQuery } = input
  const site = context.readerSites.site(wiki)
  const query = new URLSearchParams(rawQuery)
  const asked = askedTitle(query, wiki, context)
  const isRaw = query.get('action') === 'raw'
  if (asked === undefined) return isRaw ? NO_TEXT : problemPage(site, 404, text('not-found-heading'))
  if (asked === '') return leadTo(mainPagePath(wiki, context, site.links), 301)
  const visit = visitOf(asked, query, { request, wiki, context })
  if (visit === undefined) return problemPage(site, 400, text('bad-title', asked))
  if (isRaw) return rawAnswer(visit, context)
  // The search box of MediaWiki leads to the page that has the title, unless the reader asks for a search.
  if (query.has('search') && !query.has('fulltext')) query.set('go', '')
  return elsewhere(visit, context) ?? canonicalPlace(visit) ?? pageAnswer(visit, context)
}

/**
 * The title that a request names: itself, or by the id of a page or a revision. Empty if it names none; undefined if
 * nothing has the id.
 */
function askedTitle(
  query: URLSearchParams,
  { namespaces }: Wiki,
  { store }: HttpContext,
): string | undefined {
  const title = query.get('title') ?? ''
  const revisionId = [query.get('oldid'), query.get('diff')].find((id) => id !== null && REVISION_ID.test(id))
  const curid = query.get('curid')
  if (title !== '') return title
  if (curid === null && revisionId === undefined) return query.has('search') ? 'Special:Search' : ''
  const id = revisionId === undefined ? Number(curid) : store.getRevision(Number(revisionId))?.pageId
  const page = id === undefined || !Number.isSafeInteger(id) ? undefined : store.getPageById(id)
  return page && prefixedKey(page, namespaces)
}

/** Titles of other wikis: those of other languages lead there. */
function elsewhere({ title, site }: Visit, { store }: HttpContext): Reply | undefined {
  const map = store.interwiki()
  const prefix = interwikiPrefixOf(title, map)
  const target = prefix === undefined ? undefined : map.get(prefix)
  if (prefix === undefined || target === undefined) return undefined
  if (target.language === undefined) return problemPage(site, 404, text('not-found-heading'))
  const name = encodeTitle(title.dbkey.slice(prefix.length + 1).replace(/^_+/, ''))
  return leadTo(
    target.url.replace('$1', () => name),
    301,
  )
}

/** Another spelling of a title leads to the page's own URL, if the request has nothing but the title. */
function canonicalPlace({ asked, key, query, title, links }: Visit): Reply | undefined {
  const isAlone = [...query.keys()].every((name) => name === 'title')
  return isAlone && title.namespace >= 0 && asked !== key ? leadTo(links.page(key), 301) : undefined
}

/** The wikitext. Clients want no page in place of one that is missing or hidden. */
function rawAnswer(visit: Visit, context: HttpContext): Reply | Promise<Reply> {
  const { query } = visit
  query.set('ctype', rawType(query.get('ctype'), 'text/x-wiki'))
  try {
    const reply = pageAnswer(visit, context)
    return reply instanceof Promise ? reply.catch(rawFailure) : reply
  } catch (error) {
    return rawFailure(error)
  }
}

function rawFailure(error: unknown): Reply {
  if (error instanceof HttpError && (error.status === 404 || error.status === 403)) return NO_TEXT
  throw error
}

/** Pages here have their own scripts and styles. Clients of MediaWiki load modules and must not fail. */
const getModules = defineRoute({
  method: 'GET',
  root: 'folder',
  path: '/load.php',
  handler({ rawQuery }) {
    const isStyles = new URLSearchParams(rawQuery).get('only') === 'styles'
    const headers = headerLines({
      'Content-Type': `${isStyles ? 'text/css' : 'text/javascript'}; charset=utf-8`,
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'public, max-age=300',
    })
    return { status: 200, headers, body: Buffer.from('/* This server has no modules. */\n') }
  },
})

export const scriptRoutes = [getIndex, getModules]
