/** The texts of a wiki as the index holds them. Every engine gets the same. */
import { IndexedRowView } from '../../src/index/rows/indexedRow.js'
import type { Store } from '../../src/storage/store.js'

export interface BenchText {
  readonly page: number
  readonly title: string
  readonly text: string
}

/** Titles and texts of the pages in the main namespace that are not redirects. */
export function benchTexts(store: Store): BenchText[] {
  const texts: BenchText[] = []
  for (const { key: page, value } of store.search.inForce().indexed.getRange({ start: undefined })) {
    const view = new IndexedRowView(value)
    if (view.namespace !== 0 || view.isRedirect) continue
    const { title } = view
    texts.push({ page, title, text: view.body.slice(title.length + 1) })
  }
  return texts
}

/** The words of a text as people would type them, without punctuation. */
export const wordsOf = (text: string): string[] =>
  text.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== '')
