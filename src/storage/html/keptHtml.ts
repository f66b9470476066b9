/** `Store.html`: reads and writes the HTML that a store keeps. See renderings.ts for its tables. */
import {
  dropImported,
  type HtmlVerdict,
  type ImportedHtml,
  importedTag,
  type IncomingHtml,
  putImported,
  readImported,
  renderingTotals,
} from './importedHtml.js'
import { readTally, type RenderingTotals } from '../tables/meta.js'
import {
  type Basis,
  continueDrops,
  dropKept,
  hasDropsLeft,
  isUnchanged,
  newestConfiguration,
  putRendering,
  putShell,
  readBundle,
  readRendering,
  type Rendering,
  takeQueued,
} from './renderings.js'
import type { ReadyShell, RenderingRow } from './renderingRow.js'
import { type Tables, WHOLE_TABLE } from '../tables/tables.js'

/** The parts of the store that this class needs. */
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

  /** The HTML of a revision; undefined if it is not kept, or was made for another configuration. */
  get(revisionId: number, configuration: Uint8Array): RenderingRow | undefined {
    return readRendering(this.#tables, revisionId, configuration)
  }

  /** Whether there is no HTML of a revision for a configuration, or it has expired. */
  isMissing(revisionId: number, configuration: Uint8Array, nowSeconds: number): boolean {
    if (!this.#tables.html.doesExist(revisionId)) return true
    const kept = readRendering(this.#tables, revisionId, configuration)
    return kept === undefined || (kept.expiresAt !== 0 && kept.expiresAt <= nowSeconds)
  }

  /** JSON of the page bundle for HTML that `get` has just found. */
  getBundle(revisionId: number): string | undefined {
    return readBundle(this.#tables, revisionId)
  }

  /** HTML of a revision from outside, not cleaned. */
  getImported(revisionId: number): ImportedHtml | undefined {
    return readImported(this.#tables, revisionId)
  }

  /** Tells if a revision has HTML from outside. */
  hasImported(revisionId: number): boolean {
    return importedTag(this.#tables, revisionId) !== undefined
  }

  /** Drops HTML from outside that cannot be used. */
  dropImported(revisionId: number): void {
    this.#store.transact(() => dropImported(this.#tables, revisionId))
  }

  /** Keeps HTML from outside, in one transaction. Renderings of the same revisions go. */
  import(all: readonly IncomingHtml[]): HtmlVerdict[] {
    return this.#store.transact(() =>
      all.map((incoming) => {
        const verdict = putImported(this.#tables, incoming)
        if (verdict === 'kept') dropKept(this.#tables, incoming.revisionId)
        return verdict
      }),
    )
  }

  totals(): RenderingTotals {
    return renderingTotals(this.#tables)
  }

  /** Rises whenever parts of revisions are hidden or shown. HTML whose rendering began earlier must not be kept. */
  visibility(): number {
    return readTally(this.#tables, 'visibility')
  }

  /** Tells if work that began on this basis would have the same result now. Reads a row for each use. */
  isUnchanged(basis: Basis): boolean {
    return isUnchanged(this.#tables, basis)
  }

  /** Tells if the queue has HTML to make again. */
  hasQueued(): boolean {
    for (const _id of this.#tables.htmlQueue.getKeys({ ...WHOLE_TABLE, limit: 1 })) return true
    return false
  }

  /** Takes up to `limit` revisions off the queue. Their HTML is to be made again. */
  takeQueued(limit: number): number[] {
    return this.#store.transactDerived(() => takeQueued(this.#tables, limit))
  }

  /** Keeps HTML, at most `maxBytes` in total, unless a change has made it outdated meanwhile. */
  keep(rendering: Rendering, maxBytes: number): void {
    this.keepAll([rendering], maxBytes)
  }

  /** Like `keep`, in one transaction. Returns for each whether it is kept. */
  keepAll(renderings: readonly Rendering[], maxBytes: number): boolean[] {
    return this.#store.transactDerived(() =>
      renderings.map((rendering) => putRendering(this.#tables, rendering, maxBytes)),
    )
  }

  /** Replaces the shell of HTML with this tag, if it is still kept. All HTML takes at most `maxBytes`. */
  keepShell(html: Pick<Rendering, 'revisionId' | 'tag'>, shell: ReadyShell, maxBytes: number): void {
    this.#store.transactDerived(() => putShell(this.#tables, html, shell, maxBytes))
  }

  /** Configuration of the rendering that was made last; undefined if there is none. */
  newestConfiguration(): Buffer | undefined {
    return newestConfiguration(this.#tables)
  }

  /**
   * Drops some of the outdated HTML that an edit did not drop in its own transaction. False if no such HTML is left.
   */
  dropOutdated(): boolean {
    if (!hasDropsLeft(this.#tables)) return false
    this.#store.transact(() => continueDrops(this.#tables))
    return true
  }
}
