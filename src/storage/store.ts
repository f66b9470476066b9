/** The store: opens the LMDB environment and answers reads. Writes go through apply/applier.ts alone. */
import { randomBytes } from 'node:crypto'
import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RootDatabase } from 'lmdb'
import type { FileFacts } from '../domain/file.js'
import type { HistoryFilter } from '../domain/revision.js'
import { Namespaces } from '../domain/namespaces.js'
import { interwikiMap, type InterwikiMap } from '../domain/interwiki.js'
import type { Site } from '../domain/site.js'
import type { Title } from '../domain/title.js'
import { ENCODER_VERSION } from '../index/text/encoder.js'
import type { Figure } from '../metrics/figures.js'
import { type LanguageLink, languageLinks } from '../render/languageLinks.js'
import { mediaLinks } from '../render/mediaLinks.js'
import { AccountReader } from './accountReader.js'
import { DiskFullError, StoreError } from './errors.js'
import { CheckedRows } from './rows/checkedRows.js'
import { DamageCount } from './rows/damageCount.js'
import { checkFile } from './file/checkFile.js'
import { findFile, listFiles, type NamedFile, readFile } from './files.js'
import {
  countEditorsBetween,
  countEditsBetween,
  listRevisions,
  type RevisionAnchor,
  type RevisionQuery,
  type RevisionSegment,
} from './history.js'
import { KeptHtml } from './keptHtml.js'
import { LogReader } from './logReader.js'
import { MAX_U32 } from './rows/keys.js'
import {
  type Counters,
  FORMAT_VERSION,
  type Position,
  raiseTally,
  readCounters,
  readFormat,
  readInterwikiChanges,
  readMeta,
  readPosition,
  readSite,
  readTally,
  type RunningImport,
  writeMeta,
} from './meta.js'
import {
  decodeHistoryRow,
  decodePageCounts,
  decodePageRow,
  type HistoryRow,
  type PageCounts,
  type PageEntry,
  type PageRow,
  revisionPageId,
  revisionTime,
  viewTitleRow,
} from './rows/rows.js'
import { getProtection, type ProtectionRow } from './protections.js'
import type { SealState } from './rows/sealedTable.js'
import { SearchIndex } from './search/searchIndex.js'
import { damagedRows, storeFigures } from './storeFigures.js'
import { applySession, type SessionChange } from './sessions.js'
import { formatFault } from './upgrade/formats.js'
import { openEnvironment, openTables, type Tables, WHOLE_TABLE } from './tables.js'
import { makeFolders } from './makeFolders.js'
import { readTextBytes } from './texts.js'

export { StoreError } from './errors.js'
export type { PageCounts, PageRow } from './rows/rows.js'

/** A page found by its id; never a deleted one. */
export interface PageSummary extends Omit<PageEntry, 'deleted'> {
  readonly pageId: number
}

/** A revision with its ready JSON; never one of a deleted page. */
export interface RevisionRow extends HistoryRow, RevisionAnchor {}

/** What is called at the start and at the end of every write transaction; what it throws ends the transaction. */
export interface WriteGuard {
  before(): void
  after(): void
}

/** Told before a write transaction asks for the lock, and when it has got it. */
export interface LockWatch {
  asks(): void
  got(): void
}

export interface OpenOptions {
  /** Makes a store where there is none. */
  readonly create?: boolean
  /** Room on the disk, in bytes, that is left alone: with less, nothing is written. */
  readonly leastFreeBytes?: number
  /** Told when this process waits for the write lock, from opening on. */
  readonly lockWatch?: LockWatch
}

/** Room for the largest batch of edits and more. */
const LEAST_FREE_BYTES = 32 * 2 ** 20

