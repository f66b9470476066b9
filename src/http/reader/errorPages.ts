/** Errors as pages for readers. */
import { html } from '../../reader/html.js'
import { text } from '../../reader/messages.js'
import type { ReaderSite } from '../../reader/site.js'
import { headerLines, type Reply } from '../reply/reply.js'
import type { ErrorPage } from '../routing/route.js'
import { pageReply, PRIVATE } from './pageReply.js'

/** A page with the status, headers and text of an error of the API. */
export const errorPage: ErrorPage = (error, wiki, context) => {
  const { status, message, extras } = error
  const headers = PRIVATE + headerLines(extras.headers ?? {})
  const reply = problemPage(context.readerSites.site(wiki), status, message, headers)
  return extras.closesConnection === true ? { ...reply, closesConnection: true } : reply
}

/** A page that says what is wrong with a request. `headers` are lines of `headerLines`. */
export function problemPage(site: ReaderSite, status: number, message: string, headers = PRIVATE): Reply {
  const title = text(status === 404 ? 'not-found-heading' : 'error-heading')
  const content = html`<p class="error">${message}</p>
    <p><a href="${site.links.front}">${text('back-to-main')}</a></p>`
  return pageReply({ site, title, path: site.links.front, isInterfaceContent: true }, content, {
    status,
    headers,
  })
}
