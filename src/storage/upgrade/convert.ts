/**
 * Converts a store of format 2 into a new one of today's format, which differs in five ways:
 *
 *     all tables    rows end with a seal
 *     history       a flag marks revisions that were saved here; in format 2 only the log tells
 *     page          has the time when a part of a revision was last hidden or shown here; in format 2 only the log
 *                   has it
 *     log           its chain is over hashes of the entries
 *     index         there are two sets of tables; the index is built again, and HTML is made again on request
 */
import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { Key, RootDatabase } from 'lmdb'
import { PROJECT, PROJECT_TALK } from '../../domain/namespaceIds.js'
import { decodeEntryHead, type Entry, type Verdict } from '../entries.js'
import { DiskFullError } from '../errors.js'
import { rewritePages } from '../apply/renamePages.js'
import { makeFolders } from '../makeFolders.js'
import { FORMAT_VERSION, readMeta } from '../meta.js'
import { historyKey, u32Key } from '../rows/keys.js'
import { decodePageRow, encodePageRow, revisionPageId, viewTitleRow, withMadeHere } from '../rows/rows.js'
import { hashBytes, sealed, tableHash } from '../rows/seal.js'
import { Store } from '../store.js'
import { DIGESTED_TABLES, openEnvironment, type Tables } from '../tables.js'
import { chainedPosition } from './chain.js'
import type { OldStore } from './oldStore.js'

/** Tables to copy. Those of the index and of HTML are left out. `meta` is last, since it has the format. */
const CONVERTED = [...DIGESTED_TABLES, 'text', 'session', 'meta'] as const
/** Rows of `meta` that belong to tables left out, or to the old file. */
const LEFT_OUT: ReadonlySet<string> = new Set(['format', 'position', 'index', 'renderings', 'lease'])
const BATCH_BYTES = 16 * 2 ** 20
/** Allows for seals, and for a new index that is larger than the old one. */
const ROOM_FACTOR = 1.2
const ROOM_BYTES = 64 * 2 ** 20

/** Most bytes of free disk space that a conversion may need. */
export const roomFor = (old: OldStore): number => Math.ceil(old.usedBytes * ROOM_FACTOR) + ROOM_BYTES

/** Throws a DiskFullError if the store's disk has no room for a second store. */
export function requireRoom(old: OldStore): void {
  const { bavail, bsize } = statfsSync(old.path)
  const [needed, free] = [roomFor(old), bavail * bsize].map((bytes) => Math.ceil(bytes / 2 ** 20)) as [
    number,
    number,
  ]
  if (free < needed)
    throw new DiskFullError(
      `the upgrade needs up to ${needed} MiB of room beside ${old.path}, which has ${free} MiB`,
    )
}

/**
 * Writes all rows of a store into a new one in the folder `target`, which must be empty. The new store has no search
 * index yet. `onProgress` gets numbers of rows. Returns problems of the old log, whose chain the new store does not
 * have.
 */
export async function convertStore(
  old: OldStore,
  target: string,
  onProgress: (done: number, total: number) => void,
): Promise<string[]> {
  const path = join(target, 'store')
  makeFolders(path)
  const environment = openEnvironment(path)
  let problems: string[]
  try {
    problems = new Conversion(old, environment, onProgress).run()
  } finally {
    await environment.close()
  }
  await nameProjectPages(target)
  return problems
}

/** Facts that in format 2 only the log has. */
interface LoggedFacts {
  /** Ids of the revisions that were saved here. */
  readonly saved: ReadonlySet<number>
  /** page id → seconds since 1970 when a part of a revision was last hidden or shown here. */
  readonly hidingTimes: ReadonlyMap<number, number>
}

class Conversion {
  readonly #old: OldStore
  readonly #environment: RootDatabase
  readonly #onProgress: (done: number, total: number) => void
  readonly #total: number
  #done = 0

  constructor(old: OldStore, environment: RootDatabase, onProgress: (done: number, total: number) => void) {
    this.#old = old
    this.#environment = environment
    this.#onProgress = onProgress
    this.#total = CONVERTED.reduce((sum, name) => sum + old.countRows(name), 0)
  }

  run(): string[] {
    const facts = readFacts(this.#old)
    for (const name of CONVERTED) this.#convert(name, facts)
    const { position, problems } = chainedPosition(this.#old)
    this.#writeAll('meta', [
      row('format', FORMAT_VERSION),
      row('position', position),
      // No encoder version: the index is empty and cannot be searched.
      row('index', { encoder: 0, set: 'a' }),
    ])
    return problems
  }

