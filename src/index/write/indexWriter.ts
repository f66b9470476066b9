/** Keeps the index consistent with the pages, within the transaction that writes a page. */
import { encodeCompletion } from '../rows/completions.js'
import { FlexIndex } from './flexIndex.js'
import { TEXT_REFERENCE, TITLE_REFERENCE } from '../rows/impact.js'
import { encodeIndexedRow, type IndexedPage, IndexedRowView } from '../rows/indexedRow.js'
import type { ChangeNotes } from '../rows/searchChange.js'
import { type AreaText, bodyOf, type PostingTable, titleOf } from '../rows/areas.js'
import { PageStore, readIndexedRow } from './pageStore.js'
import { PostingWriter } from './postingWriter.js'
import { StrongWriter } from './strongWriter.js'
import type { IndexTables } from '../rows/tables.js'

export class IndexWriter {
  readonly #tables: IndexTables
  readonly #bodies = new FlexIndex(TEXT_REFERENCE)
  readonly #titles = new FlexIndex(TITLE_REFERENCE)

  readonly #pages: PageStore
  readonly #notes: ChangeNotes | undefined

  /** `notes` gets the terms whose postings change. */
  constructor(tables: IndexTables, notes?: ChangeNotes) {
    this.#tables = tables
    this.#pages = new PageStore(tables)
    this.#notes = notes
  }

  /** Indexes the current state of a page, in place of the old one. */
  put(page: IndexedPage): void {
    const before = readIndexedRow(this.#tables, page.pageId)
    const after = new IndexedRowView(encodeIndexedRow(page))
    if (before?.row.equals(after.row)) return
    this.#writePostings(page.pageId, before, after)
    this.#pages.store(page.pageId, before, { row: after, completion: encodeCompletion(page) })
    this.#pages.writeCounts()
  }

  /** Removes a page from the index. */
  remove(pageId: number): void {
    const before = readIndexedRow(this.#tables, pageId)
    if (before === undefined) return
    this.#writePostings(pageId, before, undefined)
    this.#pages.store(pageId, before, undefined)
    this.#pages.writeCounts()
  }

  #writePostings(
    pageId: number,
    before: IndexedRowView | undefined,
    after: IndexedRowView | undefined,
  ): void {
    const bodies = [before && bodyOf(before), after && bodyOf(after)] as const
    this.#writeText('bodyPostings', this.#bodies, pageId, ...bodies)
    const titles = [before && titleOf(before), after && titleOf(after)] as const
    this.#writeText('titlePostings', this.#titles, pageId, ...titles)
  }

  /** Writes the postings that differ between two texts of a page. */
  #writeText(
    kind: PostingTable,
    index: FlexIndex,
    pageId: number,
    before: AreaText | undefined,
    after: AreaText | undefined,
  ): void {
    const write = (area: number, oldText: string | undefined, newText: string | undefined): void => {
      index.replace(pageId, oldText, newText)
      const changes = index.takeChanges()
      this.#notes?.addTerms(changes.terms)
      postingWriter(this.#tables, kind, area).write(changes)
    }
    if (before?.area === after?.area) {
      if (before !== undefined && before.text !== after?.text) write(before.area, before.text, after?.text)
      return
    }
    if (before !== undefined) write(before.area, before.text, undefined)
    if (after !== undefined) write(after.area, undefined, after.text)
  }
}

/** Writer for the postings of an area. For texts, it also updates the strong postings. */
export function postingWriter(tables: IndexTables, kind: PostingTable, area: number): PostingWriter {
  if (kind === 'titlePostings') return new PostingWriter(tables.titlePostings, area)
  const strong = new StrongWriter(tables.bodyPostings, tables.strongPostings, area)
  return new PostingWriter(tables.bodyPostings, area, (writing) => strong.follow(writing))
}
