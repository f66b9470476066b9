/**
 * The position in the log of a cluster that a client has seen. The answer to an edit names it. A request that names it
 * again, to whatever node, waits until that node has applied it: so clients read their own writes behind a proxy.
 */
import type { Store } from '../../storage/store.js'
import { headerLines } from '../reply/reply.js'
import { cookieLine } from './cookies.js'

export const POSITION_HEADER = 'X-Log-Position'
/** For browsers. */
const POSITION_COOKIE = 'logPosition'
/** Seconds that a browser names the position: every node has applied it by then, or is in trouble. */
const COOKIE_SECONDS = 10

/** Header line with the position of this node; empty for the store of one machine. */
export function positionLine(store: Store): string {
  const position = sharedPosition(store)
  return position === undefined ? '' : headerLines({ [POSITION_HEADER]: String(position) })
}

/** Header line and cookie, for answers to browsers. `baseUrl` is the URL of the API. */
export function positionLines(store: Store, baseUrl: string): string {
  const position = sharedPosition(store)
  if (position === undefined) return ''
  return (
    positionLine(store) + cookieLine(POSITION_COOKIE, String(position), { baseUrl, root: '' }, COOKIE_SECONDS)
  )
}

/** The position that a request names; 0 if it names none. */
export function namedPosition(header: string, cookies: string): number {
  if (header !== '') return /^\d{1,15}$/.test(header) ? Number(header) : 0
  const at = cookies.indexOf(`${POSITION_COOKIE}=`)
  return at < 0 ? 0 : Number(/^\d{1,15}/.exec(cookies.slice(at + POSITION_COOKIE.length + 1))?.[0] ?? 0)
}

function sharedPosition(store: Store): number | undefined {
  store.refresh()
  return store.log.membership() === undefined ? undefined : store.position().sequence
}
