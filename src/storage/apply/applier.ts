/**
 * The only way to write to the store. Every call is one write transaction: all or nothing, and on disk on return. Apply
 * depends only on the store and the entries: it reads no clock and uses no random numbers. entryKinds.ts defines the
 * effect of each kind of entry.
 */
import {
  encodeEntry,
  type Entry,
  type ImportVerdict,
  type PagesEntry,
  type PlacedEntry,
  type Verdict,
} from '../entries/entries.js'
import { StoreError } from '../tables/errors.js'
import { chainDigest, decodeVerdict, encodeEntryRow, findEntryRow, logKey } from '../entries/logReader.js'
import { ChangeNotes } from '../../index/rows/searchChange.js'
import { raiseTally, readPosition, writeMeta } from '../tables/meta.js'
import { rulesInForce } from '../links/linkRules.js'
import { writeSearchChange } from '../search/searchChanges.js'
import type { Store } from '../store.js'
import type { Tables } from '../tables/tables.js'
import { readPlace } from '../upstream/place.js'
import { WriteContext } from './writeContext.js'
import { isEntryId } from '../entries/entryFields.js'
import { type EntryKind, ENTRY_KINDS, entryFault } from './entryKinds.js'
import { keepChain, requireOwnLog, sharedVerdict } from './sharedEntries.js'
import { MAIN } from '../../domain/namespaceIds.js'
import { capitalise } from '../../domain/title.js'
import type { LinkRules } from '../../wikitext/languageLinks.js'
import { LinkReader } from '../links/linkReader.js'

/** Kinds of entries that may change the site settings, for a process that goes on. */
const CHANGING_SITE: ReadonlySet<Entry['kind']> = new Set(['site', 'upstream', 'table'])

/** Kinds of entries that may change the meaning of prefixes in links. */
const CHANGING_RULES: ReadonlySet<Entry['kind']> = new Set([...CHANGING_SITE, 'settings'])

