/** Reads MediaWiki XML dumps, snapshots of rendered pages and SQL tables into a store. */
import { SETTINGS } from '../../config/settings.js'
import { DumpError } from '../../dump/dumpError.js'
import { dumpName, type DumpSource, openDump } from '../../dump/openDump.js'
import { readDump } from '../../dump/readDump.js'
import { type RecognisedSource, recognise } from '../../dump/sql/readTables.js'
import type { SnapshotForm } from '../../dump/snapshot/readSnapshot.js'
import { Originals } from '../../files/originals.js'
import { Applier } from '../../storage/apply/applier.js'
import type { Store } from '../../storage/store.js'
import { FileProcesses } from '../../workers/files/fileProcesses.js'
import { type Display, SILENT } from './display.js'
import { DumpWriter } from '../../import/dumpWriter.js'
import { type ImportCounts, Importer, MAX_PART_BYTES, NO_COUNTS } from '../../import/importer.js'
import { requireNoCluster, requireNotFollowing, takeImportLock } from '../../import/importLock.js'
import type { ImportOptions } from './importOptions.js'
import { ImportProgress } from './importProgress.js'
import { NoticeLog, NoticeReport } from './noticeLog.js'
import { formatCount } from './progress.js'
import { importSnapshot } from './importSnapshot.js'
import { importTableFile } from './importTableFile.js'
import type { ImportResult } from './summary.js'
import { openStore } from '../openStore.js'
import { rebuild, ReindexError } from '../reindex/reindex.js'
import { UserError } from '../../runtime/userError.js'
import { buildIndex, finishBuild, IndexBuild } from '../../workers/index/indexBuild.js'
import { IndexReplacedError, type IndexTarget } from '../../storage/search/indexState.js'

/** Time limit for the inspection of one file. */
const INSPECT_TIMEOUT_MS = 30_000

/** A signal stopped the import. Everything written is consistent, and the same command continues. */
export class ImportInterrupted extends UserError {
  override readonly name = 'ImportInterrupted'

  constructor() {
    super('interrupted; run the same command again to go on')
  }
}

/**
 * Imports dumps one after the other, then snapshots, then SQL tables. Throws a DumpError for damaged or foreign input,
 * ImportRefused when a dump does not fit the store, and the signal's reason. The store then contains everything read
 * before, consistently.
 */
export async function importDumps(options: ImportOptions): Promise<ImportResult[]> {
  const { dataDir, paths, display = SILENT, reportPath } = options
  const store = openStore(dataDir, { create: true, readsApart: true })
  try {
    requireNoCluster(store)
    const unlock = takeImportLock(store, dataDir)
    try {
      const report = reportPath === undefined ? undefined : new NoticeReport(reportPath)
      try {
        const progress = new ImportProgress(display, paths)
        const results = await importAll(store, options, { display, progress, report })
        options.onImported?.(store.site())
        return results
      } finally {
        display.stop()
        report?.close()
      }
    } finally {
      unlock()
    }
  } finally {
    await store.close()
  }
}

interface Listeners {
  readonly display: Display
  readonly progress: ImportProgress
  readonly report: NoticeReport | undefined
}