export class Store {
  /** 32 hex digits, made once with the store. */
  readonly storeId: string
  readonly path: string
  readonly tables: Tables
  readonly search: SearchIndex
  readonly accounts: AccountReader
  readonly html: KeptHtml
  readonly log: LogReader
  readonly #root: RootDatabase
  readonly #seals: SealState
  readonly #leastFreeBytes: number
  #site: Site
  /** Of the site, made when first asked for. */
  #interwiki: InterwikiMap | undefined
  #namespaces: Namespaces | undefined
  #closed = false
  #guard: WriteGuard | undefined
  readonly #lockWatch: LockWatch | undefined

  private constructor(
    path: string,
    root: RootDatabase,
    tables: Tables,
    storeId: string,
    {
      leastFreeBytes,
      lockWatch,
      seals,
    }: {
      readonly leastFreeBytes: number
      readonly lockWatch: LockWatch | undefined
      readonly seals: SealState
    },
  ) {
    this.#seals = seals
    this.path = path
    this.#lockWatch = lockWatch
    this.#leastFreeBytes = leastFreeBytes
    this.#root = root
    this.tables = tables
    this.storeId = storeId
    this.#site = readSite(tables)
    this.search = new SearchIndex(tables, this)
    this.accounts = new AccountReader(tables)
    this.html = new KeptHtml(this)
    this.log = new LogReader(tables)
  }

  /**
   * Opens the store in the folder `dataDir`; with `create`, makes it when there is none.
   * Throws a StoreError when there is none, when it is damaged at its beginning or too short, when it is of another
   * format, or when a process of another container that has the number of this one has it open. One open store per
   * process: LMDB does not bear a second one in the same process.
   */
  static open(
    dataDir: string,
    { create = false, leastFreeBytes = LEAST_FREE_BYTES, lockWatch }: OpenOptions = {},
  ): Store {
    const path = join(dataDir, 'store')
    const file = join(path, 'data.mdb')
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats !== undefined) {
      if (!stats.isFile()) throw new StoreError(`${file} is not a file: there is no wiki in ${dataDir}`)
      checkFile(file)
    } else {
      if (!create) {
        throw new StoreError(
          `there is no wiki in ${dataDir}: import one with "palimpsest import --data-dir ${dataDir} DUMP"`,
        )
      }
      makeFolders(path)
    }
    // lmdb takes the lock for each table that it opens.
    lockWatch?.asks()
    const root = openRoot(path)
    const afterFault = (): void => root.resetReadTxn()
    const seals = { damage: new DamageCount(), checked: new CheckedRows(), afterFault }
    const tables = openTables(root, seals)
    lockWatch?.got()
    try {
      const storeId = identify(root, tables, dataDir)
      return new Store(path, root, tables, storeId, { leastFreeBytes, lockWatch, seals })
    } catch (error) {
      seals.checked.close()
      void root.close()
      throw error instanceof TypeError ? sharedNumber(dataDir, error) : error
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#seals.checked.close()
    await this.#root.close()
  }

  /** The path of the store's file. */
  get file(): string {
    return join(this.path, 'data.mdb')
  }

  /** Site settings, as of opening or the last `reloadSite`. */
  site(): Site {
    return this.#site
  }

