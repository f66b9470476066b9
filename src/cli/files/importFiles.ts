/** Adds files to the wiki. */
import type { Config } from '../../config/config.js'
import { toSeconds } from '../../domain/timestamp.js'
import { Originals } from '../../files/originals.js'
import { type FileCounts, FileImporter } from '../../import/files/fileImporter.js'
import { FileSourceError, readSources } from '../../import/files/fileSources.js'
import type { Change, Verdict } from '../../storage/entries/entries.js'
import { FileProcesses } from '../../workers/files/fileProcesses.js'
import { formatCount } from '../import/progress.js'
import { withLockedStore } from './lockedStore.js'

export interface ImportFlags {
  readonly user: string
  readonly comment: string
  readonly description: string
}

/** Time limit for the inspection of one file. */
const INSPECT_TIMEOUT_MS = 30_000

/** Prints how many files were read; exit status 1 when some were left out. */
export async function importFiles(
  config: Config,
  paths: readonly string[],
  flags: ImportFlags,
): Promise<void> {
  const { counts, fault } = await readFiles(config, paths, flags)
  if (fault === undefined || countRead(counts) > 0) process.stdout.write(`${summary(counts)}\n`)
  if (fault !== undefined) throw fault
  if (counts.leftOut > 0) process.exitCode = 1
}

/**
 * Imports the files of all sources, up to the first source with a `fault`. A signal ends the import between two files.
 * Repeating an import is safe.
 */
async function readFiles(
  { dataDir, log, maxFileBytes }: Config,
  paths: readonly string[],
  { user, comment, description }: ImportFlags,
): Promise<{ readonly counts: FileCounts; readonly fault?: Error }> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const processes = new FileProcesses({ processes: 1, timeoutMs: INSPECT_TIMEOUT_MS })
  try {
    return await withLockedStore({ dataDir, log }, async (store, writer) => {
      const originals = new Originals(dataDir)
      const apply = (change: Change): Promise<Verdict> => writer.apply(change)
      const tools = { store, apply, originals, processes }
      const importer = new FileImporter(tools, {
        uploader: store.accounts.getEditor(user),
        comment,
        description,
        maxFileBytes,
        now: () => toSeconds(Date.now()),
        warn: (message) => process.stderr.write(`${message}\n`),
      })
      try {
        for await (const file of readSources(paths)) {
          await importer.take(file)
          showCounts(importer.counts)
          if (stop.signal.aborted) break
        }
        return { counts: importer.counts }
      } catch (fault) {
        if (!(fault instanceof FileSourceError)) throw fault
        return { counts: importer.counts, fault }
      } finally {
        originals.clean()
      }
    })
  } finally {
    processes.close()
  }
}

function countRead({ added, replaced, unchanged, leftOut }: FileCounts): number {
  return added + replaced + unchanged + leftOut
}

function summary(counts: FileCounts): string {
  const { added, replaced, unchanged, leftOut } = counts
  const parts = [`${formatCount(added)} added`, `${formatCount(replaced)} replaced`]
  if (unchanged > 0) parts.push(`${formatCount(unchanged)} unchanged`)
  if (leftOut > 0) parts.push(`${formatCount(leftOut)} left out`)
  return `${formatCount(countRead(counts))} files read: ${parts.join(', ')}`
}

function showCounts(counts: FileCounts): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${summary(counts)}\r`)
}
