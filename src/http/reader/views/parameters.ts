/** Parameters of views: numbers and names in the query. */
import { interwikiPrefixOf } from '../../../domain/interwiki.js'
import { USER } from '../../../domain/namespaceIds.js'
import { parseTitle, prefixedKey } from '../../../domain/title.js'
import type { LinkTarget } from '../../../reader/views/comment.js'
import { parameterError } from '../../reply/errors.js'
import type { HttpContext } from '../../routing/route.js'
import type { Visit } from '../visit.js'

const MAX_DIGITS = 15

/** A number of the query, from 0; undefined if absent or empty. Throws paramvalidator-badinteger. */
export function numberOf(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name)
  if (value === null || value === '') return undefined
  if (!/^\d+$/.test(value) || value.length > MAX_DIGITS) throw parameterError('badinteger', name, value)
  return Number(value)
}

/** Where links in summaries lead: pages of this wiki, whether they exist or not. */
export function linkTargets(
  { namespaces, links }: Pick<Visit, 'namespaces' | 'links'>,
  { store }: Pick<HttpContext, 'store'>,
): LinkTarget {
  return (text) => {
    const parsed = parseTitle(text, namespaces)
    if (!parsed.ok || interwikiPrefixOf(parsed.title, store.interwiki()) !== undefined) return undefined
    return links.page(prefixedKey(parsed.title, namespaces))
  }
}

/** Paths of a user's page and its discussion; undefined for a name that no page can have. */
export function userPages(
  name: string,
  { namespaces, links }: Pick<Visit, 'namespaces' | 'links'>,
): { readonly user: string; readonly talk: string } | undefined {
  const parsed = parseTitle(namespaces.keyPrefix(USER) + name, namespaces)
  if (!parsed.ok || parsed.title.namespace !== USER) return undefined
  const { dbkey } = parsed.title
  const path = (namespace: number): string => links.page(prefixedKey({ namespace, dbkey }, namespaces))
  return { user: path(USER), talk: path(USER + 1) }
}