  /** The namespaces, as of the site settings. */
  namespaces(): Namespaces {
    return (this.#namespaces ??= new Namespaces(this.#site))
  }

  /** The interwiki map, as of the site settings. */
  interwiki(): InterwikiMap {
    return (this.#interwiki ??= interwikiMap(this.#site, readInterwikiChanges(this.tables)))
  }

  /** Reads the site settings again; true when they changed. */
  reloadSite(): boolean {
    const site = readSite(this.tables)
    if (JSON.stringify(site) === JSON.stringify(this.#site)) return false
    this.#site = site
    this.#interwiki = this.#namespaces = undefined
    return true
  }

  /**
   * Frees reader slots of processes that died; returns how many. Call it once a minute: a dead reader pins old pages.
   */
  checkReaders(): number {
    return this.#root.readerCheck()
  }

  /**
   * Runs `action` in one write transaction: all of its writes or, when it throws, none. On disk when it returns.
   * Raises the generation. Throws a DiskFullError, and does nothing, when the disk is all but full.
   */
  transact<T>(action: () => T): T {
    return this.transactDerived(() => {
      const result = action()
      raiseTally(this.tables, 'generation')
      return result
    })
  }

  /** As `transact`, for rows that are derived and that no ready answer depends on: the generation stays. */
  transactDerived<T>(action: () => T): T {
    this.#requireRoom()
    this.#lockWatch?.asks()
    return this.#root.transactionSync(() => {
      this.#lockWatch?.got()
      this.#guard?.before()
      const result = action()
      this.#guard?.after()
      return result
    })
  }

  /**
   * When a write to the disk fails, lmdb (3.5.6) puts a message of up to 130 bytes into 100 of the heap, and the
   * process ends in one of the next allocations. So it never comes to that. Takes a microsecond or two.
   */
  #requireRoom(): void {
    const { bavail, bsize } = statfsSync(this.path)
    if (bavail * bsize >= this.#leastFreeBytes) return
    const needed = Math.ceil(this.#leastFreeBytes / 2 ** 20)
    throw new DiskFullError(`the disk of ${this.path} has less than ${needed} MiB left: nothing is written`)
  }

  /** Lets a guard watch all write transactions of this process from now on; undefined: none. */
  guardWrites(guard: WriteGuard | undefined): void {
    this.#guard = guard
  }

  /**
   * Lets go of the snapshot that reads use, so that the next ones see all that was committed by any process; gives
   * back the store's generation, which every write transaction raises. Without it lmdb keeps a snapshot for a
   * millisecond or longer.
   */
  refresh(): number {
    this.#root.resetReadTxn()
    return readTally(this.tables, 'generation')
  }

  /** Holds the newest snapshot, whose pages are not written anew, until the function that it gives back is called. */
  holdSnapshot(): () => void {
    this.#root.resetReadTxn()
    const snapshot = this.#root.useReadTransaction()
    return () => snapshot.done()
  }

  /** Tells later whether all revisions that are there now still look as they do: edits leave them as they are. */
  watchPast(): () => boolean {
    const before = readTally(this.tables, 'pastChanges')
    return () => readTally(this.tables, 'pastChanges') === before
  }

  /** Size and readers, for its operator. */
  figures(): Figure[] {
    return [...storeFigures(this.#root, this.path), damagedRows(this.#seals.damage.value)]
  }

  /**
   * Why the store cannot be served as it is now; undefined when it can. Another process may have begun its first
   * import, or given it another format, since it was opened.
   */
  fault(): 'first import is under way' | 'format has changed' | undefined {
    if (readFormat(this.tables) !== FORMAT_VERSION) return 'format has changed'
    const running = this.runningImport()
    // All pages that there are come from the import that has not ended.
    const isFirst = running?.pages === readCounters(this.tables).pages
    return isFirst ? 'first import is under way' : undefined
  }

  /** Copies the store into the folder `target` while it is in use. */
  async backup(target: string): Promise<void> {
    const path = join(target, 'store')
    makeFolders(path)
    await this.#root.backup(path, true)
  }

  /** A page by its title. The row's buffers are views: use them in the same tick and before any other read. */
  getPage(namespace: number, dbkey: string): PageRow | undefined {
    const bytes = this.tables.title.getBinaryFast([namespace, dbkey])
    return bytes === undefined ? undefined : viewTitleRow(bytes)
  }

  getPageById(pageId: number): PageSummary | undefined {
    if (!isId(pageId)) return undefined
    const bytes = this.tables.page.getBinaryFast(pageId)
    if (bytes === undefined) return undefined
    const { deleted, ...page } = decodePageRow(bytes)
    return deleted ? undefined : { pageId, ...page }
  }

  getRevision(revisionId: number): RevisionRow | undefined {
    if (!isId(revisionId)) return undefined
    const rev = this.tables.rev.getBinaryFast(revisionId)
    if (rev === undefined) return undefined
    const pageId = revisionPageId(rev)
    const timestamp = revisionTime(rev)
    const page = this.tables.page.getBinaryFast(pageId)
    if (page === undefined)
      throw new StoreError(
        `revision ${revisionId} is of page ${pageId}, which is not found: run "palimpsest verify"`,
      )
    if (decodePageRow(page).deleted) return undefined
    const row = this.tables.history.getBinaryFast([pageId, timestamp, revisionId])
    if (row === undefined)
      throw new StoreError(`revision ${revisionId} has no history row: run "palimpsest verify"`)
    return { id: revisionId, pageId, timestamp, ...decodeHistoryRow(row) }
  }

  /** A segment of a page's history, newest first. */
  listRevisions(
    pageId: number,
    query: RevisionQuery & { filter?: HistoryFilter | undefined },
  ): RevisionSegment {
    return listRevisions(this.tables, pageId, query)
  }

  /** Whole-page counts of a page that the store has, kept as counters. */
  pageCounts(pageId: number): PageCounts {
    const bytes = this.tables.page.getBinaryFast(pageId)
    if (bytes === undefined) throw new StoreError(`page ${pageId} is not found: run "palimpsest verify"`)
    return decodePageCounts(bytes)
  }

  /**
   * When a part of a page's revisions was last hidden or shown here, in seconds since 1970; 0: never, as far as is
   * known.
   */
  hidingTime(pageId: number): number {
    const bytes = this.tables.page.getBinaryFast(pageId)
    return bytes === undefined ? 0 : decodePageRow(bytes).hidingTime
  }

  /** Revisions with visible text between two of the same page, both left out, in any order; stops at `cap`. */
  countEditsBetween(a: RevisionAnchor, b: RevisionAnchor, cap: number): number {
    return countEditsBetween(this.tables, a, b, cap)
  }

  /**
   * Different visible editors of the revisions between two of the same page, both left out; stops at `cap`.
   * Undefined when more than `maxRows` revisions would have to be read.
   */
  countEditorsBetween(
    a: RevisionAnchor,
    b: RevisionAnchor,
    cap: number,
    maxRows: number,
  ): number | undefined {
    return countEditorsBetween(this.tables, a, b, cap, maxRows)
  }

  /** Text of a revision, or undefined when it is hidden or there is no such revision. */
  getText(revisionId: number): string | undefined {
    const revision = this.getRevision(revisionId)
    if (revision === undefined || revision.textHidden) return undefined
    const bytes = readTextBytes(this.tables, revisionId)
    if (bytes === undefined)
      throw new StoreError(`revision ${revisionId} has no text: run "palimpsest verify"`)
    return bytes.toString()
  }

  /** Titles of a namespace. Walks over them: for 100,000 it takes some milliseconds. */
  countTitles(namespace: number): number {
    if (namespace < 0) return 0
    return this.tables.title.getKeysCount({ start: [namespace, ''], end: [namespace + 1, ''] })
  }

  /** The first title by namespace and dbkey; undefined when there are no pages. */
  firstTitle(): Title | undefined {
    for (const [namespace, dbkey] of this.tables.title.getKeys({ ...WHOLE_TABLE, limit: 1 }))
      return { namespace, dbkey }
    return undefined
  }

  /** The protection of a title, of a page or of none, in force at a time in seconds since 1970. */
  getProtection({ namespace, dbkey }: Title, time: number): ProtectionRow {
    return getProtection(this.tables, [namespace, dbkey], time)
  }

  /** Totals, and the next ids. */
  counters(): Counters {
    return readCounters(this.tables)
  }

  /** Where the log ends. */
  position(): Position {
    return readPosition(this.tables)
  }

  /** The import that has begun to write and has not ended. */
  runningImport(): RunningImport | undefined {
    return readMeta(this.tables, 'import') ?? undefined
  }

  /** Opens or closes a session. Sessions are derived: no entry says so. */
  changeSession(change: SessionChange): void {
    this.transactDerived(() => applySession(this.tables, change))
  }

  /** All files in the order of their names, by the bytes of UTF-8. */
  listFiles(): Iterable<NamedFile> {
    return listFiles(this.tables)
  }

  /** What is known of a file, by the dbkey of its page in the namespace File. */
  getFile(dbkey: string): FileFacts | undefined {
    return readFile(this.tables, dbkey)
  }

  /**
   * Language links of a page's own text, by code; none for an unknown page. What templates bring is not among them.
   * They are read out of the latest text each time: few ask for them, and kept ready they took a quarter of an import.
   * Takes about 0.1 ms for a text of 20 kB.
   */
  languageLinks(pageId: number): LanguageLink[] {
    const latest = this.getRevision(this.getPageById(pageId)?.latestId ?? 0)
    if (latest?.contentModel !== 'wikitext') return []
    return this.languageLinksIn(this.getText(latest.id) ?? '')
  }

  /** Language links of a wikitext whose templates are expanded, by code. */
  languageLinksIn(wikitext: string): LanguageLink[] {
    const { language } = this.#site
    return languageLinks(wikitext, { namespaces: this.namespaces(), interwiki: this.interwiki(), language })
  }

  /**
   * Names of the files that a page's own text uses, whether they exist or not, in their order; at most `limit`. What
   * templates bring is not among them. Read out of the latest text each time, as language links are, and as fast.
   */
  mediaLinks(pageId: number, limit: number): string[] {
    const latest = this.getRevision(this.getPageById(pageId)?.latestId ?? 0)
    if (latest?.contentModel !== 'wikitext') return []
    return mediaLinks(this.getText(latest.id) ?? '', this.namespaces(), limit)
  }

  /** A file, also under a name that leads to it. */
  findFile(dbkey: string): NamedFile | undefined {
    return findFile(this.tables, this.namespaces(), dbkey)
  }

  /** How often any file has changed, and the newest time of a change, in seconds. */
  fileChanges(): { readonly count: number; readonly newest: number } {
    const { fileChanges, filesTime } = readCounters(this.tables)
    return { count: fileChanges, newest: filesTime }
  }
}

const isId = (id: number): boolean => Number.isInteger(id) && id >= 1 && id <= MAX_U32

/**
 * LMDB knows its readers by the numbers of their processes. A second one of the same number, which only another
 * container can have, gets no snapshot: lmdb tries for a while, and then trips over what it did not get.
 */
function sharedNumber(dataDir: string, cause: TypeError): StoreError {
  return new StoreError(
    `the store in ${dataDir} cannot be read: in another container a process with the number of this one ` +
      `(${process.pid}) has it open: run the command in that container, or end what runs there`,
    { cause },
  )
}

/** Checks the format of a store, or marks an empty environment as a store; returns its id. */
function identify(root: RootDatabase, tables: Tables, dataDir: string): string {
  // Only an empty environment needs a transaction: opening must not wait for another process's writes.
  const format = readFormat(tables) ?? root.transactionSync(() => initialise(tables))
  if (format !== FORMAT_VERSION) {
    throw new StoreError(formatFault(format, dataDir))
  }
  return readMeta(tables, 'storeId') ?? ''
}

/** Marks a new environment, unless another process was quicker; returns the format found or written. */
function initialise(tables: Tables): number {
  const format = readFormat(tables)
  if (format !== undefined) return format
  writeMeta(tables, 'storeId', randomBytes(16).toString('hex'))
  writeMeta(tables, 'index', { encoder: ENCODER_VERSION, set: 'a' })
  writeMeta(tables, 'format', FORMAT_VERSION)
  return FORMAT_VERSION
}

/** lmdb's errors have the system's number and text, but neither call nor path. */
function openRoot(path: string): RootDatabase {
  try {
    return openEnvironment(path)
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    throw new StoreError(
      `cannot open the store in ${path} for writing, which every command needs: ${cause.message}`,
      { cause },
    )
  }
}
