/** The rows of pages in the index. */
import { completionKeyOfRow } from '../rows/completions.js'
import { followTitle } from '../titles/prominent.js'
import { IndexedRowView } from '../rows/indexedRow.js'
import type { IndexTables } from '../rows/tables.js'
import { bodyArea, type PostingTable, titleArea } from '../rows/areas.js'
import { PostingWriter } from './postingWriter.js'

/** A copy of a page's indexed state. */
export function readIndexedRow(tables: IndexTables, pageId: number): IndexedRowView | undefined {
  const row = tables.indexed.getBinary(pageId)
  return row === undefined ? undefined : new IndexedRowView(row)
}

/** The rows of one page. */
export interface PageRows {
  readonly row: IndexedRowView
  /** Undefined for a redirect without a valid target. */
  readonly completion: Buffer | undefined
}

/** Writes rows of pages within a transaction, and counts the pages of each area. It writes no postings. */
export class PageStore {
  readonly #tables: IndexTables
  /** Growth of the number of pages in each area. */
  readonly #growth = { bodyPostings: new Map<number, number>(), titlePostings: new Map<number, number>() }

  constructor(tables: IndexTables) {
    this.#tables = tables
  }

  /** `before` is the present row of the page. */
  store(pageId: number, before: IndexedRowView | undefined, after: PageRows | undefined): void {
    const { indexed } = this.#tables
    const row = after?.row
    storeCompletion(this.#tables, pageId, before, after)
    if (row === undefined) indexed.removeSync(pageId)
    else indexed.putSync(pageId, row.row)
    this.#count('bodyPostings', before && bodyArea(before), row && bodyArea(row))
    this.#count('titlePostings', before && areaOfTitle(before), row && areaOfTitle(row))
  }

  /** Writes the numbers of pages, which `store` only collects. */
  writeCounts(): void {
    for (const kind of ['bodyPostings', 'titlePostings'] as const) {
      for (const [area, pages] of this.#growth[kind])
        new PostingWriter(this.#tables[kind], area).countPages(pages)
      this.#growth[kind].clear()
    }
  }

  /** Moves a page from one area to another. Undefined: no area. */
  #count(kind: PostingTable, before: number | undefined, after: number | undefined): void {
    if (before === after) return
    const growth = this.#growth[kind]
    if (before !== undefined) growth.set(before, (growth.get(before) ?? 0) - 1)
    if (after !== undefined) growth.set(after, (growth.get(after) ?? 0) + 1)
  }
}

const areaOfTitle = ({ namespace, isRedirect }: IndexedRowView): number => titleArea(namespace, isRedirect)

/** Updates the completion row, if it changed. Most edits change only the text. */
function storeCompletion(
  tables: IndexTables,
  pageId: number,
  before: IndexedRowView | undefined,
  after: PageRows | undefined,
): void {
  const { completion } = tables
  const oldKey = before && completionKeyOfRow(before, pageId)
  const newKey = after && completionKeyOfRow(after.row, pageId)
  const old = oldKey && completion.getBinary(oldKey)
  const value = after?.completion
  const isSameKey = oldKey !== undefined && newKey !== undefined && oldKey.join() === newKey.join()
  if (isSameKey && value !== undefined && old?.equals(value) === true) return
  if (oldKey !== undefined && old !== undefined) {
    completion.removeSync(oldKey)
    followTitle(tables, oldKey, isSameKey ? value : undefined)
  }
  if (newKey !== undefined && value !== undefined) completion.putSync(newKey, value)
}
