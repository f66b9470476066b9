/** Replies with pages for readers: their headers, and the shell around their content. */
import type { Html } from '../../reader/html.js'
import { type ShellView, wholePage } from '../../reader/shell.js'
import { headerLines, type Reply } from '../reply/reply.js'

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
export function contentPolicy({ styleHashes = [], mediaOrigins = [] }: PagePolicy): string {
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
    `form-action 'self'`,
    `base-uri 'self'`,
    `frame-ancestors 'self'`,
  ].join('; ')
}

/** Headers of every page. `more` are lines of `headerLines`. */
export function pageHeaders(policy: PagePolicy = {}, more = ''): string {
  const common = {
    'Content-Type': HTML_TYPE,
    'Content-Security-Policy': contentPolicy(policy),
    'Referrer-Policy': 'same-origin',
  }
  return headerLines(common) + more
}

export interface PageReplyOptions {
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