async function importAll(
  store: Store,
  options: ImportOptions,
  listeners: Listeners,
): Promise<ImportResult[]> {
  const results: ImportResult[] = []
  const opened: DumpSource[] = []
  const tables: DumpSource[] = []
  const snapshots: { readonly source: DumpSource; readonly snapshot: SnapshotForm }[] = []
  const indexing = new ImportIndexing(store, options, listeners.progress)
  const onWritten = (): void => indexing.more()
  try {
    const take = (result: ImportResult): void => {
      results.push(result)
      options.onResult?.(result)
    }
    for (const path of options.paths) {
      const dump = await open(path, options)
      opened.push(dump.source)
      if (dump.isSql) tables.push(dump.source)
      else if (dump.snapshot !== undefined) snapshots.push({ ...dump, snapshot: dump.snapshot })
      else take(await importDump(store, dump.source, options, { ...listeners, onWritten }))
    }
    // Rows of tables and HTML belong to pages, so the pages come first.
    const { report, display, progress } = listeners
    const print = (line: string): void => display.print(line)
    const { isShared = false, signal, batchBytes } = options
    const checkStop = (): void => signal?.throwIfAborted()
    const common = { print, report, progress, checkStop, onWritten }
    for (const { source, snapshot: form } of snapshots)
      take(await importSnapshot(store, source, { ...common, form, batchBytes }))
    for (const source of tables.toSorted(namesFirst))
      take(await importTableFile(store, source, { ...common, isShared }))
  } finally {
    for (const source of opened) await source.close()
    await finishIndex(indexing, options)
  }
  return results
}

/** Indexes the pages imported before a failure too. */
async function finishIndex(indexing: ImportIndexing, { onIndexed }: ImportOptions): Promise<void> {
  try {
    const lines = await indexing.finish()
    onIndexed?.(lines)
  } finally {
    await indexing.close()
  }
}

/** Other tables have numbers for the names in `linktarget`. */
const namesFirst = (one: DumpSource, other: DumpSource): number =>
  Number(other.name.includes('linktarget')) - Number(one.name.includes('linktarget'))

async function open(path: string, { onlyHtml = false, signal }: ImportOptions): Promise<RecognisedSource> {
  try {
    const dump = await recognise(await openDump(path, { signal }))
    if (!onlyHtml || dump.snapshot !== undefined) return dump
    await dump.source.close()
    const reason = 'is no snapshot of rendered pages: neither lines of JSON nor a tar archive'
    throw new DumpError(reason, { dumpName: dump.source.name })
  } catch (error) {
    throw explain(error, dumpName(path), NO_COUNTS)
  }
}

async function importDump(
  store: Store,
  source: DumpSource,
  options: ImportOptions,
  { display, progress, report, onWritten }: Listeners & { readonly onWritten: () => void },
): Promise<ImportResult> {
  requireNotFollowing(store)
  const start = performance.now()
  const { name } = source
  const applier = new Applier(store)
  const batchBytes = options.batchBytes ?? SETTINGS.batchBytes.default
  const notices = new NoticeLog(name, { print: (line) => display.print(line), report })
  const files = {
    store,
    applier,
    originals: new Originals(options.dataDir),
    processes: new FileProcesses({ processes: 1, timeoutMs: INSPECT_TIMEOUT_MS }),
    maxFileBytes: options.maxFileBytes ?? SETTINGS.maxFileBytes.default,
  }
  const tell = notices.add.bind(notices)
  const writer = new DumpWriter(store, applier, name)
  const importer = new Importer(store, writer, { batchBytes, tell, files, onWritten })
  try {
    await importPages(source, importer, progress, options)
    writer.end(source.sha256())
    const seconds = (performance.now() - start) / 1000
    return { name, counts: importer.counts, kinds: notices.counts(), seconds, xmlBytes: source.xmlBytes() }
  } catch (error) {
    throw explain(error, name, importer.counts)
  } finally {
    notices.end()
    files.processes.close()
    files.originals.clean()
  }
}

async function importPages(
  source: DumpSource,
  importer: Importer,
  progress: ImportProgress,
  options: ImportOptions,
): Promise<void> {
  const showProgress = progress.reading(source, importer)
  try {
    for await (const event of readDump(source, { maxPartBytes: MAX_PART_BYTES })) {
      const waiting = importer.take(event)
      if (waiting !== undefined) await waiting
      showProgress()
      options.signal?.throwIfAborted()
    }
  } finally {
    // Keep complete pages, whatever happened after them.
    importer.flush()
    progress.ended(source, importer)
    await source.close()
  }
}

