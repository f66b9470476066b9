/** Keeps the search index in step with the pages, within the transaction that writes them. */
import type { Namespaces } from '../../domain/namespaces.js'
import { IndexWriter } from '../../index/indexWriter.js'
import { readTally } from '../meta.js'
import type { Tables } from '../tables.js'
import { type IndexablePage, indexedPage } from './indexedPage.js'
import { indexCondition } from './indexCondition.js'

export class PageIndexing {
  readonly #tables: Tables
  readonly #namespaces: Namespaces
  readonly #later: boolean
  #writer: IndexWriter | undefined

  /** With `later`, pages are only marked, for the bulk build; so they are while the index cannot be used. */
  constructor(tables: Tables, namespaces: Namespaces, later: boolean) {
    this.#tables = tables
    this.#namespaces = namespaces
    this.#later = later || indexCondition(tables) !== 'ready'
  }

  /** Takes a page in as it is written; `text` is undefined when it is hidden. */
  pageSaved(page: Omit<IndexablePage, 'text'>, text: string | undefined): void {
    if (this.#later) return queuePage(this.#tables, page.id)
    this.#openWriter().put(indexedPage({ ...page, text }, this.#namespaces))
    this.#tables.indexQueue.removeSync(page.id)
  }

  pageGone(pageId: number): void {
    if (this.#later) return queuePage(this.#tables, pageId)
    this.#openWriter().remove(pageId)
    this.#tables.indexQueue.removeSync(pageId)
  }

  #openWriter(): IndexWriter {
    return (this.#writer ??= new IndexWriter(this.#tables))
  }
}

/** Marks a page for the bulk build, with the generation of the change: a build that saw an older one leaves it. */
export function queuePage(tables: Tables, pageId: number): void {
  const generation = Buffer.allocUnsafe(8)
  generation.writeDoubleBE(readTally(tables, 'generation') + 1, 0)
  tables.indexQueue.putSync(pageId, generation)
}
