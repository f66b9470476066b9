/** Taking over what dumps say of their wiki: its name, its namespaces, how titles begin. */
import { Namespaces } from '../../domain/namespaces.js'
import type { Site } from '../../domain/site.js'
import { parseTitle, prefixedKey, prefixedText } from '../../domain/title.js'
import type { SiteEntry, Verdict } from '../entries.js'
import { readMeta, siteInForce, writeMeta } from '../meta.js'
import { decodePageRow } from '../rows/rows.js'
import { type Tables, WHOLE_TABLE } from '../tables.js'
import { WriteContext } from './context.js'
import { requirePage, savePage } from './pageState.js'

/** The pages are written in one transaction, during which edits wait: some seconds for as many. */
const MAX_REWRITTEN_PAGES = 10_000

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
  if (isRenaming) {
    const renamed = new WriteContext(tables, { indexLater: true })
    for (const id of listShown(tables)) savePage(renamed, requirePage(tables, id))
  }
  return { result: 'adopted', isEffective: true }
}

const namingOf = ({ namespaces, case: titleCase }: Site): string => JSON.stringify([namespaces, titleCase])

/** A page whose namespace the dump does not have, or whose title now begins like a namespace, could not be found any more. */
function whyRefused(tables: Tables, pages: number, before: Site, after: Site): string | undefined {
  if (pages > MAX_REWRITTEN_PAGES)
    return `the store has ${pages} pages already, whose namespaces the dump may name otherwise`
  const [old, renamed] = [new Namespaces(before), new Namespaces(after)]
  for (const id of listShown(tables)) {
    const page = decodePageRow(tables.page.getBinaryFast(id)!)
    const parsed = parseTitle(prefixedKey(page, renamed), renamed)
    const { namespace, dbkey } = parsed.ok ? parsed.title : {}
    if (renamed.byId(page.namespace) !== undefined && namespace === page.namespace && dbkey === page.dbkey)
      continue
    return `the store has a page "${prefixedText(page, old)}", which cannot be found by the namespaces of the dump`
  }
  return undefined
}

/** Ids of the pages that have a title, as they are now: rows may be rewritten on the way. */
function listShown(tables: Tables): number[] {
  const ids: number[] = []
  for (const { key, value } of tables.page.getRange({ ...WHOLE_TABLE })) {
    if (!decodePageRow(value).deleted) ids.push(key)
  }
  return ids
}
