/** Replies with pages for readers: their headers, the shell around their content, and errors as pages. */
import { type Html, html } from '../../reader/html.js'
import { type ShellView, wholePage } from '../../reader/parts/shell.js'
import { headerLines, type Reply } from '../reply/reply.js'
import { text } from '../../reader/messages.js'
import type { ReaderSite } from '../../reader/site.js'
import type { ErrorPage } from '../routing/route.js'

/** Permissions of a page beyond its own server. */
export interface PagePolicy {
  /** Sources of style blocks in the content, such as `'sha256-…'`. */
  readonly styleHashes?: readonly string[]
  /** Other servers that pictures and sounds may come from. */
  readonly mediaOrigins?: readonly string[]
}

/**
 * Proxies bound the headers of an answer, often by 4 kB. A page with more style blocks may use any. The server has
 * cleaned all of them: they load nothing, and apply to the content alone.
 */
const MAX_STYLE_HASHES = 40

const HTML_TYPE = 'text/html; charset=utf-8'
/** For pages that no shared cache may keep, nor a browser without asking again. */
export const PRIVATE = headerLines({ 'Cache-Control': 'private, no-cache' })

/**
 * Scripts and style sheets come from this server alone. Authors of pages may set styles of elements, which can neither
 * load nor run anything.
 */
function contentPolicy({ styleHashes = [], mediaOrigins = [] }: PagePolicy): string {
  const styles = styleHashes.length > MAX_STYLE_HASHES ? [`'unsafe-inline'`] : styleHashes
  const media = [`'self'`, 'data:', ...mediaOrigins].join(' ')
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `style-src-elem ${["'self'", ...styles].join(' ')}`,
    `style-src-attr 'unsafe-inline'`,
    `img-src ${media}`,
    `media-src ${media}`,
    `connect-src 'self'`,
    `manifest-src 'self'`,
    `form-action 'self'`,
    `base-uri 'self'`,
    `frame-ancestors 'self'`,
  ].join('; ')
}

/** Headers of every page. `more` are lines of `headerLines`. */
export function pageHeaders(policy: PagePolicy, more = ''): string {
  const common = {
    'Content-Type': HTML_TYPE,
    'Content-Security-Policy': contentPolicy(policy),
    'Referrer-Policy': 'same-origin',
  }
  return headerLines(common) + more
}

interface PageReplyOptions {
  readonly status?: number
  /** Lines of `headerLines`, beside those of every page. Without any, the page is private. */
  readonly headers?: string
}

/** A whole page that the server makes for one request. */
export function pageReply(view: ShellView, content: Html, options: PageReplyOptions = {}): Reply {
  const { status = 200, headers = PRIVATE } = options
  return { status, headers: pageHeaders({}, headers), body: Buffer.from(wholePage(view, content)) }
}

/** Leads to another page of this server. */
export function leadTo(path: string, status: 301 | 302 | 303 = 302): Reply {
  const cache = status === 301 ? 'max-age=60' : 'private, no-cache'
  return { status, headers: headerLines({ Location: path, 'Cache-Control': cache }), body: new Uint8Array() }
}

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
