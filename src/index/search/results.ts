/** JSON of search results. */
import { Excerpts } from './excerpt.js'
import type { JsonBytes } from './jsonBytes.js'
import type { Query } from './query.js'
import type { RecentPages } from './recent/recentPages.js'
import type { Hit } from './searcher.js'

/** Returns the JSON of the field `thumbnail` for a page. */
export type ThumbnailOf = (pageId: number, namespace: number) => string

interface AnswerTools {
  readonly thumbnailOf: ThumbnailOf
  /** Memory for the answer, in place of an earlier one. */
  readonly json: JsonBytes
}

/** The JSON of an answer. `hits` are its results, in order. `suggestion` is the query in another spelling. */
export function searchAnswer(
  pages: RecentPages,
  query: Query,
  hits: readonly Hit[],
  { thumbnailOf, json }: AnswerTools,
  suggestion?: string,
): Buffer {
  const excerpts = new Excerpts(query)
  pages.expect(() => hits.map(({ pageId }) => pageId))
  json.clear().text('{"pages":[')
  let separator = ''
  for (const { pageId, redirectId } of hits) {
    const matchedTitle = redirectId === undefined ? 'null' : titleJson(pages, redirectId)
    const view = pages.view(pageId)
    if (view === undefined) continue
    const { row } = view
    json.text(separator).copy(row, view.cardStart, view.descriptionStart).text(',"excerpt":"')
    excerpts.cut(view, json)
    json.text(`","matched_title":${matchedTitle},"description":`)
    json.copy(row, view.descriptionStart, view.titleStart)
    // Last, since it may read other rows.
    json.text(`,"thumbnail":${thumbnailOf(pageId, view.namespace)}}`)
    separator = ','
  }
  return json.text(`]${suggestionJson(suggestion)}}`).take()
}

/** JSON of a page's title with its namespace; `null` when the index does not have the page. */
function titleJson(pages: RecentPages, pageId: number): string {
  const view = pages.view(pageId)
  if (view === undefined) return 'null'
  const { title } = JSON.parse(`${view.card}}`) as {
    title: string
  }
  return JSON.stringify(title)
}

/** The JSON of an answer without excerpts from texts. */
export const answerOf = (results: readonly string[]): string => `{"pages":[${results.join(',')}]}`

const suggestionJson = (suggestion: string | undefined): string =>
  suggestion === undefined ? '' : `,"suggestion":${JSON.stringify(suggestion)}`

const CARD = Buffer.from('{"id":')
const [ZERO, NINE] = [0x30, 0x39]

/** Ids of the pages in an answer. Quotation marks in texts are escaped, so only a card can look like one. */
export function shownPages(answer: Uint8Array): number[] {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
  const pages: number[] = []
  for (let at = bytes.indexOf(CARD); at >= 0; at = bytes.indexOf(CARD, at)) {
    let page = 0
    for (at += CARD.length; bytes[at]! >= ZERO && bytes[at]! <= NINE; at++)
      page = page * 10 + bytes[at]! - ZERO
    pages.push(page)
  }
  return pages
}
