/**
 * All routes of the pages for readers. Absent from a server without these pages. `tables.ts` has the handlers of the
 * pages and of the forms that readers send.
 */
import { SPECIAL } from '../../domain/namespaceIds.js'
import { encodeTitle } from '../../reader/links.js'
import { text } from '../../reader/messages.js'
import { headerLines, type Reply } from '../reply/reply.js'
import { restOfPath } from '../request/params.js'
import { defineRoute, type HttpContext, type Route } from '../routing/route.js'
import { errorPage, leadTo, PRIVATE, problemPage } from './pageReply.js'
import { actionOf, PAGE_FORMS, pageAnswer, SPECIAL_FORMS, specialName } from './tables.js'
import { FORM_FIELDS, type FormFields, type FormHandler, type Visit, visitOf } from './visit.js'
import { isOwnForm } from '../request/credentials.js'
import { inVariant } from './variants.js'
import { formBody } from '../request/bodyFields.js'
import type { RequestView } from '../request/requestView.js'
import type { Wiki } from '../request/wiki.js'
import { mainPagePath } from '../views/mainPage.js'
import { fileRoutes } from './fileRoutes.js'
import { scriptRoutes } from './scriptRoutes.js'

/** What a request for a page says. */
interface Asked {
  readonly request: RequestView
  readonly rawQuery: string
  readonly wiki: Wiki
}

const getReaderPage = defineRoute({
  method: 'GET',
  root: 'top',
  path: '/wiki/{title...}',
  params: { title: restOfPath() },
  errorPage,
  handler({ params, ...asked }, context) {
    if (params.title === '') return leadTo(context.readerSites.site(asked.wiki).links.front)
    return readerPage(params.title, asked, context)
  },
})

/** A page in a variant of the wiki's language: `/zh-tw/Moon`. */
const getVariantPage = defineRoute({
  method: 'GET',
  root: 'variant',
  path: '/{variant}/{title...}',
  params: { variant: restOfPath(), title: restOfPath() },
  errorPage,
  handler({ params, ...asked }, context) {
    const { variant, title } = params
    const { links } = context.readerSites.site(asked.wiki, { code: variant, isKept: true })
    if (title === '') return leadTo(mainPagePath(asked.wiki, context, links))
    return readerPage(title, { ...asked, path: variant }, context)
  },
})

function readerPage(
  title: string,
  { request, rawQuery, wiki, path }: Asked & { readonly path?: string },
  context: HttpContext,
): Reply | Promise<Reply> {
  const visit = visitOf(title, new URLSearchParams(rawQuery), { request, wiki, context, path })
  if (visit === undefined) return problemPage(context.readerSites.site(wiki), 400, text('bad-title', title))
  const elsewhere = canonicalPlace(visit, rawQuery)
  if (elsewhere !== undefined) return elsewhere
  const answer = pageAnswer(visit, context)
  return showsSource(visit) ? answer : inVariant(answer, visit, context)
}

/** Forms with the text of a page, which nobody may change but the reader. */
const showsSource = ({ title, query }: Visit): boolean =>
  title.namespace >= 0 && (actionOf(query) === 'edit' || PAGE_FORMS.has(actionOf(query)))

/** Other spellings of a title lead to the one of the store, so that each page has one URL. */
function canonicalPlace({ asked, key, title, links }: Visit, rawQuery: string): Reply | undefined {
  if (title.namespace < 0 || asked === key) return undefined
  const [, fragment] = /#(.*)$/s.exec(asked) ?? []
  const query = rawQuery === '' ? '' : `?${rawQuery}`
  return leadTo(links.page(key) + query + (fragment ? `#${encodeTitle(fragment)}` : ''), 301)
}

const getWikiRoot = defineRoute({
  method: 'GET',
  root: 'top',
  path: '/wiki',
  handler: ({ wiki }, { readerSites }) => leadTo(readerSites.site(wiki).links.front),
})

const FORM = {
  method: 'POST',
  body: formBody(FORM_FIELDS, (fields): FormFields => fields),
  errorPage,
} as const

export const postReaderForm = defineRoute({
  ...FORM,
  root: 'top',
  path: '/wiki/{title...}',
  params: { title: restOfPath() },
  handler: ({ params, body, ...asked }, context) => formAnswer(params.title, asked, body, context),
})

const postVariantForm = defineRoute({
  ...FORM,
  root: 'variant',
  path: '/{variant}/{title...}',
  params: { variant: restOfPath(), title: restOfPath() },
  handler: ({ params, body, ...asked }, context) =>
    formAnswer(params.title, { ...asked, path: params.variant }, body, context),
})

/** Only pages of this server may send forms: others could make a reader's browser edit or log in. */
function formAnswer(
  title: string,
  { request, rawQuery, wiki, path }: Asked & { readonly path?: string },
  fields: FormFields,
  context: HttpContext,
): Reply | Promise<Reply> {
  const site = context.readerSites.site(wiki)
  if (!isOwnForm(request)) return problemPage(site, 403, text('cross-site'))
  const visit = visitOf(title, new URLSearchParams(rawQuery), { request, wiki, context, path })
  if (visit === undefined) return problemPage(site, 400, text('bad-title', title))
  return answerForm(visit, fields, context)
}

function answerForm(visit: Visit, fields: FormFields, context: HttpContext): Reply | Promise<Reply> {
  const handler = handlerOf(visit)
  if (handler !== undefined) return handler(visit, fields, context)
  return problemPage(visit.site, 405, text('no-form'), PRIVATE + headerLines({ Allow: 'GET, HEAD' }))
}

function handlerOf(visit: Visit): FormHandler | undefined {
  const { title, query } = visit
  if (title.namespace >= 0) return PAGE_FORMS.get(actionOf(query))
  return title.namespace === SPECIAL ? SPECIAL_FORMS.get(specialName(visit)) : undefined
}

export const readerRoutes: readonly Route[] = [
  getReaderPage,
  getVariantPage,
  postReaderForm,
  postVariantForm,
  getWikiRoot,
  ...fileRoutes,
  ...scriptRoutes,
]
