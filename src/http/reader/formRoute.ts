/** The route of forms that readers send. `tables.ts` has their handlers. */
import { SPECIAL } from '../../domain/namespaceIds.js'
import { text } from '../../reader/messages.js'
import { headerLines, type Reply } from '../reply/reply.js'
import { isOwnForm } from '../request/credentials.js'
import { formBody } from '../request/bodyFields.js'
import { restOfPath } from '../request/params.js'
import { defineRoute, type HttpContext } from '../routing/route.js'
import { errorPage, problemPage } from './errorPages.js'
import { PRIVATE } from './pageReply.js'
import { specialName, visitOf } from './routes.js'
import { actionOf, PAGE_FORMS, SPECIAL_FORMS } from './tables.js'
import { FORM_FIELDS, type FormFields, type FormHandler } from './views/form.js'
import type { Visit } from './visit.js'

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
    return answer(visit, body, context)
  },
})

function answer(visit: Visit, fields: FormFields, context: HttpContext): Reply | Promise<Reply> {
  const handler = handlerOf(visit)
  if (handler !== undefined) return handler(visit, fields, context)
  return problemPage(visit.site, 405, text('no-form'), PRIVATE + headerLines({ Allow: 'GET, HEAD' }))
}

function handlerOf({ title, query }: Visit): FormHandler | undefined {
  if (title.namespace >= 0) return PAGE_FORMS.get(actionOf(query))
  return title.namespace === SPECIAL ? SPECIAL_FORMS.get(specialName(title)) : undefined
}
