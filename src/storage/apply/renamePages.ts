/** Pages whose rows have to change when the names of namespaces do: rows that are ready to send begin with them. */
import { Namespaces } from '../../domain/namespaces.js'
import type { Site } from '../../domain/site.js'
import { parseTitle, prefixedKey, prefixedText, type Title } from '../../domain/title.js'
import { type Tables, WHOLE_TABLE } from '../tables.js'
import { WriteContext } from './context.js'
import { requirePage, savePage } from './pageState.js'

/** The pages are written in one transaction, during which edits wait: some seconds for as many. */
export const MAX_REWRITTEN_PAGES = 10_000

/** What the rows of pages depend on. */
export const namingOf = ({ namespaces, case: titleCase }: Site): string =>
  JSON.stringify([namespaces, titleCase])

/**
 * A page that could not be found any more by its title under other names: its namespace has none, or its title now
 * begins like that of another namespace. In reading form, as the names before have it; undefined when all pages can be
 * found.
 */
export function findHiddenTitle(tables: Tables, before: Site, after: Site): string | undefined {
  const [old, renamed] = [new Namespaces(before), new Namespaces(after)]
  for (const [namespace, dbkey] of tables.title.getKeys({ ...WHOLE_TABLE })) {
    const title = { namespace, dbkey }
    if (!isFound(title, renamed) && isFound(title, old)) return prefixedText(title, old)
  }
  return undefined
}

function isFound(title: Title, namespaces: Namespaces): boolean {
  if (namespaces.byId(title.namespace) === undefined) return false
  const parsed = parseTitle(prefixedKey(title, namespaces), namespaces)
  return parsed.ok && parsed.title.namespace === title.namespace && parsed.title.dbkey === title.dbkey
}

/**
 * Writes pages again with the names that are in force now. With `indexLater` the search index is left to the bulk
 * build.
 */
export function rewritePages(
  tables: Tables,
  pageIds: readonly number[],
  { indexLater }: { readonly indexLater: boolean },
): void {
  const context = new WriteContext(tables, { indexLater })
  for (const id of pageIds) savePage(context, requirePage(tables, id))
}
