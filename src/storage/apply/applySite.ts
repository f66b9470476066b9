/** Taking over what dumps say of their wiki: its name, its namespaces, how titles begin. */
import type { Site } from '../../domain/site.js'
import type { SiteEntry, Verdict } from '../entries.js'
import { readMeta, siteInForce, writeMeta } from '../meta.js'
import { viewTitleRow } from '../rows/rows.js'
import { type Tables, WHOLE_TABLE } from '../tables.js'
import type { WriteContext } from './context.js'
import { findHiddenTitle, MAX_REWRITTEN_PAGES, namingOf, rewritePages } from './renamePages.js'

/**
 * The first dump's site stands, with namespaces that later ones add. Pages that were made before it are written again,
 * since the names of namespaces are in their rows. A site with which a page could not be found any more is refused.
 */
export function applySite(context: WriteContext, { site }: SiteEntry): Verdict {
  const { tables } = context
  const known = readMeta(tables, 'dumpSite')
  if (known === undefined) return adoptFirst(context, site)
  const ids = new Set(known.namespaces.map(({ id }) => id))
  const added = site.namespaces.filter(({ id }) => !ids.has(id))
  if (added.length === 0) return { result: 'adopted', isEffective: false }
  writeMeta(tables, 'dumpSite', { ...known, namespaces: [...known.namespaces, ...added] })
  return { result: 'adopted', isEffective: true }
}

function adoptFirst({ tables, site: before, counters }: WriteContext, site: Site): Verdict {
  const after = siteInForce(tables, site)
  const isRenaming = counters.pages > 0 && namingOf(after) !== namingOf(before)
  const reason = isRenaming ? whyRefused(tables, counters.pages, before, after) : undefined
  if (reason !== undefined) return { result: 'site-refused', reason }
  writeMeta(tables, 'dumpSite', site)
  if (isRenaming) rewritePages(tables, listShown(tables), { indexLater: true })
  return { result: 'adopted', isEffective: true }
}

/**
 * A page whose namespace the dump does not have, or whose title now begins like a namespace, could not be found any
 * more.
 */
function whyRefused(tables: Tables, pages: number, before: Site, after: Site): string | undefined {
  if (pages > MAX_REWRITTEN_PAGES)
    return `the store has ${pages} pages already, whose namespaces the dump may name otherwise`
  const hidden = findHiddenTitle(tables, before, after)
  return hidden === undefined
    ? undefined
    : `the store has a page "${hidden}", which cannot be found by the namespaces of the dump`
}

/** Ids of the pages that have a title, as they are now: rows may be rewritten on the way. */
function listShown(tables: Tables): number[] {
  return Array.from(
    tables.title.getRange({ ...WHOLE_TABLE }),
    ({ value }) => viewTitleRow(value).pageId,
  ).sort((a, b) => a - b)
}
