/** The credentials of a request: Authorization header, session cookie, address. */
import type { Credentials } from '../../auth/identities.js'
import type { RequestView } from './requestView.js'
import type { Wiki } from './wiki.js'
import { cookieLine, cookieNames, type CookieNames, type CookiePlace, readCookie } from './cookies.js'
import type { User } from '../../storage/accounts/accounts.js'
import type { Store } from '../../storage/store.js'
import { positionLines } from './logPosition.js'
import { isSessionText, newAnonymousSession, sessionToken } from '../../auth/sessions.js'

export function credentialsOf(request: RequestView, wiki: Wiki): Credentials {
  return {
    bearerToken: () => bearerToken(request),
    sessionText: () => sessionText(request, wiki),
    address: () => request.clientAddress(),
    isFromOtherSite: () => isFromOtherSite(request),
  }
}

/** The value of the session cookie. */
function sessionText(request: RequestView, wiki: Wiki): string | undefined {
  return readCookie(request.header('cookie'), cookieNames(wiki.site.wikiId).session)
}

function bearerToken(request: RequestView): string | undefined {
  const [scheme = '', token = ''] = request.header('authorization').trim().split(/ +/, 2)
  return scheme.toLowerCase() === 'bearer' ? token : undefined
}

/**
 * Whether a page of this server sent a form. Browsers say so; for older ones the origin must fit. Clients that say
 * neither are no browsers.
 */
export function isOwnForm(request: RequestView): boolean {
  const site = request.header('sec-fetch-site')
  if (site !== '') return site === 'same-origin' || site === 'none'
  return !isFromOtherSite(request)
}

/** Cross-site requests: scripts of other sites must not edit under the address of their visitor. */
function isFromOtherSite(request: RequestView): boolean {
  const origin = request.header('origin')
  return origin !== '' && origin !== /^https?:\/\/[^/]+/.exec(request.baseUrl())?.[0]
}

/** The session cookie of one request, and its change by the answer. */
export class SessionCookie {
  /** The session that the client sent; undefined unless it has the form of a session. */
  readonly sent: string | undefined
  readonly #names: CookieNames
  readonly #place: CookiePlace
  #text: string | undefined
  #lines = ''

  constructor(request: RequestView, wiki: Wiki) {
    const sent = sessionText(request, wiki)
    this.sent = sent !== undefined && isSessionText(sent) ? sent : undefined
    this.#text = this.sent
    this.#names = cookieNames(wiki.site.wikiId)
    this.#place = { baseUrl: request.baseUrl(), root: wiki.root }
  }

  /** The session's token for a purpose, such as `login`. Begins a session when the request has none. */
  token(purpose: string): string {
    if (this.#text === undefined) {
      this.#text = newAnonymousSession()
      this.#lines += cookieLine(this.#names.session, this.#text, this.#place)
    }
    return sessionToken(this.#text, purpose)
  }

  /** Sets the cookies of a user who has just logged in. */
  hold(text: string, user: User, maxAge: number): void {
    const line = (name: string, value: string): string => cookieLine(name, value, this.#place, maxAge)
    const { session, userId, userName } = this.#names
    this.#lines = line(session, text) + line(userId, String(user.id)) + line(userName, user.name)
  }

  /** Removes all session cookies. */
  drop(): void {
    const { session, userId, userName } = this.#names
    this.#lines = [session, userId, userName].map((name) => cookieLine(name, '', this.#place)).join('')
  }

  /** Adds the position of this node, so that the next request, to another node, finds the change of the session. */
  tellPosition(store: Store): void {
    this.#lines += positionLines(store, this.#place.baseUrl)
  }

  /** Header lines of the answer. */
  lines(): string {
    return this.#lines
  }
}
