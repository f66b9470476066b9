/** Keeps the index of categories in step with pages, renderings and the table `categorylinks`. */
import { CATEGORY } from '../../domain/namespaceIds.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { parseTitle } from '../../domain/title.js'
import { categoryLinks, type CategoryLink, sortKeyOf } from '../../wikitext/categoryLinks.js'
import { isRevisionMadeHere } from '../pages/madeHere.js'
import { decodePageRow } from '../rows/rows.js'
import type { IndexablePage } from '../search/indexedPage.js'
import { namedLinksInRow } from '../sqlTables/linkNames.js'
import { readSqlRow } from '../sqlTables/sqlTables.js'
import type { CategoryTables, Tables } from '../tables/tables.js'
import {
  categoriesAfterText,
  type IncomingCategories,
  isSameState,
  readPageCategories,
} from './pageCategories.js'
import { encodePageCategories } from '../rows/categoryRows.js'
import { CategoryWriter } from './writer.js'

/** What the index needs of a page's present state. */
export function incomingCategories(
  tables: Tables,
  page: Omit<IndexablePage, 'properties'>,
  namespaces: Namespaces,
): IncomingCategories {
  const { id, namespace, dbkey, latestId, latestModel, text } = page
  const literal = latestModel === 'wikitext' && text !== undefined ? categoryLinks(text, namespaces) : []
  const textHidden = text === undefined
  return { namespace, dbkey, latestId, literal, stated: statedCategories(tables, id, namespaces), textHidden }
}

/** A page and its state; undefined if the page is gone. */
export type IncomingPage = readonly [pageId: number, incoming: IncomingCategories | undefined]

/**
 * Takes states of pages into an index. `known` is the index in force, which may know more of a page than its text. A
 * rebuild writes to the other one.
 */
export function writeCategories(
  index: CategoryTables,
  known: CategoryTables,
  pages: Iterable<IncomingPage>,
): void {
  const writer = new CategoryWriter(index)
  for (const [pageId, incoming] of pages) {
    const before = readPageCategories(index, pageId)
    const earlier = known === index ? before : readPageCategories(known, pageId)
    const after = incoming && categoriesAfterText(earlier, incoming)
    if (!isSameState(before, after)) writer.replace(pageId, before, after)
  }
  writer.finish()
}

/**
 * Notes that the table `categorylinks` has news of a page, for when the page is indexed. False for a page that has
 * changed here since it was imported: the table does not know that.
 */
export function awaitTable(tables: Tables, index: CategoryTables, pageId: number): boolean {
  const row = tables.page.getBinary(pageId)
  if (row === undefined || isRevisionMadeHere(tables, decodePageRow(row).latestId)) return false
  const before = readPageCategories(index, pageId)
  if (before !== undefined)
    index.pageCategories.putSync(pageId, encodePageCategories({ ...before, awaitsTable: true }))
  return true
}

/** Categories from the table. A name that is not a title of this wiki is left out. */
function statedCategories(
  tables: Tables,
  pageId: number,
  namespaces: Namespaces,
): CategoryLink[] | undefined {
  const row = readSqlRow(tables, 'categorylinks', pageId)
  const values = row && namedLinksInRow(tables, Buffer.from(row))
  if (values === undefined) return undefined
  const links = new Map<string, string>()
  for (const [name, sortKey] of values) {
    const parsed = parseTitle(namespaces.keyPrefix(CATEGORY) + name, namespaces)
    if (parsed.ok && parsed.title.namespace === CATEGORY) links.set(parsed.title.dbkey, sortKeyOf(sortKey))
  }
  return Array.from(links, ([category, sortKey]) => ({ category, sortKey })).sort((one, other) =>
    one.category < other.category ? -1 : 1,
  )
}
