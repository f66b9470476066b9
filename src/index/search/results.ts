/** JSON of search results. */
import { Excerpts } from './excerpt.js'
import { IndexedRowView } from '../rows/indexedRow.js'
import type { Query } from './query.js'
import type { Hit } from './searcher.js'
import type { IndexTables } from '../rows/tables.js'

/** Returns the JSON of the field `thumbnail` for a page. */
export type ThumbnailOf = (pageId: number, namespace: number) => string

/** The JSON of an answer. `hits` are its results, in order. `suggestion` is the query in another spelling. */
export function searchAnswer(
  tables: IndexTables,
  query: Query,
  hits: readonly Hit[],
  thumbnailOf: ThumbnailOf,
  suggestion?: string,
): string {
  const excerpts = new Excerpts(query)
  const results: string[] = []
  for (const { pageId, redirectId } of hits) {
    const matchedTitle = redirectId === undefined ? 'null' : titleJson(tables, redirectId)
    const row = tables.indexed.getBinaryFast(pageId)
    if (row === undefined) continue
    const view = new IndexedRowView(row)
    const excerpt = JSON.stringify(excerpts.cut(view))
    const facts = `"matched_title":${matchedTitle},"description":${view.descriptionJson}`
    results.push(
      `${view.card},"excerpt":${excerpt},${facts},"thumbnail":${thumbnailOf(pageId, view.namespace)}}`,
    )
  }
  return answerOf(results, suggestion)
}

/** JSON of a page's title with its namespace; `null` when the index does not have the page. */
function titleJson(tables: IndexTables, pageId: number): string {
  const row = tables.indexed.getBinaryFast(pageId)
  if (row === undefined) return 'null'
  const { title } = JSON.parse(`${new IndexedRowView(row).card}}`) as {
    title: string
  }
  return JSON.stringify(title)
}

export function answerOf(results: readonly string[], suggestion?: string): string {
  const more = suggestion === undefined ? '' : `,"suggestion":${JSON.stringify(suggestion)}`
  return `{"pages":[${results.join(',')}]${more}}`
}
