/**
 * Writes the contents of a dump as log entries. Ids and times depend only on the dump and the log, never on a clock or
 * random numbers. An import that was killed and restarted thus leaves the same log as an uninterrupted one.
 */
import type { LogEvent } from '../domain/logEvent.js'
import type { IncomingPage } from '../domain/page.js'
import type { Site } from '../domain/site.js'
import type { Applier } from '../storage/apply/applier.js'
import type { ImportEntry, PageOutcome, Verdict } from '../storage/entries/entries.js'
import { derivedEntryId } from '../storage/entries/entryIds.js'
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
  /** Entries of the wiki's log in the batches so far. */
  #events = 0

  /**
   * `dump` is the dump's name. Ends an unfinished import of another dump without a hash, since that dump may not have
   * been read to its end.
   */
  constructor(store: Store, applier: Applier, dump: string) {
    this.#store = store
    this.#applier = applier
    this.#dump = dump
    const unfinished = endEntry(this.#store, null)
    if (unfinished !== undefined && unfinished.name !== dump) applier.submit(unfinished)
  }

  /** Adopts the dump's site settings. The verdict is `adopted` or `site-refused`. */
  writeSite(site: Site): Verdict {
    const id = derivedEntryId(this.#store.position().sequence, 'site', JSON.stringify(site))
    return this.#applier.submit({ kind: 'site', id, time: this.#store.counters().time, site })
  }

  /** Writes a batch of pages, or parts of pages, in one transaction. Returns the outcome of each. */
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

  writeEvents(events: readonly LogEvent[]): number {
    const place = { dump: this.#dump, firstPart: this.#events, parts: events.length }
    this.#events += events.length
    const id = derivedEntryId(this.#store.position().sequence, 'events', place.dump, place.firstPart)
    const time = events.reduce((newest, { timestamp }) => Math.max(newest, timestamp), 0)
    const verdict = this.#applier.submit({ kind: 'events', id, time, ...place, events })
    return 'isEffective' in verdict && verdict.isEffective ? events.length : 0
  }

  lineOf(pageId: number): number | undefined {
    return this.#came.lineOf(pageId)
  }

  /** Ends the import. `sha256` is the hash of the dump, in hex. A dump that brought nothing new leaves no entry. */
  end(sha256: string | null): void {
    const entry = endEntry(this.#store, sha256)
    if (entry !== undefined) this.#applier.submit(entry)
  }
}

/** The entry that ends the running import, dated by its newest revision. Undefined when no import is running. */
function endEntry(store: Store, sha256: string | null): ImportEntry | undefined {
  const running = store.runningImport()
  if (running === undefined) return undefined
  const { name, pages, revisions, newest } = running
  const id = derivedEntryId(store.position().sequence, 'import', name, sha256)
  return { kind: 'import', id, time: newest, name, sha256, pages, revisions }
}
