/**
 * The only way to write to the store. Every call is one write transaction: all or nothing, and on disk on return. Apply
 * depends only on the store and the entries: it reads no clock and uses no random numbers. entryKinds.ts defines the
 * effect of each kind of entry.
 */
import { encodeEntry, type Entry, type ImportVerdict, type PagesEntry, type Verdict } from '../entries.js'
import { chainDigest, decodeVerdict, encodeEntryRow, findEntryRow, logKey } from '../logReader.js'
import { raiseTally, readPosition, writeMeta } from '../meta.js'
import type { Store } from '../store.js'
import type { Tables } from '../tables.js'
import { readPlace } from '../upstream/place.js'
import { WriteContext } from './context.js'
import { isEntryId } from './entryFields.js'
import { type EntryKind, ENTRY_KINDS, entryFault } from './entryKinds.js'

/** Kinds of entries that may change the site settings, for a process that goes on. */
const CHANGING_SITE: ReadonlySet<Entry['kind']> = new Set(['site', 'upstream', 'table'])

export class Applier {
  readonly #store: Store
  readonly #tables: Tables
  readonly #indexLater: boolean

  /** `indexLater` leaves all pages to the bulk build of the search index, except those whose words go. */
  constructor(store: Store, { indexLater = false }: { readonly indexLater?: boolean } = {}) {
    this.#store = store
    this.#tables = store.tables
    this.#indexLater = indexLater
  }

  /**
   * Applies one entry and logs it. An entry that was applied before has no further effect, and gets its first verdict
   * again. A malformed one is logged with the verdict `invalid`. Throws a StoreError if the store is damaged or the
   * disk is full.
   */
  submit(entry: PagesEntry): ImportVerdict
  submit(entry: Entry): Verdict
  submit(entry: Entry): Verdict {
    return this.submitAll([entry])[0]!
  }

  /** Applies entries in order in one transaction. If one throws, none is applied. */
  submitAll(entries: readonly Entry[]): Verdict[] {
    const verdicts = this.#store.transact(() => entries.map((entry) => this.#applyOne(entry)))
    if (entries.some(({ kind }) => CHANGING_SITE.has(kind))) this.#store.reloadSite()
    return verdicts
  }

  #applyOne(entry: Entry): Verdict {
    const fault = entryFault(entry)
    const before = isEntryId(entry.id) ? findEntryRow(this.#tables, entry.id) : undefined
    if (before !== undefined) return decodeVerdict(before)
    if (entry.original !== undefined && entry.verdict !== undefined) return this.#log(entry, entry.verdict)
    if (fault !== undefined) {
      const invalid = { result: 'invalid', reason: fault } as const
      // Without a valid id, the verdict has no row to go into.
      return isEntryId(entry.id) ? this.#log(entry, invalid) : invalid
    }
    const kind = ENTRY_KINDS[entry.kind] as EntryKind<Entry>
    if (kind.isLocal && readPlace(this.#tables) !== undefined) return { result: 'following' }
    const context = new WriteContext(this.#tables, { indexLater: kind.indexLater ?? this.#indexLater })
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

/**
 * False for refused entries, and for repeated dumps and states, which leave no entry in the log. So importing a dump
 * again has no effect at all.
 */
function isEffective(verdict: Verdict): boolean {
  return 'isEffective' in verdict ? verdict.isEffective : !REFUSALS.has(verdict.result)
}

const REFUSALS: ReadonlySet<Verdict['result']> = new Set(['site-refused', 'elsewhere', 'following'])

/** The part of a verdict that the log keeps: everything except the outcomes of single pages of an import. */
function keptVerdict(verdict: Verdict): Verdict {
  if (verdict.result !== 'imported') return verdict
  const { outcomes: _outcomes, ...kept } = verdict
  return kept
}
