/**
 * Writes what a dump brings, as entries. Ids and times follow from the dump and the log, never from a clock or chance:
 * an import that was killed and begun again leaves the same log as one that was not.
 */
import type { IncomingPage } from '../domain/page.js'
import type { Site } from '../domain/site.js'
import type { Applier } from '../storage/apply/applier.js'
import type { ImportEntry, PageOutcome, Verdict } from '../storage/entries.js'
import { derivedEntryId } from '../storage/entryIds.js'
import type { Store } from '../storage/store.js'
import type { DumpSink } from './importer.js'
import { PagesOfDump } from './pagesOfDump.js'

export class DumpWriter implements DumpSink {
  readonly #store: Store
  readonly #applier: Applier
  readonly #dump: string
  /** The pages written so far. */
  readonly #came = new PagesOfDump()
  /** Parts of pages in the batches so far. */
  #parts = 0

  /**
   * `dump` is the dump's name. An import of another dump that was begun and never finished ends here: nobody knows
   * whether that dump was read to its end.
   */
  constructor(store: Store, applier: Applier, dump: string) {
    this.#store = store
    this.#applier = applier
    this.#dump = dump
    const unfinished = endEntry(this.#store, null)
    if (unfinished !== undefined && unfinished.name !== dump) applier.submit(unfinished)
  }

  /** Takes over what the dump says of its wiki. The verdict is `adopted` or `site-refused`. */
  writeSite(site: Site): Verdict {
    const id = derivedEntryId(this.#store.position().sequence, 'site', JSON.stringify(site))
    return this.#applier.submit({ kind: 'site', id, time: this.#store.counters().time, site })
  }

  /** Writes a batch of pages, or parts of pages, in one transaction; says what came of each. */
  writePages(pages: readonly IncomingPage[]): readonly PageOutcome[] {
    const place = { dump: this.#dump, firstPart: this.#parts, parts: pages.length }
    this.#parts += pages.length
    const id = derivedEntryId(this.#store.position().sequence, 'pages', place.dump, place.firstPart)
    let newest = 0
    for (const page of pages) for (const { timestamp } of page.revisions) newest = Math.max(newest, timestamp)
    return (
      this.#applier.submit({ kind: 'pages', id, time: newest, ...place, pages, came: this.#came }).outcomes ??
      []
    )
  }

  lineOf(pageId: number): number | undefined {
    return this.#came.lineOf(pageId)
  }

  /** Ends the import. `sha256` is that of the dump, in hex. A dump that brought nothing new leaves no entry. */
  end(sha256: string | null): void {
    const entry = endEntry(this.#store, sha256)
    if (entry !== undefined) this.#applier.submit(entry)
  }
}

/** The entry that ends the running import, dated by its newest revision; undefined when none is running. */
function endEntry(store: Store, sha256: string | null): ImportEntry | undefined {
  const running = store.runningImport()
  if (running === undefined) return undefined
  const { name, pages, revisions, newest } = running
  const id = derivedEntryId(store.position().sequence, 'import', name, sha256)
  return { kind: 'import', id, time: newest, name, sha256, pages, revisions }
}
