/** Updates the index in force within the transaction that writes the pages. */
import type { Namespaces } from '../../domain/namespaces.js'
import {
  encodeIndexedRow,
  type IndexedPage,
  IndexedRowView,
  titleInRow,
} from '../../index/rows/indexedRow.js'
import type { ChangeNotes } from '../../index/rows/searchChange.js'
import { IndexWriter } from '../../index/write/indexWriter.js'
import { readIndexedRow } from '../../index/write/pageStore.js'
import { incomingCategories, writeCategories } from '../categories/categoryIndexing.js'
import { incomingLinks, writeLinks } from '../links/linkIndexing.js'
import type { IndexSet, Tables } from '../tables/tables.js'
import {
  type IndexablePage,
  indexedPage,
  indexedStart,
  readIndexable,
  readProperties,
} from '../search/indexedPage.js'
import { conditionOf, otherSet, queuePage, readIndexState } from '../search/indexState.js'

export class PageIndexing {
  /** What searches can see of the changes. */
  readonly notes: ChangeNotes
  /** Set by a change of more than the text of pages: titles, descriptions or pictures in results may differ. */
  changesResults = false
  readonly #tables: Tables
  readonly #namespaces: Namespaces
  readonly #inForce: IndexSet
  /** The index that a rebuild fills. */
  readonly #coming: IndexSet | undefined
  readonly #later: boolean
  /** The index in force can be used. */
  readonly #isReady: boolean
  #writer: IndexWriter | undefined

  /**
   * With `later`, or if the index in force cannot be used, pages are only queued for the bulk build. A running rebuild
   * always has them queued for its own index. `notes` is that of the whole transaction.
   */
  constructor(tables: Tables, namespaces: Namespaces, later: boolean, notes: ChangeNotes) {
    this.notes = notes
    this.#tables = tables
    this.#namespaces = namespaces
    const state = readIndexState(tables)
    this.#inForce = tables.indexes[state.set]
    this.#coming = state.rebuild === undefined ? undefined : tables.indexes[otherSet(state.set)]
    this.#later = later
    this.#isReady = conditionOf(state) === 'ready'
  }

  /**
   * Indexes a page as it is written. `text` is undefined if it is hidden. `atOnce`: the index must not keep an earlier
   * text until the bulk build.
   */
  pageSaved(
    page: Omit<IndexablePage, 'text' | 'properties'>,
    text: string | undefined,
    atOnce: boolean,
  ): void {
    if (!this.#later || atOnce) this.#saveStatements(page, text, atOnce)
    if (this.#isQueued(page.id, atOnce)) return
    const properties = readProperties(this.#tables, page.id)
    const indexed = indexedPage({ ...page, text, properties }, this.#namespaces)
    const before = readIndexedRow(this.#inForce, page.id)
    this.changesResults ||= before === undefined || !looksSame(before, indexed)
    this.#note(before, indexed)
    this.#openWriter().put(indexed)
    this.#inForce.indexQueue.removeSync(page.id)
  }

  /** A page without a title, or without a row, is not found any more, even before a bulk build. */
  pageGone(pageId: number): void {
    this.changesResults = true
    writeCategories(this.#inForce, this.#inForce, [[pageId, undefined]])
    writeLinks(this.#inForce, this.#inForce, [[pageId, undefined]])
    if (this.#isQueued(pageId, true)) return
    this.notes.addPage(pageId)
    this.notes.titlesChange = true
    this.#openWriter().remove(pageId)
    this.#inForce.indexQueue.removeSync(pageId)
  }

  /** Leaves a page to the bulk build. */
  queue(pageId: number): void {
    this.changesResults = true
    this.notes.everything()
    queuePage(this.#tables, this.#inForce, pageId)
    if (this.#coming !== undefined) queuePage(this.#tables, this.#coming, pageId)
  }

  /** Takes in the links of a page again. */
  relink(pageId: number): void {
    const page = readIndexable(this.#tables, pageId)
    writeLinks(this.#inForce, this.#inForce, [[pageId, page && incomingLinks(this.#tables, page)]])
    if (this.#coming !== undefined) queuePage(this.#tables, this.#coming, pageId)
  }

  /** Categories and links do not depend on the version of the index, so edits always take them in. */
  #saveStatements(
    page: Omit<IndexablePage, 'text' | 'properties'>,
    text: string | undefined,
    mayForget: boolean,
  ): void {
    const present = { ...page, text: text && indexedStart(text) }
    const categories = incomingCategories(this.#tables, present, this.#namespaces)
    writeCategories(this.#inForce, this.#inForce, [[page.id, { ...categories, mayForget }]])
    const links = incomingLinks(this.#tables, present)
    writeLinks(this.#inForce, this.#inForce, [[page.id, { ...links, mayForget }]])
  }

  /** Queues a page for bulk builds. False if the index in force must take it in now. */
  #isQueued(pageId: number, atOnce: boolean): boolean {
    const isQueued = !this.#isReady || (this.#later && !atOnce)
    if (this.#coming !== undefined) queuePage(this.#tables, this.#coming, pageId)
    if (isQueued) {
      this.changesResults = true
      this.notes.everything()
      queuePage(this.#tables, this.#inForce, pageId)
    }
    return isQueued
  }

  /** Notes a page that is written; its writer notes the terms that it gains and loses. */
  #note(before: IndexedRowView | undefined, page: IndexedPage): void {
    this.notes.addPage(page.pageId)
    const isSameTitle = before?.namespace === page.namespace && before.title === titleInRow(page.dbkey)
    this.notes.titlesChange ||= !isSameTitle
    // Another target brings another page under the words of the title.
    if (before?.isRedirect === true) this.notes.addText(before.title)
    if (page.redirect !== undefined) this.notes.addText(titleInRow(page.dbkey))
  }

  #openWriter(): IndexWriter {
    return (this.#writer ??= new IndexWriter(this.#inForce, this.notes))
  }
}

/** Tells if a page has the same title, description and files as before, and is no redirect. */
function looksSame(before: IndexedRowView, page: IndexedPage): boolean {
  if (before.isRedirect || page.redirect !== undefined || before.namespace !== page.namespace) return false
  const now = new IndexedRowView(encodeIndexedRow({ ...page, text: '', auxiliary: '' }))
  return (
    before.card === now.card &&
    before.title === now.title &&
    before.descriptionJson === now.descriptionJson &&
    before.files.join('\n') === now.files.join('\n')
  )
}
