/** `Store.log`: every entry that had an effect, in order, at positions from 1. Its beginning may be cut off. */
import { createHash, hash } from 'node:crypto'
import {
  decodeEntry,
  decodeEntryHead,
  type Entry,
  entryHash,
  type FileEntry,
  type LoggedEntry,
  type PlacedEntry,
  type Verdict,
} from './entries.js'
import { type Membership, type Position, readMeta, readPosition } from '../tables/meta.js'
import type { Pair } from '../rows/keys.js'
import type { Tables } from '../tables/tables.js'

/** Key of the log row at a position, from 1. */
export const logKey = (sequence: number): Pair => [Math.floor(sequence / 2 ** 32), sequence % 2 ** 32]
/** The position of the entry in a log row. */
export const sequenceOf = ([high, low]: Pair): number => high * 2 ** 32 + low

/**
 * The digest after an entry: SHA-256 over the digest before it and the SHA-256 of the entry. A redacted row has the
 * hash of its entry as it was, so it leads to the same digest.
 */
export function chainDigest(before: string, row: Buffer): string {
  return createHash('sha256').update(before).update(entryHash(row)).digest('hex')
}

/** Row of the table `entry`: the entry's position in the log, and its verdict. */
export function encodeEntryRow(sequence: number, verdict: Verdict): Buffer {
  const [high, low] = logKey(sequence)
  const place = Buffer.allocUnsafe(8)
  place.writeUInt32BE(low, place.writeUInt32BE(high, 0))
  return Buffer.concat([place, Buffer.from(JSON.stringify(verdict))])
}

/**
 * The id of a redacted entry: a hash of its own one. The id is random, so nobody who guesses the lost words can check
 * the guess with the entry's hash.
 */
export const veiledId = (entryId: string): string => hash('sha256', entryId).slice(0, entryId.length)

/** The row of an entry by its id, also after it was redacted. It may be a view. */
export const findEntryRow = ({ entry }: Tables, entryId: string): Buffer | undefined =>
  entry.getBinaryFast(entryId) ?? entry.getBinaryFast(veiledId(entryId))

/** The position in a row of the table `entry`. */
export const positionOf = (row: Buffer): number => sequenceOf([row.readUInt32BE(0), row.readUInt32BE(4)])

/** Tells if a row of the log has an entry that came before: its verdict is that of the first. */
export function isRepeat(tables: Tables, sequence: number, row: Buffer): boolean {
  const first = findEntryRow(tables, decodeEntryHead(row).id)
  return first !== undefined && positionOf(first) < sequence
}

export const decodeVerdict = (row: Buffer): Verdict =>
  JSON.parse(row.toString('utf8', 8, row.length)) as Verdict

/** What an entry says of a file. Null facts remove it. */
type StatedFile = Pick<FileEntry, 'dbkey' | 'facts'>

/** The last position that a store has applied. */
export interface LogMark extends Position {
  /** SHA-256 in hex of the entry there; undefined if the store has it no longer. */
  readonly entryHash?: string | undefined
}

export interface ListedEntry {
  readonly sequence: number
  readonly entry: LoggedEntry
  readonly verdict: Verdict | undefined
}

export class LogReader {
  readonly #tables: Tables

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** Positions of the first and last entry; 1 and 0 for an empty log. */
  bounds(): { readonly first: number; readonly last: number } {
    const { sequence: last } = readPosition(this.#tables)
    for (const key of this.#tables.log.getKeys({ start: logKey(0), limit: 1 })) {
      return { first: sequenceOf(key), last }
    }
    return { first: last + 1, last }
  }

  /** The entries after a position, in order, with their verdicts. */
  *list(after: number): Generator<ListedEntry> {
    for (const { key, value } of this.#tables.log.getRange({ start: logKey(after + 1) })) {
      const entry = decodeEntry(value)
      const row = findEntryRow(this.#tables, entry.id)
      yield { sequence: sequenceOf(key), entry, verdict: row && decodeVerdict(row) }
    }
  }

  /** At most `limit` entries after a position. Throws a StoreError when a row is damaged. */
  take(after: number, limit: number): PlacedEntry[] {
    const rows = [...this.#tables.log.getRange({ start: logKey(after + 1), limit })]
    const items = rows.map(({ key, value }) => ({
      sequence: sequenceOf(key),
      entry: decodeEntry(value),
      row: value,
    }))
    return items.filter(({ sequence }, n) => sequence === after + 1 + n)
  }

  /**
   * The entries of files among the next `limit` entries after a position, and the position of the last one looked at.
   * Texts of other entries are not unpacked.
   */
  takeFiles(after: number, limit: number): { readonly last: number; readonly files: readonly StatedFile[] } {
    let last = after
    const files: StatedFile[] = []
    for (const { key, value } of this.#tables.log.getRange({ start: logKey(after + 1), limit })) {
      last = sequenceOf(key)
      const head = decodeEntryHead(value)
      // Facts of files stand in the heads.
      if (head.kind === 'file') files.push(head as FileEntry)
      if (head.kind === 'upload') files.push((head as Extract<Entry, { kind: 'upload' }>).file)
    }
    return { last, files }
  }

  /** What a log must agree with to be the one that this store has applied. */
  mark(): LogMark {
    const position = readPosition(this.#tables)
    return { ...position, entryHash: this.hashAt(position.sequence) }
  }

  /** SHA-256 in hex of the entry at a position; undefined if the store does not have it, or no longer. */
  hashAt(sequence: number): string | undefined {
    const row = this.#tables.log.getBinary(logKey(sequence))
    return row && entryHash(row).toString('hex')
  }

  /** The verdict on an entry; undefined for one that the store has not applied. */
  getVerdict(entryId: string): Verdict | undefined {
    const row = findEntryRow(this.#tables, entryId)
    return row && decodeVerdict(row)
  }

  /** The digest of the log at a position: its end, or a newer one of a shared log. Undefined for others. */
  digestAt(sequence: number): string | undefined {
    const end = readPosition(this.#tables)
    if (sequence === end.sequence) return end.digest
    const membership = this.membership()
    if (sequence === membership?.sequence) return membership.digest
    return this.#tables.chain.getBinary(logKey(sequence))?.toString('hex')
  }

  /** The shared log from which the store takes its entries; undefined for a store with a log of its own. */
  membership(): Membership | undefined {
    return readMeta(this.#tables, 'membership')
  }

  /** The entry at a position. Throws a StoreError when its row is damaged. */
  getEntry(sequence: number): LoggedEntry | undefined {
    const bytes = this.#tables.log.getBinaryFast(logKey(sequence))
    return bytes === undefined ? undefined : decodeEntry(bytes)
  }
}
