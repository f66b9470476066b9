/** The wiki that this one copies, as its dump names it. */
import type { Config } from '../../config/config.js'

const LOCAL = /^(?:localhost|127\.[\d.]+|\[::1\])$/

/**
 * URL before the titles of its pages, with a slash at the end. Undefined for a wiki of one's own: its main page is at
 * this server, or nowhere.
 */
export function upstreamBase(mainPage: string, { publicUrl }: Pick<Config, 'publicUrl'>): string | undefined {
  const base = /^https?:\/\/[^?#]+\//i.exec(mainPage)?.[0]
  if (base === undefined || !URL.canParse(base)) return undefined
  const { hostname, origin } = new URL(base)
  const isOwn = LOCAL.test(hostname) || (publicUrl !== '' && new URL(publicUrl).origin === origin)
  return isOwn ? undefined : base
}
