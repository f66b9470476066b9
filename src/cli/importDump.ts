/** `palimpsest import`: reads MediaWiki XML dumps into the store. */
import { basename } from 'node:path'
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { SETTINGS } from '../config/settings.js'
import { DumpError } from '../dump/dumpError.js'
import { openDump } from '../dump/openDump.js'
import { readDump } from '../dump/readDump.js'
import { Originals } from '../files/originals.js'
import { Applier } from '../storage/apply/applier.js'
import type { Store } from '../storage/store.js'
import { FileProcesses } from '../workers/files/fileProcesses.js'
import { type Display, openDisplay, SILENT } from './import/display.js'
import { DumpWriter } from '../import/dumpWriter.js'
import { type ImportCounts, Importer, MAX_PART_BYTES } from '../import/importer.js'
import { takeImportLock } from '../import/importLock.js'
import type { ImportOptions } from './import/importOptions.js'
import { ImportProgress } from './import/importProgress.js'
import { addExamples } from './help.js'
import { indexImported } from './import/indexImported.js'
import { NoticeLog } from './import/noticeLog.js'
import { NoticeReport } from './import/noticeReport.js'
import { formatCount } from './import/progress.js'
import { type ImportResult, lacksSomething, summarize, summarizeAll } from './import/summary.js'
import { openStore } from './storeAccess.js'
import { UserError } from '../userError.js'

/** Time limit for the inspection of one file. */
const INSPECT_TIMEOUT_MS = 30_000

/** A signal stopped the import. Everything written is consistent, and the same command continues. */
export class ImportInterrupted extends UserError {
  override readonly name = 'ImportInterrupted'
}

export function addImportCommand(program: Command): void {
  const command = program
    .command('import')
    .summary('read MediaWiki XML dumps into the store')
    .description(
      'Read MediaWiki XML dumps into the store; make the store where there is none.\n' +
        'A second import of a dump, or one after an interruption, adds what is missing.\n' +
        'Exit status: 1 when something of a dump was left out, or the import failed.',
    )
    .argument('<dump...>', 'XML files, plain or packed by gzip or bzip2; - is standard input')
    .option('--quiet', 'print only errors, and the summary at the end')
    .option('--report <file>', 'write each warning, and all that is left out, as a line of JSON')
  addSettings(command, 'import')
  addExamples(command, [
    [
      'a dump from dumps.wikimedia.org',
      'palimpsest import --data-dir data/simple simplewiki-latest-pages-articles.xml.bz2',
    ],
    [
      'out of a pipe, with a list of everything left out',
      'zstd -dc dump.xml.zst | palimpsest import --report left-out.jsonl -',
    ],
  ])
  command.action(async (paths: string[], flags: { quiet?: boolean; report?: string }) => {
    const { dataDir, batchBytes, maxFileBytes, indexThreads } = readSettings(givenFlags(command))
    const stop = new AbortController()
    const onSignal = (): void => stop.abort()
    process.once('SIGINT', onSignal)
    process.once('SIGTERM', onSignal)
    const results: ImportResult[] = []
    const indexed: string[] = []
    try {
      await importDumps({
        dataDir,
        paths,
        batchBytes,
        maxFileBytes,
        indexThreads,
        display: openDisplay(process.stderr, { quiet: flags.quiet ?? false }),
        reportPath: flags.report,
        onResult: (result) => results.push(result),
        onIndexed: (lines) => indexed.push(...lines),
        signal: stop.signal,
      })
    } finally {
      const all = results.length > 1 ? [summarizeAll(results)] : []
      for (const line of [...results.map(summarize), ...all, ...indexed]) process.stdout.write(`${line}\n`)
      if (results.some(lacksSomething)) process.exitCode = 1
    }
  })
}

/**
 * Imports dumps one after the other. Throws a DumpError for damaged or foreign input, ImportRefused when a dump does
 * not fit the store, and ImportInterrupted. The store then contains everything read before, consistently.
 */
export async function importDumps(options: ImportOptions): Promise<ImportResult[]> {
  const { dataDir, paths, display = SILENT, reportPath } = options
  const store = openStore(dataDir, { create: true })
  try {
    const unlock = takeImportLock(store, dataDir)
    try {
      const report = reportPath === undefined ? undefined : new NoticeReport(reportPath)
      try {
        const progress = new ImportProgress(display, paths)
        return await importAll(store, options, { display, progress, report })
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
  try {
    for (const path of options.paths) {
      const result = await importDump(store, path, options, listeners)
      results.push(result)
      options.onResult?.(result)
    }
  } finally {
    // Index the pages imported before a failure too.
    const lines = await indexImported(store, options, listeners.progress)
    options.onIndexed?.(lines)
  }
  return results
}

async function importDump(
  store: Store,
  path: string,
  options: ImportOptions,
  { display, progress, report }: Listeners,
): Promise<ImportResult> {
  const start = performance.now()
  const name = path === '-' ? 'standard input' : basename(path)
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
  const importer = new Importer(store, writer, { batchBytes, tell, files })
  try {
    const source = await openDump(path)
    const showProgress = progress.reading(source, importer)
    try {
      for await (const event of readDump(source, { maxPartBytes: MAX_PART_BYTES })) {
        const waiting = importer.take(event)
        if (waiting !== undefined) await waiting
        showProgress()
        if (options.signal?.aborted)
          throw new ImportInterrupted('interrupted; run the same command again to go on')
      }
    } finally {
      // Keep complete pages, whatever happened after them.
      importer.flush()
      progress.ended(source, importer)
      await source.close()
    }
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
