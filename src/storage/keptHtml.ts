/** The HTML that a store keeps, for those who send or make it: `Store.html`. What it consists of: renderings.ts. */
import { readTally, type RenderingTotals } from './meta.js'
import {
  continueDrops,
  hasDropsLeft,
  putRendering,
  readBundle,
  readRendering,
  type Rendering,
  type RenderingRow,
  renderingTotals,
  takeQueued,
} from './renderings.js'
import { type Tables, WHOLE_TABLE } from './tables.js'

/** What it needs of the store. */
interface StoreOfHtml {
  readonly tables: Tables
  transact<T>(action: () => T): T
  transactDerived<T>(action: () => T): T
}

export class KeptHtml {
  readonly #store: StoreOfHtml
  readonly #tables: Tables

  constructor(store: StoreOfHtml) {
    this.#store = store
    this.#tables = store.tables
  }

  /** The HTML of a revision; undefined when there is none, or it was made for another configuration. */
  get(revisionId: number, configuration: Uint8Array): RenderingRow | undefined {
    return readRendering(this.#tables, revisionId, configuration)
  }

  /** JSON of the page bundle that belongs to HTML that `get` has just found. */
  getBundle(revisionId: number): string | undefined {
    return readBundle(this.#tables, revisionId)
  }

  totals(): RenderingTotals {
    return renderingTotals(this.#tables)
  }

  /** Rises when parts of revisions are hidden or shown: HTML that was begun before must not be kept. */
  visibility(): number {
    return readTally(this.#tables, 'visibility')
  }

  /** Whether HTML waits to be made again. */
  hasQueued(): boolean {
    for (const _id of this.#tables.htmlQueue.getKeys({ ...WHOLE_TABLE, limit: 1 })) return true
    return false
  }

  /** Takes up to `limit` revisions, whose HTML is to be made again, off the queue. */
  takeQueued(limit: number): number[] {
    return this.#store.transactDerived(() => takeQueued(this.#tables, limit))
  }

  /** Keeps HTML, at most `maxBytes` of all; nothing is kept that a change has made untrue meanwhile. */
  keep(rendering: Rendering, maxBytes: number): void {
    this.#store.transactDerived(() => putRendering(this.#tables, rendering, maxBytes))
  }

  /**
   * Drops some of the outdated HTML that an edit could not drop in its own transaction; false when there is none left.
   */
  dropOutdated(): boolean {
    if (!hasDropsLeft(this.#tables)) return false
    this.#store.transact(() => continueDrops(this.#tables))
    return true
  }
}
