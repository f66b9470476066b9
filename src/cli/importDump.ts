/** `palimpsest import`: reads MediaWiki XML dumps into the store. */
import { basename } from 'node:path'
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings, SETTINGS } from '../config.js'
import { DumpError } from '../dump/dumpError.js'
import { openDump } from '../dump/openDump.js'
import { readDump } from '../dump/readDump.js'
import { Originals } from '../files/originals.js'
import { Applier } from '../storage/apply/applier.js'
import { Store } from '../storage/store.js'
import { FileProcesses } from '../workers/fileProcesses.js'
import { type ImportCounts, Importer } from './import/importer.js'
import { takeImportLock } from './import/importLock.js'
import { indexImported } from './import/indexImported.js'
import { describeNotice, type Notice } from './import/notices.js'
import { formatCount, type Progress, showProgress } from './import/progress.js'

/**
 * A page's history is held in memory up to this much text, comments and names included; what is longer goes in by parts, and may be cut off by a
 * damaged dump between two of its revisions.
 */
const MAX_PART_BYTES = 4 * 2 ** 20
/** Longest time that a file may take to be looked into. */
const INSPECT_TIMEOUT_MS = 30_000

/** The import was stopped by a signal; what was written is whole, and the same command goes on. */
export class ImportInterrupted extends Error {
  override readonly name = 'ImportInterrupted'
}

export interface ImportOptions {
  readonly dataDir: string
  /** Files, or `-` for standard input, in the order to read them. */
  readonly paths: readonly string[]
  readonly progress: (name: string) => Progress
  /** Bytes of text, comments and names in one transaction; the setting's default unless given. */
  readonly batchBytes?: number
  /** Larger files are left out; the setting's default unless given. */
  readonly maxFileBytes?: number
  /** See the setting of this name; its default unless given. */
  readonly indexThreads?: number
  /** Told how many pages the search index took in, if any. */
  readonly onIndexed?: (pages: number, seconds: number) => void
  /** Ends the import between two pages. */
  readonly signal?: AbortSignal
}

export function addImportCommand(program: Command): void {
  const command = program
    .command('import')
    .description(
      'read MediaWiki XML dumps into the store; again, or after an interruption, adds what is missing',
    )
    .argument('<dump...>', 'files: .xml, .gz or .bz2, or - for standard input')
  addSettings(command, 'import').action(async (paths: string[]) => {
    const { dataDir, batchBytes, maxFileBytes, indexThreads } = readSettings(givenFlags(command))
    const stop = new AbortController()
    const onSignal = (): void => stop.abort()
    process.once('SIGINT', onSignal)
    process.once('SIGTERM', onSignal)
    const progress = (name: string): Progress => showProgress(name, process.stderr)
    const indexed: string[] = []
    const onIndexed = (pages: number, seconds: number): void => {
      indexed.push(`${formatCount(pages)} pages indexed for search in ${seconds.toFixed(1)} s\n`)
    }
    const signal = stop.signal
    const options = { dataDir, paths, batchBytes, maxFileBytes, indexThreads, progress, onIndexed, signal }
    const results = await importDumps(options)
    for (const { name, counts, seconds, xmlBytes } of results) {
      process.stdout.write(`${summary(name, counts, seconds, xmlBytes)}\n`)
      if (counts.skippedPages + counts.skippedRevisions + counts.skippedFiles > 0) process.exitCode = 1
    }
    for (const line of indexed) process.stdout.write(line)
  })
}

export interface ImportResult {
  readonly name: string
  readonly counts: ImportCounts
  readonly seconds: number
  readonly xmlBytes: number
}

/**
 * Imports dumps one after the other. Throws a DumpError for damaged or foreign input, ImportRefused when a dump does
 * not belong into the store, and ImportInterrupted; whatever came before is in the store then, and whole.
 */
export async function importDumps(options: ImportOptions): Promise<ImportResult[]> {
  const store = Store.open(options.dataDir, { create: true })
  try {
    const unlock = takeImportLock(store, options.dataDir)
    try {
      const results: ImportResult[] = []
      try {
        for (const path of options.paths) results.push(await importDump(store, path, options))
      } finally {
        // Pages that were imported before a fault can be searched too.
        await indexImported(store, options)
      }
      return results
    } finally {
      unlock()
    }
  } finally {
    await store.close()
  }
}

