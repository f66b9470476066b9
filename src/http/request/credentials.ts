/** Reads the credentials of a request: Authorization header, session cookie, address. */
import type { Credentials } from '../../auth/identities.js'
import type { RequestView } from './requestView.js'
import type { Wiki } from './wiki.js'
import { cookieNames, readCookie } from './cookies.js'

export function credentialsOf(request: RequestView, wiki: Wiki): Credentials {
  return {
    bearerToken: () => bearerToken(request),
    sessionText: () => sessionText(request, wiki),
    address: () => request.clientAddress(),
    isFromOtherSite: () => isFromOtherSite(request),
  }
}

/** The value of the session cookie. */
export function sessionText(request: RequestView, wiki: Wiki): string | undefined {
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
