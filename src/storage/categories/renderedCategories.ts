/** Takes in the categories of HTML that is about to be kept: those of templates, too. */
import { raiseTally } from '../tables/meta.js'
import { decodePageRow, revisionPageId } from '../rows/rows.js'
import { otherSet, queuePage, readIndexState } from '../search/indexState.js'
import type { Tables } from '../tables/tables.js'
import { categoriesAfterRendering, isSameState, readPageCategories } from './pageCategories.js'
import type { CategoryEntry } from '../rows/categoryRows.js'
import { CategoryWriter } from './writer.js'

interface RenderedCategories {
  readonly revisionId: number
  /** All that the HTML names. */
  readonly categories: readonly CategoryEntry[]
}

/**
 * Does nothing if the revision is not the latest of its page, or names the known categories. Otherwise the generation
 * rises, since answers show members of categories.
 */
export function takeRenderedCategories(tables: Tables, { revisionId, categories }: RenderedCategories): void {
  const rev = tables.rev.getBinaryFast(revisionId)
  const pageId = rev && revisionPageId(rev)
  const row = pageId && tables.page.getBinaryFast(pageId)
  if (!row) return
  const { namespace, dbkey, latestId, deleted } = decodePageRow(row)
  if (latestId !== revisionId || deleted) return
  const { set, rebuild } = readIndexState(tables)
  const before = readPageCategories(tables.indexes[set], pageId)
  const after = categoriesAfterRendering(before, { namespace, dbkey, latestId }, categories)
  if (isSameState(before, after)) return
  const writer = new CategoryWriter(tables.indexes[set])
  writer.replace(pageId, before, after)
  writer.finish()
  if (rebuild !== undefined) queuePage(tables, tables.indexes[otherSet(set)], pageId)
  raiseTally(tables, 'generation')
}