async function importDump(store: Store, path: string, options: ImportOptions): Promise<ImportResult> {
  const start = performance.now()
  const name = path === '-' ? 'standard input' : basename(path)
  const applier = new Applier(store)
  const unfinished = applier.runningImport()
  if (unfinished !== undefined && unfinished.name !== name) applier.finishImport(null)
  const progress = options.progress(name)
  const batchBytes = options.batchBytes ?? SETTINGS.batchBytes.default
  const tell = (notice: Notice): void => progress.note(`${name}: ${describeNotice(notice)}`)
  const files = {
    originals: new Originals(options.dataDir),
    processes: new FileProcesses({ processes: 1, timeoutMs: INSPECT_TIMEOUT_MS }),
    maxFileBytes: options.maxFileBytes ?? SETTINGS.maxFileBytes.default,
  }
  const importer = new Importer(store, applier, { dumpName: name, batchBytes, tell, files })
  try {
    const source = await openDump(path)
    let xmlBytes = 0
    try {
      for await (const event of readDump(source, { maxPartBytes: MAX_PART_BYTES })) {
        const waiting = importer.take(event)
        if (waiting !== undefined) await waiting
        xmlBytes = source.xmlBytes()
        const { counts } = importer
        progress.update({ counts, xmlBytes, bytesRead: source.bytesRead(), sizeBytes: source.sizeBytes })
        if (options.signal?.aborted)
          throw new ImportInterrupted('interrupted; the same command goes on from here')
      }
    } finally {
      // Pages that arrived whole are kept, whatever happened after them.
      importer.flush()
      await source.close()
    }
    applier.finishImport(source.sha256())
    return { name, counts: importer.counts, seconds: (performance.now() - start) / 1000, xmlBytes }
  } catch (error) {
    throw explain(error, name, importer.counts)
  } finally {
    files.processes.close()
    files.originals.clean()
    progress.stop()
  }
}

/** Adds to an error what of the dump is in the store. A DumpError names the dump itself. */
function explain(error: unknown, name: string, counts: ImportCounts): unknown {
  if (!(error instanceof Error)) return error
  error.message = `${error instanceof DumpError ? '' : `${name}: `}${error.message}; ${kept(counts)}`
  return error
}

function kept({ pages, revisions, newPages, newRevisions }: ImportCounts): string {
  const read = `${formatCount(pages)} pages and ${formatCount(revisions)} revisions were read`
  return `${read}, ${formatCount(newPages)} and ${formatCount(newRevisions)} of them were new and are in the store`
}

function summary(name: string, counts: ImportCounts, seconds: number, xmlBytes: number): string {
  const {
    pages,
    revisions,
    newPages,
    newRevisions,
    changedRevisions,
    renamedPages,
    skippedPages,
    skippedRevisions,
    skippedFiles,
    files,
    warnings,
  } = counts
  const parts = [
    `${formatCount(pages)} pages and ${formatCount(revisions)} revisions read`,
    `${formatCount(newPages)} pages and ${formatCount(newRevisions)} revisions added`,
  ]
  if (changedRevisions > 0) parts.push(`${formatCount(changedRevisions)} revisions hidden or shown`)
  if (renamedPages > 0) parts.push(`${formatCount(renamedPages)} pages renamed`)
  if (files > 0) parts.push(`${formatCount(files)} files added or changed`)
  if (skippedPages > 0) parts.push(`${formatCount(skippedPages)} pages left out`)
  if (skippedRevisions > 0) parts.push(`${formatCount(skippedRevisions)} revisions left out`)
  if (skippedFiles > 0) parts.push(`${formatCount(skippedFiles)} files left out`)
  if (warnings > 0) parts.push(`${formatCount(warnings)} warnings`)
  const speed = (xmlBytes / 1e6 / Math.max(0.001, seconds)).toFixed(1)
  return `${name}: ${parts.join(', ')} in ${seconds.toFixed(1)} s (${speed} MB/s)`
}
