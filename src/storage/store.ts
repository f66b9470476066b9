/** The store: opens the LMDB environment and answers reads. Writes go through apply/applier.ts alone. */
import { join } from 'node:path'
import type { RootDatabase } from 'lmdb'
import type { FileFacts } from '../domain/file.js'
import type { HistoryFilter } from '../domain/revision.js'
import { Namespaces } from '../domain/namespaces.js'
import { interwikiMap, type InterwikiMap } from '../domain/interwiki.js'
import type { Site } from '../domain/site.js'
import type { Title } from '../domain/title.js'
import type { Figure } from '../metrics/figures.js'
import { AccountReader } from './accounts/accountReader.js'
import { CategoryReader } from './categories/categoryReader.js'
import { ChangeReader } from './changes/changeReader.js'
import { deletedUnder, readDeleted } from './changes/madeEvents.js'
import { LogEventReader } from './changes/logEventReader.js'
import { ColdReads } from './tables/coldReads.js'
import { StoreError } from './tables/errors.js'
import type { TableRange } from './tables/damagedRanges.js'
import {
  deletedFiles,
  filesWithContents,
  type FileSlice,
  findFile,
  keptFiles,
  keptFilesInSlices,
  listFiles,
  type NamedFile,
  readFile,
  readOwnFile,
  walkFiles,
} from './pages/files.js'
import {
  countEditorsBetween,
  countEditsBetween,
  listRevisions,
  type RevisionAnchor,
  type RevisionQuery,
  type RevisionSegment,
} from './pages/history.js'
import { KeptHtml } from './html/keptHtml.js'
import { LinkReader } from './links/linkReader.js'
import { LogReader } from './entries/logReader.js'
import { isId } from './rows/keys.js'
import { PageLinks } from './pages/pageLinks.js'
import {
  type ListedPage,
  listedPages,
  PageLists,
  rangesWithPages,
  type TitleRange,
} from './pages/pageLists.js'
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
} from './tables/meta.js'
import {
  decodeHistoryRow,
  decodePageCounts,
  decodePageRow,
  type HistoryRow,
  type PageCounts,
  type NumberedPage,
  type PageRow,
  revisionPageId,
  revisionTime,
  viewTitleRow,
} from './rows/rows.js'
import { getProtection, type ProtectionRow, walkProtections } from './pages/protections.js'
import type { SealState } from './tables/sealedTable.js'
import { SearchIndex } from './search/searchIndex.js'
import { damageFigures, storeFigures } from './storeFigures.js'
import { applySession, type SessionChange } from './accounts/accounts.js'
import { closeOpened, type OpenedStore, openStore, type OpenStoreOptions } from './openStore.js'
import { ImportedLinks } from './sqlTables/importedLinks.js'
import type { Tables } from './tables/tables.js'
import { type TransactionOptions, Transactions, type WriteGuard } from './tables/transactions.js'
import { makeFolders } from '../runtime/makeFolders.js'
import { decodeBinaryText, readBinaryText } from './pages/texts.js'
import { mirrorFigure } from './upstream/place.js'
import { newChanges, type NewChanges } from './upstream/newChanges.js'
import { MirrorReader } from './upstream/mirrorReader.js'

export { StoreError } from './tables/errors.js'
export type { PageCounts, PageRow } from './rows/rows.js'

/** A page found by its id. Deleted pages are not found, unless a function says so. */
export type PageSummary = NumberedPage

/** A revision with its ready JSON. Revisions of deleted pages are not found. */
export interface RevisionRow extends HistoryRow, RevisionAnchor {}

export type OpenOptions = TransactionOptions & OpenStoreOptions

export class Store {
  /** 32 hex digits, made once with the store. */
  readonly storeId: string
  readonly path: string
  /** The path of the store's file. */
  readonly file: string
  readonly tables: Tables
  readonly search: SearchIndex
  readonly accounts: AccountReader
  readonly html: KeptHtml
  readonly categories: CategoryReader
  readonly log: LogReader
  readonly links: PageLinks
  readonly pageLinks: LinkReader
  readonly changes: ChangeReader
  readonly logEvents: LogEventReader
  readonly imported: ImportedLinks
  readonly lists: PageLists
  readonly mirror: MirrorReader
  readonly coldReads: ColdReads
  readonly #root: RootDatabase
  readonly #seals: SealState
  readonly #transactions: Transactions
  #site: Site
  /** Built from the site settings on first use. */
  #interwiki: InterwikiMap | undefined
  #namespaces: Namespaces | undefined
  #closed = false

