/** Properties of pages, as their own texts and imported tables state them. */
import { CATEGORY } from '../../domain/namespaceIds.js'
import type { PageSummary, Store } from '../../storage/store.js'

/** Names and values in the order of names. Those that templates add are missing. */
export function propertiesOf(page: PageSummary, store: Store): ReadonlyMap<string, string> {
  const { namespace, dbkey, redirectTarget } = page
  const row = store.getPage(namespace, dbkey)
  const properties = new Map(row === undefined ? [] : store.links.properties(row))
  const { picture, description } = store.search.pageFacts(page.pageId)
  if (picture !== undefined && redirectTarget === undefined) properties.set('page_image_free', picture)
  if (description !== undefined) properties.set('wikibase-shortdesc', description)
  return new Map([...properties].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Whether a category's page says that it is hidden. */
export function isHiddenCategory(dbkey: string, store: Store): boolean {
  const row = store.getPage(CATEGORY, dbkey)
  return row !== undefined && store.links.hidesCategory(row)
}
