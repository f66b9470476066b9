/** Beginnings of lists that clients write as titles. */
import { parseTitle } from '../../../domain/title.js'
import { invalidTitle } from '../frame/problems.js'
import type { QueryCall } from './module.js'

/** Key of a title within a namespace, whose prefix it does not have. Throws an invalidtitle. */
export function keyOf(given: string, namespace: number, { wiki }: QueryCall): string {
  const { namespaces } = wiki
  const parsed = parseTitle(namespaces.keyPrefix(namespace) + given, namespaces)
  if (!parsed.ok || parsed.title.namespace !== namespace) throw invalidTitle(given)
  return parsed.title.dbkey
}

/** The same for the beginning of titles, which may end with a blank. */
export function prefixKeyOf(given: string, namespace: number, call: QueryCall): string {
  const { namespaces } = call.wiki
  const parsed = parseTitle(`${namespaces.keyPrefix(namespace)}${given}x`, namespaces)
  if (!parsed.ok || parsed.title.namespace !== namespace) throw invalidTitle(given)
  return parsed.title.dbkey.slice(0, -1)
}