  private constructor({ path, root, tables, seals, storeId }: OpenedStore, options: OpenOptions) {
    this.path = path
    this.file = join(path, 'data.mdb')
    this.tables = tables
    this.storeId = storeId
    this.#root = root
    this.#seals = seals
    this.#transactions = new Transactions(root, path, options)
    this.#site = readSite(tables)
    this.search = new SearchIndex(tables, this)
    this.accounts = new AccountReader(tables)
    this.html = new KeptHtml(this)
    this.categories = new CategoryReader(tables)
    this.log = new LogReader(tables)
    this.links = new PageLinks(this)
    this.pageLinks = new LinkReader(tables)
    this.changes = new ChangeReader(tables)
    this.logEvents = new LogEventReader(tables)
    this.imported = new ImportedLinks(this)
    this.lists = new PageLists(this)
    this.mirror = new MirrorReader(tables)
    this.coldReads = new ColdReads(seals.cold)
  }

  /**
   * Opens the store in the folder `dataDir`, or creates it if `create` is set.
   * Throws a StoreError if:
   * - the store does not exist, or its file is too short or damaged at its beginning
   * - the store has another format
   * - a process with the same process id, in another container, has it open
   *
   * A process may open only one store at a time: LMDB does not support a second one.
   */
  static open(dataDir: string, options: OpenOptions = {}): Store {
    const opened = openStore(dataDir, options)
    try {
      return new Store(opened, options)
    } catch (error) {
      void closeOpened(opened)
      throw error
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.coldReads.close()
    await closeOpened({ root: this.#root, seals: this.#seals })
  }

  /** The site settings as they were at opening or at the last `reloadSite`. */
  site(): Site {
    return this.#site
  }

  /** The namespaces of `site()`. */
  namespaces(): Namespaces {
    return (this.#namespaces ??= new Namespaces(this.#site))
  }

  /** The interwiki map of `site()`. */
  interwiki(): InterwikiMap {
    return (this.#interwiki ??= interwikiMap(this.#site, readInterwikiChanges(this.tables)))
  }

  /** Reads the site settings again. Returns whether they changed. */
  reloadSite(): boolean {
    const site = readSite(this.tables)
    if (JSON.stringify(site) === JSON.stringify(this.#site)) return false
    this.#site = site
    this.#interwiki = this.#namespaces = undefined
    return true
  }

  /**
   * Frees the reader slots of dead processes, and returns how many it freed. Call it once a minute: a dead reader keeps
   * LMDB from reusing old pages.
   */
  readonly checkReaders = (): number => this.#root.readerCheck()

  /**
   * Runs `action` in one write transaction, which is on disk on return. If `action` throws, nothing is written. Raises
   * the generation. Throws a DiskFullError before it writes anything if the disk is nearly full.
   */
  transact<T>(action: () => T): T {
    return this.transactDerived(() => {
      const result = action()
      raiseTally(this.tables, 'generation')
      return result
    })
  }

  /** Like `transact`, for derived rows that no ready answer depends on. It does not raise the generation. */
  readonly transactDerived = <T>(action: () => T): T => this.#transactions.run(action)

  /** Sets the guard of all later write transactions of this process; undefined removes it. */
  guardWrites(guard: WriteGuard | undefined): void {
    this.#transactions.guard = guard
  }

  /**
   * Releases the read snapshot, so that the next reads see everything that any process has committed. Otherwise lmdb
   * keeps a snapshot for a millisecond or longer. Returns the generation, which every `transact` raises.
   */
  refresh(): number {
    this.#root.resetReadTxn()
    return this.generation()
  }

  /** The generation of the present snapshot. */
  readonly generation = (): number => readTally(this.tables, 'generation')

  /** Releases the read snapshot until the next read. For a thread that is about to sleep without its event loop. */
  readonly release = (): void => this.#root.resetReadTxn()

  /**
   * Declares ranges of keys damaged: from now on no thread of this process reads or writes them through LMDB. Call it
   * in one thread only.
   */
  avoid(ranges: readonly TableRange[]): void {
    this.#seals.ranges.replace(ranges)
  }

  /** Holds the newest snapshot until the returned function is called. LMDB reuses none of its pages meanwhile. */
  holdSnapshot(): () => void {
    this.#root.resetReadTxn()
    const snapshot = this.#root.useReadTransaction()
    return () => snapshot.done()
  }

  /**
   * Runs `action` while no process writes to the store. It gets the oldest snapshot that a reader holds, by the number
   * of its transaction: Infinity if there is none. It must not write rows.
   */
  readonly whileUnwritten = <T>(action: (oldestSnapshot: number) => T): T =>
    this.#transactions.whileUnwritten(action)

  /**
   * Returns a function that tells whether all present revisions still look as they do now. Edits do not change that.
   */
  watchPast(): () => boolean {
    const before = readTally(this.tables, 'pastChanges')
    return () => readTally(this.tables, 'pastChanges') === before
  }

  /** Size and readers, as metrics. */
  figures(): Figure[] {
    const read = [...damageFigures(this.#seals), ...this.coldReads.figures()]
    return [...storeFigures(this.#root, this.#transactions), ...read, mirrorFigure(this.tables)]
  }

  /** Why nothing can be written at present, as on a full disk; undefined if it can. */
  readonly writeFault = (): StoreError | undefined => this.#transactions.fault()

  /**
   * Why the store cannot be served at present; undefined if it can. Since this process opened the store, another one
   * may have begun the first import or changed the format.
   */
  readonly fault = (): 'first import is under way' | 'format has changed' | undefined => {
    if (readFormat(this.tables) !== FORMAT_VERSION) return 'format has changed'
    const running = readMeta(this.tables, 'import') ?? undefined
    // Every page comes from the running import, so it is the first one.
    return running?.pages === this.counters().pages ? 'first import is under way' : undefined
  }

  /** Copies the store into the folder `target` while it is in use. */
  async backup(target: string): Promise<void> {
    const path = join(target, 'store')
    makeFolders(path)
    await this.#root.backup(path, true)
  }

  /**
   * A page by its title; special pages have none. The row's buffers are views: use them in the same tick and before any
   * other read.
   */
  getPage(namespace: number, dbkey: string): PageRow | undefined {
    if (namespace < 0) return undefined
    const bytes = this.tables.title.getBinaryFast([namespace, dbkey])
    return bytes === undefined ? undefined : viewTitleRow(bytes)
  }

  getPageByTitle({ namespace, dbkey }: Title): PageSummary | undefined {
    const row = this.getPage(namespace, dbkey)
    return row && this.getPageById(row.pageId)
  }

  getPageById(pageId: number): PageSummary | undefined {
    if (!isId(pageId)) return undefined
    const bytes = this.tables.page.getBinaryFast(pageId)
    if (bytes === undefined) return undefined
    const { deleted, ...page } = decodePageRow(bytes)
    return deleted ? undefined : { pageId, ...page }
  }

  /** A page that was deleted, by its id. */
  getDeletedPage(pageId: number): PageSummary | undefined {
    return isId(pageId) ? readDeleted(this.tables, pageId) : undefined
  }

  /** Pages that were deleted here under a title, the one that was deleted last first. */
  readonly deletedUnder = (title: Title): PageSummary[] => deletedUnder(this.tables, title)

  /** What at most `limit` entries of the log after a position changed. */
  newChanges(after: number, limit: number): NewChanges {
    return newChanges(this.tables, after, limit)
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

  /** Counters of a whole page, which the store must have. */
  pageCounts(pageId: number): PageCounts {
    const bytes = this.tables.page.getBinaryFast(pageId)
    if (bytes === undefined) throw new StoreError(`page ${pageId} is not found: run "palimpsest verify"`)
    return decodePageCounts(bytes)
  }

  /**
   * When an entry last hid or showed a part of one of the page's revisions, in seconds since 1970. 0 means never, as
   * far as the store knows.
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
   * Number of distinct visible editors of the revisions between two of the same page, without these two. Stops at
   * `cap`. Undefined if it would read more than `maxRows` revisions.
   */
  countEditorsBetween(
    a: RevisionAnchor,
    b: RevisionAnchor,
    cap: number,
    maxRows: number,
  ): number | undefined {
    return countEditorsBetween(this.tables, a, b, cap, maxRows)
  }

  /** Text of a revision; undefined if it is hidden or the revision does not exist. */
  getText(revisionId: number): string | undefined {
    return decodeBinaryText(this.#binaryText(revisionId))
  }

  /** Texts of two revisions, as by `getText`. For revisions of one page that is faster than reading each. */
  getTexts(one: number, other: number): [string | undefined, string | undefined] {
    // Newer revisions mostly have higher ids.
    const [older, newer] = one < other ? [one, other] : [other, one]
    const newerText = this.#binaryText(newer)
    const read = newerText === undefined ? undefined : { id: newer, text: newerText }
    const ofOlder = decodeBinaryText(this.#binaryText(older, read))
    const ofNewer = decodeBinaryText(newerText)
    return one < other ? [ofOlder, ofNewer] : [ofNewer, ofOlder]
  }

  #binaryText(
    revisionId: number,
    newer?: { readonly id: number; readonly text: string },
  ): string | undefined {
    const revision = this.getRevision(revisionId)
    if (revision === undefined || revision.textHidden) return undefined
    const text = readBinaryText(this.tables, revisionId, newer)
    if (text === undefined)
      throw new StoreError(`revision ${revisionId} has no text: run "palimpsest verify"`)
    return text
  }

  /** Number of titles in a namespace. It walks over them, which takes some milliseconds for 100,000. */
  countTitles(namespace: number): number {
    if (namespace < 0) return 0
    return this.tables.title.getKeysCount({ start: [namespace, ''], end: [namespace + 1, ''] })
  }

  /** See `listedPages`. */
  readonly listedPages = (from: number, end: number): ListedPage[] => listedPages(this.tables, from, end)

  /** See `rangesWithPages`. */
  readonly rangesWithPages = (size: number): number[] =>
    rangesWithPages(this.tables, size, this.counters().nextPageId)

  /** The protection of a title at `time`, in seconds since 1970. The page need not exist. */
  getProtection({ namespace, dbkey }: Title, time: number): ProtectionRow {
    return getProtection(this.tables, [namespace, dbkey], time)
  }

  /** Titles with a protection, which may have ended: see `walkProtections`. */
  *protectedTitles(from: Title | undefined, descending: boolean): Generator<Title, void> {
    const start = from && ([from.namespace, from.dbkey] as const)
    for (const [namespace, dbkey] of walkProtections(this.tables, start, descending))
      yield { namespace, dbkey }
  }

  /** Totals, and the next free ids. */
  readonly counters = (): Counters => readCounters(this.tables)

  /** Where the log ends. */
  readonly position = (): Position => readPosition(this.tables)

  /** The import that has begun to write and has not ended. */
  runningImport(): RunningImport | undefined {
    return readMeta(this.tables, 'import') ?? undefined
  }

  /** Opens or closes a session. Sessions are derived rows, so no log entry records it. */
  changeSession(change: SessionChange): void {
    this.transactDerived(() => applySession(this.tables, change))
  }

  /** All files but those that only an imported SQL table names, ordered by the UTF-8 bytes of their names. */
  listFiles(slice?: FileSlice): Iterable<NamedFile> {
    return listFiles(this.tables, slice)
  }

  /** Files that were deleted with their pages, and can come back: their contents are kept. */
  deletedFiles(): Iterable<NamedFile> {
    return deletedFiles(this.tables)
  }

  /** Files whose contents are kept: those of `listFiles`, and then the deleted ones. */
  readonly keptFiles = (): Iterable<NamedFile> => keptFiles(this.tables)

  /** The same in slices, between which the store may be refreshed. */
  readonly keptFilesInSlices = (limit: number): Iterable<readonly NamedFile[]> =>
    keptFilesInSlices(this.tables, limit)

  /** Whether a file was deleted with a page, and comes back with it. */
  isFileDeletedWith(pageId: number): boolean {
    return this.tables.deletedFile.doesExist(pageId)
  }

  /** The same in a range of names, or the other way round, with the facts in force. End the walk early. */
  readonly walkFiles = (range: TitleRange): Generator<NamedFile, void> => walkFiles(this.tables, range)

  /** The facts of a file, by the dbkey of its page in the namespace File. */
  getFile(dbkey: string): FileFacts | undefined {
    return readFile(this.tables, dbkey)
  }

  /** The facts of the store's own row, without those of imported tables. */
  getOwnFile(dbkey: string): FileFacts | undefined {
    return readOwnFile(this, dbkey)
  }

  /** Names of at most `limit` files with some contents. It reads all rows, a million in two seconds. */
  filesWithContents(sha1: string, limit: number): string[] {
    return filesWithContents(this.tables, sha1, limit)
  }

  /** A file by its name, or by the name of a redirect to it. */
  findFile(dbkey: string): NamedFile | undefined {
    return findFile(this.tables, this.namespaces(), dbkey)
  }

  /** How often files have changed, and the time of the newest change in seconds since 1970. */
  fileChanges(): { readonly count: number; readonly newest: number } {
    const { fileChanges, filesTime } = readCounters(this.tables)
    return { count: fileChanges, newest: filesTime }
  }
}
