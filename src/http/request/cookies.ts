/** Session cookies: their names, and the lines that set and remove them. */
import { parseCookie, stringifySetCookie } from 'cookie'

/** Names start with the wiki's id, so that several servers on one host have separate sessions. */
export interface CookieNames {
  readonly session: string
  readonly userId: string
  readonly userName: string
}

export function cookieNames(wikiId: string): CookieNames {
  const prefix = wikiId.replace(/[^A-Za-z0-9_-]/g, '_') || 'palimpsest'
  return { session: `${prefix}_session`, userId: `${prefix}UserID`, userName: `${prefix}UserName` }
}

/** Where a cookie is valid. */
export interface CookiePlace {
  /** URL of the API. If it is https, the cookie is only sent over https. */
  readonly baseUrl: string
  /** Path of the wiki. */
  readonly root: string
}

/** Value of a cookie in a Cookie header; undefined when absent. */
export function readCookie(header: string, name: string): string | undefined {
  return header === '' ? undefined : parseCookie(header)[name]
}

/**
 * The header line that sets a cookie, or removes it when the value is empty. The cookie is valid for the API and the
 * pages for readers of the wiki, so for everything below its root. `maxAge` is in seconds; when absent, the cookie ends
 * with the browser session.
 */
export function cookieLine(
  name: string,
  value: string,
  { baseUrl, root }: CookiePlace,
  maxAge?: number,
): string {
  const line = stringifySetCookie({
    name,
    value,
    path: `${root}/`,
    httpOnly: true,
    sameSite: 'lax',
    secure: baseUrl.startsWith('https:'),
    ...(value === '' ? { maxAge: 0 } : maxAge !== undefined && { maxAge }),
  })
  return `\r\nSet-Cookie: ${line}`
}
