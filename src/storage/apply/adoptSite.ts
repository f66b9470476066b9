/** Taking over what dumps say of their wiki: its name, its namespaces, how titles begin. */
import { Namespaces } from '../../domain/namespaces.js'
import type { Site } from '../../domain/site.js'
import { parseTitle, prefixedKey, prefixedText } from '../../domain/title.js'
import { raiseTally, readCounters, readMeta, readSite, writeMeta } from '../meta.js'
import { decodePageRow } from '../rows.js'
import { type Tables, WHOLE_TABLE } from '../tables.js'
import { WriteContext } from './context.js'
import { requirePage, savePage } from './pageState.js'

/** The pages are written in one transaction, during which edits wait: some seconds for as many. */
const MAX_REWRITTEN_PAGES = 10_000

/** The pages that are here already cannot live with the names of the dump's namespaces. */
export class SiteRefused extends Error {
  override readonly name = 'SiteRefused'
}

/**
 * The first dump's site stands, with namespaces that later ones add. Pages that were made before it are written again,
 * since the names of namespaces are in their rows. Throws a SiteRefused when that cannot be.
 */
export function adoptSite(tables: Tables, site: Site): void {
  const known = readMeta(tables, 'dumpSite')
  if (known === undefined) return adoptFirst(tables, site)
  const ids = new Set(known.namespaces.map(({ id }) => id))
  const added = site.namespaces.filter(({ id }) => !ids.has(id))
  if (added.length === 0) return
  writeMeta(tables, 'dumpSite', { ...known, namespaces: [...known.namespaces, ...added] })
}

function adoptFirst(tables: Tables, site: Site): void {
  const before = readSite(tables)
  writeMeta(tables, 'dumpSite', site)
  const { pages } = readCounters(tables)
  if (pages === 0 || namingOf(readSite(tables)) === namingOf(before)) return
  if (pages > MAX_REWRITTEN_PAGES) {
    throw new SiteRefused(
      `the store has ${pages} pages already, whose namespaces the dump may name otherwise`,
    )
  }
  const context = new WriteContext(tables, { indexLater: true })
  requireSameTitles(tables, new Namespaces(before), context.namespaces)
  for (const id of listShown(tables)) savePage(context, requirePage(tables, id))
  raiseTally(tables, 'pastChanges')
}

const namingOf = ({ namespaces, case: titleCase }: Site): string => JSON.stringify([namespaces, titleCase])

/** A page whose namespace the dump does not have, or whose title now begins like a namespace, could not be found any more. */
function requireSameTitles(tables: Tables, before: Namespaces, after: Namespaces): void {
  for (const id of listShown(tables)) {
    const page = decodePageRow(tables.page.getBinaryFast(id)!)
    const parsed = parseTitle(prefixedKey(page, after), after)
    const { namespace, dbkey } = parsed.ok ? parsed.title : {}
    if (after.byId(page.namespace) !== undefined && namespace === page.namespace && dbkey === page.dbkey)
      continue
    throw new SiteRefused(
      `the store has a page "${prefixedText(page, before)}", which cannot be found by the namespaces of the dump`,
    )
  }
}

/** Ids of the pages that have a title, as they are now: rows may be rewritten on the way. */
function listShown(tables: Tables): number[] {
  const ids: number[] = []
  for (const { key, value } of tables.page.getRange({ ...WHOLE_TABLE })) {
    if (!decodePageRow(value).deleted) ids.push(key)
  }
  return ids
}
