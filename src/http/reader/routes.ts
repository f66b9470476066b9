/**
 * All routes of the pages for readers. Absent from a server without these pages. `tables.ts` has the handlers of the
 * pages and of the forms that readers send.
 */
import { SPECIAL } from '../../domain/namespaceIds.js'
import { parseTitle, prefixedKey, type Title } from '../../domain/title.js'
import { encodeTitle } from '../../reader/links.js'
import { text } from '../../reader/messages.js'
import { headerLines, type Reply } from '../reply/reply.js'
import { restOfPath } from '../request/params.js'
import type { RequestView } from '../request/requestView.js'
import { defineRoute, type HttpContext, type Route } from '../routing/route.js'
import type { Wiki } from '../request/wiki.js'
import { errorPage, leadTo, PRIVATE, problemPage } from './pageReply.js'
import { actionOf, PAGE_ACTIONS, PAGE_FORMS, SPECIAL_FORMS, SPECIAL_PAGES } from './tables.js'
import { FORM_FIELDS, type FormFields, type FormHandler, type Visit, type VisitHandler } from './visit.js'
import { isOwnForm } from '../request/credentials.js'
import { formBody } from '../request/bodyFields.js'
import { fileRoutes } from './fileRoutes.js'

const getReaderPage = defineRoute({
  method: 'GET',
  root: 'top',
  path: '/wiki/{title...}',
  params: { title: restOfPath() },
  errorPage,
  handler({ params, request, rawQuery, wiki }, context) {
    const site = context.readerSites.site(wiki)
    if (params.title === '') return leadTo(site.links.front)
    const visit = visitOf(params.title, rawQuery, request, wiki, context)
    if (visit === undefined) {
      return problemPage(site, 400, text('bad-title', params.title))
    }
    return canonicalPlace(visit, rawQuery) ?? answer(visit, context)
  },
})

/** Undefined for a text that no page can have as its title. */
function visitOf(
  asked: string,
  rawQuery: string,
  request: RequestView,
  wiki: Wiki,
  context: HttpContext,
): Visit | undefined {
  const { namespaces } = wiki
  const parsed = parseTitle(asked, namespaces)
  if (!parsed.ok) return undefined
  const { title } = parsed
  const site = context.readerSites.site(wiki)
  return {
    asked,
    title,
    key: prefixedKey(title, namespaces),
    target: title.namespace === SPECIAL ? title.dbkey.replace(/^[^/]*\/?/, '').replaceAll('_', ' ') : '',
    query: new URLSearchParams(rawQuery),
    request,
    wiki,
    namespaces,
    site,
    links: site.links,
  }
}

/** Other spellings of a title lead to the one of the store, so that each page has one URL. */
function canonicalPlace({ asked, key, title, links }: Visit, rawQuery: string): Reply | undefined {
  if (title.namespace < 0 || asked === key) return undefined
  const [, fragment] = /#(.*)$/s.exec(asked) ?? []
  const query = rawQuery === '' ? '' : `?${rawQuery}`
  return leadTo(links.page(key) + query + (fragment ? `#${encodeTitle(fragment)}` : ''), 301)
}

function answer(visit: Visit, context: HttpContext): Reply | Promise<Reply> {
  const { title, query, asked, site } = visit
  const isSpecial = title.namespace < 0
  const handler = isSpecial ? specialPage(title) : PAGE_ACTIONS.get(actionOf(query))
  if (handler !== undefined) return handler(visit, context)
  if (isSpecial) return problemPage(site, 404, text('no-special-page', asked))
  return problemPage(site, 400, text('no-action', query.get('action') ?? actionOf(query)))
}

function specialPage({ namespace, dbkey }: Title): VisitHandler | undefined {
  if (namespace !== SPECIAL) return undefined
  return SPECIAL_PAGES.get(specialName({ dbkey }))
}

/** Name of a special page as the tables have it, without the part after the slash. */
const specialName = ({ dbkey }: Pick<Title, 'dbkey'>): string =>
  dbkey.replace(/\/.*$/s, '').replaceAll('_', '').toLowerCase()

const getWikiRoot = defineRoute({
  method: 'GET',
  root: 'top',
  path: '/wiki',
  handler: ({ wiki }, { readerSites }) => leadTo(readerSites.site(wiki).links.front),
})

/** Only pages of this server may send forms: others could make a reader's browser edit or log in. */
export const postReaderForm = defineRoute({
  method: 'POST',
  root: 'top',
  path: '/wiki/{title...}',
  params: { title: restOfPath() },
  body: formBody(FORM_FIELDS, (fields): FormFields => fields),
  errorPage,
  handler({ params, request, rawQuery, wiki, body }, context): Reply | Promise<Reply> {
    const site = context.readerSites.site(wiki)
    if (!isOwnForm(request)) return problemPage(site, 403, text('cross-site'))
    const visit = visitOf(params.title, rawQuery, request, wiki, context)
    if (visit === undefined) return problemPage(site, 400, text('bad-title', params.title))
    return answerForm(visit, body, context)
  },
})

function answerForm(visit: Visit, fields: FormFields, context: HttpContext): Reply | Promise<Reply> {
  const handler = handlerOf(visit)
  if (handler !== undefined) return handler(visit, fields, context)
  return problemPage(visit.site, 405, text('no-form'), PRIVATE + headerLines({ Allow: 'GET, HEAD' }))
}

function handlerOf({ title, query }: Visit): FormHandler | undefined {
  if (title.namespace >= 0) return PAGE_FORMS.get(actionOf(query))
  return title.namespace === SPECIAL ? SPECIAL_FORMS.get(specialName(title)) : undefined
}

export const readerRoutes: readonly Route[] = [getReaderPage, postReaderForm, getWikiRoot, ...fileRoutes]