  #convert(name: (typeof CONVERTED)[number], facts: LoggedFacts): void {
    let batch: RowOfBatch[] = []
    let bytes = 0
    for (const { key, value } of this.#old.rows(name)) {
      if (name === 'meta' && LEFT_OUT.has(key.toString())) continue
      batch.push({ key, value: converted(name, key, value, facts) })
      bytes += key.length + value.length
      if (bytes < BATCH_BYTES) continue
      this.#writeAll(name, batch)
      batch = []
      bytes = 0
    }
    this.#writeAll(name, batch)
  }

  #writeAll(name: string, rows: readonly RowOfBatch[]): void {
    const table = this.#environment.openDB<Buffer, Key>(name, { encoding: 'binary', keyEncoding: 'binary' })
    const ofTable = tableHash(name)
    this.#environment.transactionSync(() => {
      for (const { key, value } of rows)
        table.putSync(key, sealed(hashBytes(ofTable, key, 0, key.length), value))
    })
    this.#done += rows.length
    this.#onProgress(Math.min(this.#done, this.#total), this.#total)
  }
}

interface RowOfBatch {
  readonly key: Buffer
  readonly value: Buffer
}

const row = (name: string, value: unknown): RowOfBatch => ({
  key: Buffer.from(name),
  value: Buffer.from(JSON.stringify(value)),
})

function converted(name: string, key: Buffer, value: Buffer, { saved, hidingTimes }: LoggedFacts): Buffer {
  if (name === 'history')
    return saved.has(historyKey.readKey(key, 0, key.length)[2]) ? withMadeHere(value) : value
  const hidingTime = name === 'page' ? hidingTimes.get(u32Key.readKey(key, 0, key.length)) : undefined
  return hidingTime === undefined ? value : encodePageRow({ ...decodePageRow(value), hidingTime })
}

/** An entry that hid or showed a part of a revision. */
interface Hiding {
  readonly revisionId: number
  readonly time: number
}

function readFacts(old: OldStore): LoggedFacts {
  const hidings = new Map<string, Hiding>()
  for (const { value } of old.rows('log')) {
    const entry = decodeEntryHead(value) as Pick<Entry, 'id' | 'kind'> & Hiding
    if (entry.kind === 'hide') hidings.set(entry.id, entry)
  }
  const saved = new Set<number>()
  const done = new Set<string>()
  for (const { key, value } of old.rows('entry')) {
    const verdict = JSON.parse(value.toString('utf8', 8)) as Verdict
    if (verdict.result === 'saved') saved.add(verdict.revisionId)
    if (verdict.result === 'done' && hidings.has(key.toString())) done.add(key.toString())
  }
  const effective = [...hidings].filter(([id]) => done.has(id)).map(([, hiding]) => hiding)
  return { saved, hidingTimes: hidingTimes(old, effective) }
}

/** `hidings` are in the order of the log. The last one of a page counts. */
function hidingTimes(old: OldStore, hidings: readonly Hiding[]): Map<number, number> {
  const pages = new Map<number, number>()
  const wanted = new Set(hidings.map(({ revisionId }) => revisionId))
  for (const { key, value } of wanted.size === 0 ? [] : old.rows('rev')) {
    const revisionId = u32Key.readKey(key, 0, key.length)
    if (wanted.has(revisionId)) pages.set(revisionId, revisionPageId(value))
  }
  const times = new Map<number, number>()
  for (const { revisionId, time } of hidings) {
    const pageId = pages.get(revisionId)
    if (pageId !== undefined) times.set(pageId, time)
  }
  return times
}

/**
 * Renames pages of the project namespace. Since format 2, that namespace is named after the site if no dump names it.
 */
async function nameProjectPages(target: string): Promise<void> {
  const store = Store.open(target)
  try {
    const { tables } = store
    const isNamedBySite = readMeta(tables, 'dumpSite') === undefined
    const pageIds = isNamedBySite ? listPages(tables, [PROJECT, PROJECT_TALK]) : []
    if (pageIds.length > 0) store.transactDerived(() => rewritePages(tables, pageIds, { indexLater: true }))
  } finally {
    await store.close()
  }
}

function listPages(tables: Tables, namespaces: readonly number[]): number[] {
  return namespaces.flatMap((namespace) =>
    Array.from(
      tables.title.getRange({ start: [namespace, ''], end: [namespace + 1, ''] }),
      ({ value }) => viewTitleRow(value).pageId,
    ),
  )
}
