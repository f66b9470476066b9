/** Adopts a dump's description of its wiki: name, namespaces, case of titles. */
import type { Site } from '../../domain/site.js'
import type { SiteEntry, Verdict } from '../entries/entries.js'
import { readMeta, siteInForce, writeMeta } from '../tables/meta.js'
import { viewTitleRow } from '../rows/rows.js'
import { type Tables, WHOLE_TABLE } from '../tables/tables.js'
import { readPlace } from '../upstream/place.js'
import type { WriteContext } from './writeContext.js'
import { findHiddenTitle, MAX_REWRITTEN_PAGES, namingOf, rewritePages } from './renamePages.js'

/**
 * The first dump's site stays in force; later dumps only add namespaces. But a dump replaces the site of a snapshot if
 * it can: see Site.isSnapshot. Pages made before the first dump are
 * rewritten, since their rows contain names of namespaces. The site is refused if a page could not be found with it.
 */
export function applySite(context: WriteContext, { site }: SiteEntry): Verdict {
  const { tables } = context
  const place = readPlace(tables)
  if (place !== undefined) {
    const reason = `the store follows ${place.url}, so it takes no dumps`
    return { result: 'site-refused', reason }
  }
  const known = readMeta(tables, 'dumpSite')
  if (known === undefined) return adoptFirst(context, site)
  if (known.isSnapshot && !site.isSnapshot) {
    const verdict = adoptFirst(context, site)
    if (verdict.result === 'adopted') return verdict
  }
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

/** A page is lost if the dump lacks its namespace, or if its title now begins with the name of a namespace. */
function whyRefused(tables: Tables, pages: number, before: Site, after: Site): string | undefined {
  if (pages > MAX_REWRITTEN_PAGES)
    return `the store has ${pages} pages already, whose namespaces the dump may name otherwise`
  const hidden = findHiddenTitle(tables, before, after)
  return hidden === undefined
    ? undefined
    : `the store has a page "${hidden}", which cannot be found by the namespaces of the dump`
}

/** Ids of all pages that have a title, as a copy, since the caller rewrites rows. */
function listShown(tables: Tables): number[] {
  return Array.from(tables.title.getRange(WHOLE_TABLE), ({ value }) => viewTitleRow(value).pageId).sort(
    (a, b) => a - b,
  )
}