export class Applier {
  readonly #store: Store
  readonly #tables: Tables
  readonly #indexLater: boolean
  /** In a transaction: all entries so far are edits that change no more than texts. */
  #textEditsOnly = false
  /** What searches see of the transaction. */
  #searchNotes = new ChangeNotes()

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
    const verdicts = this.#transact(() => {
      requireOwnLog(this.#tables)
      return entries.map((entry) => this.#applyOne(entry))
    })
    if (entries.some(({ kind }) => CHANGING_SITE.has(kind))) this.#store.reloadSite()
    return verdicts
  }

  /**
   * Applies entries of a shared log in one transaction. Each takes its position, also an entry that has no effect.
   * Skips those that the store has already: another process may apply the same log. Throws a StoreError when an entry
   * between is missing, and a TooNewError for a log that this program does not know. Returns the number of entries that
   * were judged `forked`.
   */
  submitShared(items: readonly PlacedEntry[]): number {
    let forked = 0
    this.#transact(() => {
      for (const { sequence, entry, row } of items) {
        const position = readPosition(this.#tables).sequence
        if (sequence <= position) continue
        if (sequence !== position + 1)
          throw new StoreError(`the log goes on at ${sequence}, but the store stands at ${position}`)
        const refused = sharedVerdict(this.#tables, entry as Entry)
        if (refused?.result === 'forked') forked++
        this.#place(entry as Entry, row, refused)
        keepChain(this.#tables, readPosition(this.#tables))
      }
    })
    if (items.some(({ entry }) => CHANGING_SITE.has(entry.kind))) this.#store.reloadSite()
    return forked
  }

  /**
   * Applies an entry of another store's log, with the verdict there, at the same position. So the replay of a log that
   * was shared has entries without effect in the same places.
   */
  submitReplayed({ entry, row }: PlacedEntry, verdict: Verdict | undefined): void {
    const refused = verdict?.result === 'forked' ? verdict : undefined
    this.#store.transact(() => {
      requireOwnLog(this.#tables)
      this.#place(entry as Entry, row, refused)
    })
  }

  /** Runs a write transaction. Counts it if its entries change no more than texts. Notes what searches see of it. */
  #transact<Result>(apply: () => Result): Result {
    return this.#store.transact(() => {
      this.#textEditsOnly = true
      this.#searchNotes = new ChangeNotes()
      const result = apply()
      writeSearchChange(this.#tables, this.#searchNotes)
      if (this.#textEditsOnly) raiseTally(this.#tables, 'textEdits')
      return result
    })
  }

  /** Applies an entry, unless it is `refused` or repeated, and gives it the next position in any case. */
  #place(entry: Entry, row: Buffer, refused: Verdict | undefined): void {
    const { sequence } = readPosition(this.#tables)
    if (findEntryRow(this.#tables, entry.id) !== undefined) {
      this.#append(row)
      return
    }
    const verdict = refused ?? this.#applyOne(entry, row)
    if (readPosition(this.#tables).sequence === sequence) this.#log(entry, verdict, row)
  }

  /** `row`: the bytes of an entry that has some already. */
  #applyOne(entry: Entry, row?: Buffer): Verdict {
    const wereTextEdits = this.#textEditsOnly
    this.#textEditsOnly = false
    const fault = entryFault(entry)
    const before = isEntryId(entry.id) ? findEntryRow(this.#tables, entry.id) : undefined
    if (before !== undefined) return decodeVerdict(before)
    if (entry.original !== undefined && entry.verdict !== undefined)
      return this.#log(entry, entry.verdict, row)
    if (fault !== undefined) {
      const invalid = { result: 'invalid', reason: fault } as const
      // Without a valid id, the verdict has no row to go into.
      return isEntryId(entry.id) ? this.#log(entry, invalid, row) : invalid
    }
    const kind = ENTRY_KINDS[entry.kind] as EntryKind<Entry>
    if (kind.isLocal && readPlace(this.#tables) !== undefined) return { result: 'following' }
    if (!isSeenByIndexing(entry)) this.#searchNotes.everything()
    const indexLater = kind.indexLater ?? this.#indexLater
    const context = new WriteContext(this.#tables, { indexLater, searchNotes: this.#searchNotes })
    const rules = CHANGING_RULES.has(entry.kind) ? rulesInForce(this.#tables) : undefined
    const verdict = kind.apply(context, entry)
    if (!isEffective(verdict)) return verdict
    if (rules !== undefined) relinkPrefixes(context, rules)
    context.finish()
    this.#textEditsOnly = wereTextEdits && entry.kind === 'edit' && !context.indexing.changesResults
    if (!kind.addsOnly) raiseTally(this.#tables, 'pastChanges')
    return this.#log(entry, verdict, row)
  }

  #log(entry: Entry, verdict: Verdict, row = encodeEntry(entry)): Verdict {
    const sequence = this.#append(row)
    this.#tables.entry.putSync(entry.id, encodeEntryRow(sequence, keptVerdict(verdict)))
    return verdict
  }

  #append(row: Buffer): number {
    const { sequence, digest } = readPosition(this.#tables)
    this.#tables.log.putSync(logKey(sequence + 1), row)
    writeMeta(this.#tables, 'position', { sequence: sequence + 1, digest: chainDigest(digest, row) })
    return sequence + 1
  }
}

/**
 * False for refused entries, and for repeated dumps and states, which leave no entry in the log. So importing a dump
 * again has no effect at all.
 */
function isEffective(verdict: Verdict): boolean {
  return 'isEffective' in verdict ? verdict.isEffective : !REFUSALS.has(verdict.result)
}

/** Kinds of entries of which searches see no more than the pages that `PageIndexing` gets. */
const PAGES_ONLY: ReadonlySet<Entry['kind']> = new Set([
  'create',
  'edit',
  'move',
  'delete',
  'undelete',
  'restrict',
  'hide',
  'protect',
  'user',
  'token',
  'session',
])

/** Settings of the site change the names of pages, and the targets of redirects. Files bring pictures. */
function isSeenByIndexing(entry: Entry): boolean {
  const hasFile = 'file' in entry && entry.file !== undefined
  if (entry.kind !== 'upstream') return PAGES_ONLY.has(entry.kind) && !hasFile
  return entry.site === undefined && entry.interwiki === undefined && entry.files.length === 0
}

const REFUSALS: ReadonlySet<Verdict['result']> = new Set(['site-refused', 'elsewhere', 'following'])

/** The part of a verdict that the log keeps: everything except the outcomes of single pages of an import. */
function keptVerdict(verdict: Verdict): Verdict {
  if (verdict.result !== 'imported') return verdict
  const { outcomes: _outcomes, ...kept } = verdict
  return kept
}

// Takes in links again whose prefixes mean something else under new settings.

/** More pages wait for the bulk build. */
const PAGES_AT_ONCE = 1000

/**
 * Finds pages with links whose prefix became that of another wiki or of a namespace, or no longer is one, by their
 * targets. `before` are the rules before the change.
 */
function relinkPrefixes(context: WriteContext, before: LinkRules): void {
  const { tables, indexing } = context
  const after = rulesInForce(tables)
  if (after === before) return
  const reader = new LinkReader(tables)
  const pageIds = new Set<number>()
  for (const prefix of changedPrefixes(before, after)) {
    const title = capitalise(prefix.replaceAll(' ', '_'), after.namespaces.language)
    const [plain, away] = [`${title}:`, `${prefix}\t`]
    for (const { pageId } of reader.uses('link', MAIN, { from: plain, to: `${plain}\u{10ffff}` }))
      pageIds.add(pageId)
    for (const { pageId } of reader.uses('interwiki', MAIN, { from: away, to: `${away}\u{10ffff}` }))
      pageIds.add(pageId)
  }
  const ordered = [...pageIds].sort((one, other) => one - other)
  for (const pageId of ordered.slice(PAGES_AT_ONCE)) indexing.queue(pageId)
  for (const pageId of ordered.slice(0, PAGES_AT_ONCE)) indexing.relink(pageId)
}

function changedPrefixes(before: LinkRules, after: LinkRules): Set<string> {
  const changed = new Set<string>()
  const compare = (one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): void => {
    for (const prefix of one.keys()) if (!other.has(prefix)) changed.add(prefix)
  }
  compare(before.interwiki, after.interwiki)
  compare(after.interwiki, before.interwiki)
  for (const id of after.namespaces.ids())
    for (const name of after.namespaces.foldedNames(id))
      if (before.namespaces.idByName(name) !== id) changed.add(name)
  return changed
}
