/**
 * What is particular to entries of a shared log. Every machine applies the same entries, so each decision here depends
 * on the log alone.
 *
 *     chain      position → 32 bytes digest of the log up to there, for the newest CHAIN_KEPT positions
 */
import { hash } from 'node:crypto'
import {
  decodeEntry,
  encodeEntry,
  type Entry,
  type LoggedEntry,
  type PlacedEntry,
  type Verdict,
} from '../entries/entries.js'
import { StoreError } from '../tables/errors.js'
import { logKey } from '../entries/logReader.js'
import { type Membership, type Position, readMeta, writeMeta } from '../tables/meta.js'
import type { Store } from '../store.js'
import type { Tables, TableWriter } from '../tables/tables.js'
import { isEntryId } from '../entries/entryFields.js'
import { ENTRY_KINDS, NEWEST_VERSION } from './entryKinds.js'
import { fileIdentity } from '../lease.js'

/** An author that is further behind than this cannot be told from one with another log. */
const CHAIN_KEPT = 10_000

/** This program is too old for the log. It applies nothing more until it is upgraded. */
export class TooNewError extends StoreError {
  override readonly name = 'TooNewError'
}

/** A change by other means than the shared log, which would part this store from those of the other machines. */
export class SharedStoreError extends StoreError {
  override readonly name = 'SharedStoreError'
}

/** Throws a SharedStoreError if the store takes its entries from a shared log. */
export function requireOwnLog(tables: Tables): void {
  if (readMeta(tables, 'membership') === undefined) return
  throw new SharedStoreError(
    'this store is a node of a cluster, so its changes go through the log of the cluster: ' +
      'give --log, or leave the cluster with "palimpsest cluster leave"',
  )
}

/** The entry of a record. Bytes that are no entry become one without effect, which keeps its place in the chain. */
export function readRecord(sequence: number, bytes: Buffer): PlacedEntry {
  const entry = decodeRecord(bytes)
  if (entry !== undefined) return { sequence, entry, row: bytes }
  const original = hash('sha256', bytes)
  const unreadable = {
    kind: 'unreadable',
    id: original.slice(0, 32),
    time: 0,
    original,
    verdict: { result: 'invalid', reason: 'the record is no entry' },
  } as unknown as LoggedEntry
  return { sequence, entry: unreadable, row: encodeEntry(unreadable) }
}

function decodeRecord(bytes: Buffer): LoggedEntry | undefined {
  try {
    const entry = decodeEntry(bytes)
    return isEntryId(entry.id) ? entry : undefined
  } catch {
    return undefined
  }
}

/**
 * The verdict on an entry of a shared log that must not be applied; undefined for others. Throws a TooNewError for an
 * entry that this program does not know.
 */
export function sharedVerdict(tables: Tables, entry: Entry): Verdict | undefined {
  if (entry.original !== undefined) return undefined
  const isTooNew =
    !Object.hasOwn(ENTRY_KINDS, entry.kind) || (entry.kind === 'gate' && entry.version > NEWEST_VERSION)
  if (isTooNew)
    throw new TooNewError(
      `the log has entries of a newer version of this program (${entry.kind}): upgrade this machine`,
    )
  if (ENTRY_KINDS[entry.kind].isPlaceOnly)
    return { result: 'invalid', reason: `kind "${entry.kind}" cannot be shared` }
  return hasSeenThisLog(tables, entry.seen) ? undefined : { result: 'forked' }
}

function hasSeenThisLog(tables: Tables, seen: Position | undefined): boolean {
  const membership = readMeta(tables, 'membership')
  if (seen === undefined || membership === undefined) return true
  if (seen.sequence === membership.sequence) return seen.digest === membership.digest
  return tables.chain.getBinary(logKey(seen.sequence))?.toString('hex') === seen.digest
}

/** Remembers the digest at a new end of the log. */
export function keepChain(tables: Tables, { sequence, digest }: Position): void {
  tables.chain.putSync(logKey(sequence), Buffer.from(digest, 'hex'))
  if (sequence > CHAIN_KEPT) tables.chain.removeSync(logKey(sequence - CHAIN_KEPT))
}

/** Makes the store a node of the cluster with this log. Throws a SharedStoreError if it already is one. */
export function joinLog(store: TableWriter, origin: Omit<Membership, 'version'>): void {
  store.transact(() => {
    requireOwnLog(store.tables)
    writeMeta(store.tables, 'membership', { ...origin, version: NEWEST_VERSION })
    store.tables.meta.removeSync('founding')
  })
}

/** Gives the store its own log again. It keeps all entries. */
export function leaveLog(store: TableWriter): void {
  const { tables } = store
  store.transact(() => {
    tables.meta.removeSync('membership')
    tables.meta.removeSync('applying')
    for (const key of [...tables.chain.getKeys({ start: undefined })]) tables.chain.removeSync(key)
  })
}

/**
 * The name of the log that a store is about to make, when it founds a cluster: `epoch`, or that of an earlier attempt
 * of this very store, which failed. A copy of the store has no earlier attempt.
 */
export function foundingEpoch(store: Store, epoch: string): string {
  const { tables } = store
  const file = fileIdentity(store)
  return store.transactDerived(() => {
    const before = readMeta(tables, 'founding')
    if (before?.file === file) return before.epoch
    writeMeta(tables, 'founding', { epoch, file })
    return epoch
  })
}
