/**
 * The only way into the store. Every call is one write transaction: all of it or nothing, on disk when it returns.
 * Apply gets the store and entries, and nothing else: no clock, no chance. What each kind of entry does stands in
 * entryKinds.ts.
 */
import { encodeEntry, type Entry, type ImportVerdict, type PagesEntry, type Verdict } from '../entries.js'
import { chainDigest, decodeVerdict, encodeEntryRow, logKey } from '../logReader.js'
import { raiseTally, readPosition, writeMeta } from '../meta.js'
import type { Store } from '../store.js'
import type { Tables } from '../tables.js'
import { WriteContext } from './context.js'
import { isEntryId } from './entryFields.js'
import { type EntryKind, ENTRY_KINDS, entryFault } from './entryKinds.js'

export class Applier {
  readonly #store: Store
  readonly #tables: Tables

  constructor(store: Store) {
    this.#store = store
    this.#tables = store.tables
  }

  /**
   * Applies one entry and logs it. An entry that was applied before has no further effect: its first verdict comes
   * back. A malformed one is logged with the verdict `invalid`. Throws a StoreError when the store is damaged or the
   * disk full.
   */
  submit(entry: PagesEntry): ImportVerdict
  submit(entry: Entry): Verdict
  submit(entry: Entry): Verdict {
    return this.submitAll([entry])[0]!
  }

  /** Applies entries in their order in one transaction: all of them or, when one throws, none. */
  submitAll(entries: readonly Entry[]): Verdict[] {
    const verdicts = this.#store.transact(() => entries.map((entry) => this.#applyOne(entry)))
    if (entries.some(({ kind }) => kind === 'site')) this.#store.reloadSite()
    return verdicts
  }

  #applyOne(entry: Entry): Verdict {
    const fault = entryFault(entry)
    const before = isEntryId(entry.id) ? this.#tables.entry.getBinaryFast(entry.id) : undefined
    if (before !== undefined) return decodeVerdict(before)
    if (fault !== undefined) {
      const invalid = { result: 'invalid', reason: fault } as const
      // Without an id of the right form there is no row to keep the verdict in.
      return isEntryId(entry.id) ? this.#log(entry, invalid) : invalid
    }
    const kind = ENTRY_KINDS[entry.kind] as EntryKind<Entry>
    const context = new WriteContext(this.#tables, { indexLater: kind.indexLater ?? false })
    const verdict = kind.apply(context, entry)
    if (!isEffective(verdict)) return verdict
    context.finish()
    if (!kind.addsOnly) raiseTally(this.#tables, 'pastChanges')
    return this.#log(entry, verdict)
  }

  #log(entry: Entry, verdict: Verdict): Verdict {
    const { sequence, digest } = readPosition(this.#tables)
    const bytes = encodeEntry(entry)
    this.#tables.log.putSync(logKey(sequence + 1), bytes)
    this.#tables.entry.putSync(entry.id, encodeEntryRow(sequence + 1, keptVerdict(verdict)))
    writeMeta(this.#tables, 'position', { sequence: sequence + 1, digest: chainDigest(digest, bytes) })
    return verdict
  }
}

/** What a dump repeats leaves no row in the log, so that importing it again has no effect at all. */
function isEffective(verdict: Verdict): boolean {
  return 'isEffective' in verdict ? verdict.isEffective : verdict.result !== 'site-refused'
}

/** What the log keeps of a verdict: everything but what came of each page of an import. */
function keptVerdict(verdict: Verdict): Verdict {
  if (verdict.result !== 'imported') return verdict
  const { outcomes: _outcomes, ...kept } = verdict
  return kept
}
