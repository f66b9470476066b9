/**
 * The only way into the store. Every call is one write transaction: all of it or nothing, on disk when it
 * returns. Apply gets the store and entries, and nothing else: no clock, no chance.
 */
import { createHash } from 'node:crypto'
import type { IncomingPage } from '../../domain/page.js'
import type { Site } from '../../domain/site.js'
import { decodeEntry, encodeEntry, type Entry, type ImportEntry, type Verdict } from '../entries.js'
import { raiseTally, readMeta, readPosition, type RunningImport, writeMeta } from '../meta.js'
import { applySession, type SessionChange } from '../sessions.js'
import type { Store } from '../store.js'
import type { Tables } from '../tables.js'
import { adoptSite } from './adoptSite.js'
import { applyEntry } from './applyEntry.js'
import { applyPage, type PageOutcome } from './applyPage.js'
import { WriteContext } from './context.js'
import { logKey } from './logKey.js'
import { MadeHere } from './madeHere.js'

/** Remembers which pages came from one source, such as a dump. */
export interface PagesThatCame<Page> {
  has(pageId: number): boolean
  add(page: Page): void
}

const NO_PAGES: PagesThatCame<unknown> = { has: () => false, add: () => undefined }

/** Kinds of entries that leave all revisions as they are. */
const ADDS_ONLY: ReadonlySet<Entry['kind']> = new Set(['create', 'edit', 'file', 'token'])

export class Applier {
  readonly #store: Store
  readonly #tables: Tables
  readonly #madeHere: MadeHere

  constructor(store: Store) {
    this.#store = store
    this.#tables = store.tables
    this.#madeHere = new MadeHere(store.tables)
  }

  /** Applies one entry and logs it; an entry that was applied before has no further effect. */
  apply(entryBytes: Buffer): Verdict {
    return this.#store.transact(() => this.#applyOne(entryBytes))
  }

  /**
   * Applies entries in their order in one transaction: all of them or, when one cannot be applied, none. Changes of
   * sessions, which are no state, go with them and are not logged.
   */
  applyAll(changes: readonly (Buffer | SessionChange)[]): Verdict[] {
    return this.#store.transact(() =>
      changes.map((change) =>
        Buffer.isBuffer(change) ? this.#applyOne(change) : this.#applySession(change),
      ),
    )
  }

  #applySession(change: SessionChange): Verdict {
    applySession(this.#tables, change)
    return { result: 'done' }
  }

  #applyOne(entryBytes: Buffer): Verdict {
    const entry = decodeEntry(entryBytes)
    const before = this.#tables.entry.getBinaryFast(entry.id)
    if (before !== undefined) return JSON.parse(before.toString('utf8', 8, before.length)) as Verdict
    const context = new WriteContext(this.#tables)
    const verdict = applyEntry(context, entry)
    context.finish()
    if (!ADDS_ONLY.has(entry.kind)) raiseTally(this.#tables, 'pastChanges')
    this.#log(entry, entryBytes, verdict)
    return verdict
  }

  /** Takes over what the first dump says of its wiki, and new namespaces from later ones; see adoptSite.ts. */
  adoptSite(site: Site): void {
    this.#store.transact(() => adoptSite(this.#tables, site))
    this.#store.reloadSite()
  }

  /**
   * Writes pages of the dump `name`. Nothing is logged until `finishImport`, and nothing searchable until the index has
   * taken the pages in. `came` is told of each page that the store has now; none of those loses its id or title.
   */
  importPages<Page extends IncomingPage>(
    name: string,
    pages: readonly Page[],
    came: PagesThatCame<NoInfer<Page>> = NO_PAGES,
  ): PageOutcome[] {
    return this.#store.transact(() => {
      const hasCome = (pageId: number): boolean => came.has(pageId)
      const context = new WriteContext(this.#tables, { indexLater: true, madeHere: this.#madeHere, hasCome })
      const outcomes = pages.map((page) => {
        const outcome = applyPage(context, page)
        if (outcome.rival === undefined) came.add(page)
        return outcome
      })
      if (outcomes.some(hasEffect)) {
        this.#noteProgress(name, pages, outcomes)
        context.finish()
        raiseTally(this.#tables, 'pastChanges')
      }
      return outcomes
    })
  }

  /** The import that was begun and not yet logged, if any. */
  runningImport(): RunningImport | undefined {
    return readMeta(this.#tables, 'import') ?? undefined
  }

  /**
   * Logs the running import as one entry, if it changed anything. `sha256` is that of the dump, or null when the
   * dump was not read to its end. The entry's time is that of the newest revision: an import depends on no clock.
   */
  finishImport(sha256: string | null): void {
    this.#store.transact(() => {
      const running = this.runningImport()
      if (running === undefined) return
      const { name, pages, revisions, newest } = running
      const { sequence } = readPosition(this.#tables)
      const id = createHash('sha256')
        .update(`import ${sequence} ${sha256} ${name}`)
        .digest('hex')
        .slice(0, 32)
      const entry: ImportEntry = { id, time: newest, kind: 'import', name, sha256, pages, revisions }
      this.#log(entry, encodeEntry(entry), { result: 'done' })
      writeMeta(this.#tables, 'import', null)
    })
  }

  #noteProgress(name: string, pages: readonly IncomingPage[], outcomes: readonly PageOutcome[]): void {
    const running = this.runningImport()
    let { pages: newPages, revisions, newest } = running ?? { pages: 0, revisions: 0, newest: 0 }
    for (const outcome of outcomes) {
      if (outcome.newPage) newPages++
      revisions += outcome.addedRevisions
    }
    for (const page of pages) for (const { timestamp } of page.revisions) newest = Math.max(newest, timestamp)
    writeMeta(this.#tables, 'import', { name: running?.name ?? name, pages: newPages, revisions, newest })
  }

  #log(entry: Entry, bytes: Buffer, verdict: Verdict): void {
    const { sequence, digest } = readPosition(this.#tables)
    const key = logKey(sequence + 1)
    const place = Buffer.allocUnsafe(8)
    place.writeUInt32BE(key[1], place.writeUInt32BE(key[0], 0))
    this.#tables.log.putSync(key, bytes)
    this.#tables.entry.putSync(entry.id, Buffer.concat([place, Buffer.from(JSON.stringify(verdict))]))
    writeMeta(this.#tables, 'position', { sequence: sequence + 1, digest: chainDigest(digest, bytes) })
  }
}

function hasEffect(outcome: PageOutcome): boolean {
  return outcome.newPage || outcome.addedRevisions > 0 || outcome.changedRevisions > 0 || outcome.renamed
}

/** The digest after an entry: SHA-256 over the digest before it and the entry's bytes. */
export function chainDigest(before: string, entry: Buffer): string {
  return createHash('sha256').update(before).update(entry).digest('hex')
}
