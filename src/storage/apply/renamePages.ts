/** Rewrites pages after the names of namespaces changed, since ready rows contain these names. */
import { Namespaces } from '../../domain/namespaces.js'
import type { Site } from '../../domain/site.js'
import { parseTitle, prefixedKey, prefixedText, type Title, titleId, sameTitle } from '../../domain/title.js'
import { decodePageRow } from '../rows/rows.js'
import { type Tables, WHOLE_TABLE } from '../tables/tables.js'
import { WriteContext } from './writeContext.js'
import { requirePage, savePage } from './pageState.js'

/** One transaction writes all these pages. It takes some seconds, in which edits wait. */
export const MAX_REWRITTEN_PAGES = 10_000

/** The part of the site on which page rows depend. */
export const namingOf = ({ namespaces, case: titleCase, aliases = [] }: Site): string =>
  JSON.stringify([namespaces, titleCase, aliases])

/**
 * A page that could not be found by its title with the site `after`. Its namespace is missing there, or its title
 * begins with the name of another one. Returns the title in reading form by the names of `before`; undefined if all
 * pages can be found.
 */
export function findHiddenTitle(tables: Tables, before: Site, after: Site): string | undefined {
  const [old, renamed] = [new Namespaces(before), new Namespaces(after)]
  for (const [namespace, dbkey] of tables.title.getKeys(WHOLE_TABLE)) {
    const title = { namespace, dbkey }
    if (!isFound(title, renamed) && isFound(title, old)) return prefixedText(title, old)
  }
  return undefined
}

function isFound(title: Title, namespaces: Namespaces): boolean {
  if (namespaces.byId(title.namespace) === undefined) return false
  const parsed = parseTitle(prefixedKey(title, namespaces), namespaces)
  return parsed.ok && sameTitle(parsed.title, title)
}

/**
 * Ids of the pages that get another name, and of redirects whose unchanged target then means another page. Reads every
 * page, some microseconds each.
 */
export function listRenamed(tables: Tables, before: Site, after: Site): number[] {
  const [old, renamed] = [new Namespaces(before), new Namespaces(after)]
  const target = (link: string, namespaces: Namespaces): string => {
    const parsed = parseTitle(link, namespaces)
    return parsed.ok ? titleId(parsed.title) : ''
  }
  const ids: number[] = []
  for (const { key, value } of tables.page.getRange(WHOLE_TABLE)) {
    const { deleted, namespace, redirectTarget: link } = decodePageRow(value)
    if (deleted) continue
    const isRenamed = old.nameOf(namespace) !== renamed.nameOf(namespace)
    const leadsElsewhere = link !== undefined && target(link, old) !== target(link, renamed)
    if (isRenamed || leadsElsewhere) ids.push(key)
  }
  return ids
}

/** Rewrites pages with the names now in force. With `indexLater`, leaves the search index to the bulk build. */
export function rewritePages(
  tables: Tables,
  pageIds: readonly number[],
  { indexLater }: { readonly indexLater: boolean },
): void {
  const context = new WriteContext(tables, { indexLater })
  for (const id of pageIds) savePage(context, requirePage(tables, id))
}