/** Adds to an error how much of the dump is in the store. A DumpError already names the dump. */
function explain(error: unknown, name: string, counts: ImportCounts): unknown {
  if (!(error instanceof Error)) return error
  error.message = `${error instanceof DumpError ? '' : `${name}: `}${error.message}; ${kept(counts)}`
  return error
}

function kept({ pages, revisions, newPages, newRevisions }: ImportCounts): string {
  const read = `${formatCount(pages)} pages and ${formatCount(revisions)} revisions were read`
  return `${read}, ${formatCount(newPages)} and ${formatCount(newRevisions)} of them were new and are in the store`
}

// Indexes the pages of an import for search: some while the dump is read, and the rest at its end.

/**
 * Each page that an import adds to a large index changes rows all over it. A rebuild writes each row once, so the rest
 * of a large import waits for one.
 */
const REBUILD_FROM = 100_000

class ImportIndexing {
  readonly #store: Store
  readonly #options: ImportOptions
  readonly #progress: ImportProgress
  readonly #target: IndexTarget
  readonly #build: IndexBuild
  readonly #rebuildFrom: number
  #showShare: ((share: number) => void) | undefined

  constructor(store: Store, options: ImportOptions, progress: ImportProgress) {
    this.#store = store
    this.#options = options
    this.#progress = progress
    this.#target = store.search.target()
    const { dataDir, signal, indexThreads: threads = 0, rebuildFrom = REBUILD_FROM } = options
    this.#rebuildFrom = rebuildFrom
    const onShare = (share: number): void => this.#showShare?.(share)
    this.#build = new IndexBuild(store, this.#target, {
      dataDir,
      threads,
      maxEarly: rebuildFrom,
      onShare,
      signal,
    })
    progress.followIndexing(() => this.#build.encoded)
  }

  /** Call it when pages were written. */
  more(): void {
    if (this.#store.search.condition() === 'ready') this.#build.more()
  }

  /**
   * Indexes all imported pages, and returns lines for the user. After an interruption, the next import continues. An
   * unusable index needs `palimpsest reindex`.
   */
  async finish(): Promise<string[]> {
    const { search } = this.#store
    if (search.condition() !== 'ready') {
      return [`search does not work yet: run palimpsest reindex --data-dir ${this.#options.dataDir}`]
    }
    const start = performance.now()
    this.#showShare = this.#progress.indexing(search.countQueued())
    const pages = await this.#finishBuild()
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    const left = search.countQueued()
    return [
      ...(pages > 0
        ? [`${formatCount(pages)} pages indexed for search, ${seconds} s after the last was read`]
        : []),
      ...(left > 0 ? [`${formatCount(left)} pages are not indexed yet: the next import indexes them`] : []),
    ]
  }

  close(): Promise<void> {
    return this.#build.close()
  }

  /** Whether a new index takes less work than the rest of this one. */
  #isMuch(): boolean {
    const { search } = this.#store
    this.#store.refresh()
    const queued = search.countQueued()
    return queued >= this.#rebuildFrom && queued >= search.countIndexed()
  }

  async #finishBuild(): Promise<number> {
    const { dataDir, signal, indexThreads: threads = 0 } = this.#options
    if (this.#isMuch()) {
      await this.#build.close()
      const onShare = (share: number): void => this.#showShare?.(share)
      try {
        return await rebuild(this.#store, { dataDir, threads, signal, onShare })
      } catch (error) {
        // Another rebuild has all pages in its queue.
        if (!(error instanceof ReindexError)) throw error
        return 0
      }
    }
    try {
      const pages = await finishBuild(this.#store, this.#target, this.#build, signal)
      if (this.#store.search.target().set === this.#target.set) return pages
    } catch (error) {
      if (!(error instanceof IndexReplacedError)) throw error
    }
    // A rebuild has put another index into force, which has the pages up to then.
    return buildIndex(this.#store, { dataDir, threads, signal })
  }
}
