/** Keeps the index consistent with the pages, within the transaction that writes a page. */
import { completionKeyOfRow, encodeCompletion } from '../titles/completions.js'
import { FlexIndex } from './flexIndex.js'
import { TEXT_REFERENCE, TITLE_REFERENCE } from '../rows/impact.js'
import { followTitle } from '../titles/prominent.js'
import { encodeIndexedRow, type IndexedPage, IndexedRowView } from '../rows/indexedRow.js'
import type { ChangeNotes } from '../rows/searchChange.js'
import { PostingWriter } from './postingWriter.js'
import { StrongWriter } from './strongWriter.js'
import type { IndexTable, IndexTables, PostingKey } from '../rows/tables.js'

/** Areas of redirects' titles: this bit plus the namespace. Plain namespaces are below it. */
export const REDIRECT_AREA = 0x8000

export class IndexWriter {
  readonly #tables: IndexTables
  readonly #bodies = new FlexIndex(TEXT_REFERENCE)
  readonly #titles = new FlexIndex(TITLE_REFERENCE)

  readonly #notes: ChangeNotes | undefined

  /** `notes` gets the terms whose postings change. */
  constructor(tables: IndexTables, notes?: ChangeNotes) {
    this.#tables = tables
    this.#notes = notes
  }

  /** Indexes the current state of a page, in place of the old one. */
  put(page: IndexedPage): void {
    const before = readIndexedRow(this.#tables, page.pageId)
    const after = new IndexedRowView(encodeIndexedRow(page))
    if (before?.row.equals(after.row)) return
    this.#writePostings(page.pageId, before, after)
    storePage(this.#tables, page.pageId, before, { row: after, completion: encodeCompletion(page) })
  }

  /** Removes a page from the index. */
  remove(pageId: number): void {
    const before = readIndexedRow(this.#tables, pageId)
    if (before === undefined) return
    this.#writePostings(pageId, before, undefined)
    storePage(this.#tables, pageId, before, undefined)
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

/** Writes a page's own rows and the counts of pages, but no postings. */
export function storePage(
  tables: IndexTables,
  pageId: number,
  before: IndexedRowView | undefined,
  after: PageRows | undefined,
): void {
  storeCompletion(tables, pageId, before, after)
  if (after === undefined) tables.indexed.removeSync(pageId)
  else tables.indexed.putSync(pageId, after.row.row)
  const [row, title] = [after?.row, after && titleOf(after.row)]
  moveCount(tables.bodyPostings, before && bodyOf(before)?.area, row && bodyOf(row)?.area)
  moveCount(tables.titlePostings, before && titleOf(before).area, title?.area)
}

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

function moveCount(
  table: IndexTable<PostingKey>,
  before: number | undefined,
  after: number | undefined,
): void {
  if (before === after) return
  if (before !== undefined) new PostingWriter(table, before).countPages(-1)
  if (after !== undefined) new PostingWriter(table, after).countPages(1)
}

export type PostingTable = 'bodyPostings' | 'titlePostings'

/** Writer for the postings of an area. For texts, it also updates the strong postings. */
export function postingWriter(tables: IndexTables, kind: PostingTable, area: number): PostingWriter {
  if (kind === 'titlePostings') return new PostingWriter(tables.titlePostings, area)
  const strong = new StrongWriter(tables.bodyPostings, tables.strongPostings, area)
  return new PostingWriter(tables.bodyPostings, area, (writing) => strong.follow(writing))
}

/** A text and the area of its postings. */
export interface AreaText {
  readonly area: number
  readonly text: string
}

/** The indexed text of a page; undefined for redirects. */
export function bodyOf(view: IndexedRowView): AreaText | undefined {
  return view.isRedirect ? undefined : { area: view.namespace, text: view.body }
}

export function titleOf(view: IndexedRowView): AreaText {
  return { area: titleArea(view.namespace, view.isRedirect), text: view.title }
}

/** The area of a title's postings. */
export const titleArea = (namespace: number, isRedirect: boolean): number =>
  namespace | (isRedirect ? REDIRECT_AREA : 0)
