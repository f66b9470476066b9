/** Properties of pages, as their own texts and imported tables state them. */
import { displayTitleHtml } from '../../domain/displayTitle.js'
import { CATEGORY } from '../../domain/namespaceIds.js'
import type { PageSummary, Store } from '../../storage/store.js'

/** Names and values in the order of names. Those that templates add come from the table `page_props`. */
export function propertiesOf(page: PageSummary, store: Store): ReadonlyMap<string, string> {
  const { namespace, dbkey, redirectTarget } = page
  const row = store.getPage(namespace, dbkey)
  const properties = new Map(row === undefined ? [] : store.links.properties(row))
  for (const [name, value] of store.links.importedProperties(page.pageId))
    if (!properties.has(name)) properties.set(name, value)
  const { picture, description } = store.search.pageFacts(page.pageId)
  if (picture !== undefined && redirectTarget === undefined && !properties.has('page_image'))
    properties.set('page_image_free', picture)
  if (description !== undefined) properties.set('wikibase-shortdesc', description)
  return new Map([...properties].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** The title that a page states for its display, as HTML. */
export function displayTitleOf(page: PageSummary | undefined, store: Store): string | undefined {
  const stated = page && propertiesOf(page, store).get('displaytitle')
  return stated === undefined ? undefined : displayTitleHtml(stated)
}

/** Whether a category's page says that it is hidden. */
export function isHiddenCategory(dbkey: string, store: Store): boolean {
  const row = store.getPage(CATEGORY, dbkey)
  return row !== undefined && store.links.hidesCategory(row)
}
