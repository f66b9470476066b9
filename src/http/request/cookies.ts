/** Cookies of sessions: their names, and the lines that set and remove them. */
import { parseCookie, stringifySetCookie } from 'cookie'

/** Names begin with the wiki's id, so that wikis of one host do not share sessions. */
export interface CookieNames {
  readonly session: string
  readonly userId: string
  readonly userName: string
}

export function cookieNames(wikiId: string): CookieNames {
  const prefix = wikiId.replace(/[^A-Za-z0-9_-]/g, '_') || 'palimpsest'
  return { session: `${prefix}_session`, userId: `${prefix}UserID`, userName: `${prefix}UserName` }
}

/** Value of a cookie in a Cookie header; undefined when it is not there. */
export function readCookie(header: string, name: string): string | undefined {
  return header === '' ? undefined : parseCookie(header)[name]
}

/**
 * The line of an answer that sets a cookie; with an empty value, that removes it. `baseUrl` is that of the API: cookies
 * hold for the folder it is in, and over https alone where it is https. `maxAge` in seconds; absent: until the browser
 * is closed.
 */
export function cookieLine(name: string, value: string, baseUrl: string, maxAge?: number): string {
  const [, scheme, path = ''] = /^(https?):\/\/[^/]*(.*)$/.exec(baseUrl) ?? []
  const line = stringifySetCookie({
    name,
    value,
    path: path.replace(/\/[^/]*$/, '') || '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: scheme === 'https',
    ...(value === '' ? { maxAge: 0 } : maxAge !== undefined && { maxAge }),
  })
  return `\r\nSet-Cookie: ${line}`
}
