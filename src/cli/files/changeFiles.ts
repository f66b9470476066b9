/** Adds files to the wiki, describes those of another repository, and removes files. */
import type { Config } from '../../config/config.js'
import { toSeconds } from '../../domain/timestamp.js'
import { Originals } from '../../files/originals.js'
import { type FileCounts, FileImporter } from '../../import/files/fileImporter.js'
import { FileSourceError, readSources } from '../../import/files/fileSources.js'
import type { Change, Verdict } from '../../storage/entries/entries.js'
import { FileProcesses } from '../../workers/files/fileProcesses.js'
import { formatCount } from '../import/progress.js'
import { FileDescriber } from '../../import/files/fileDescriber.js'
import { readFileTable } from '../../import/files/fileTable.js'
import type { StorePlace } from '../storeAccess.js'
import type { FileFacts } from '../../domain/file.js'
import { FILE } from '../../domain/namespaceIds.js'
import { parseTitle } from '../../domain/title.js'
import { ContentHolders } from '../../import/files/contentHolders.js'
import { readOwnFile } from '../../storage/pages/files.js'
import type { Store } from '../../storage/store.js'
import { CommandError } from '../commandError.js'
import { requireNotFollowing, takeImportLock } from '../../import/importLock.js'
import { CommandWriter, openStore } from '../openStore.js'

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

/**
 * Reads a table of files that another repository has. Prints how many were described; exit status 1 when some were left
 * out.
 */
export async function describeFiles(place: StorePlace, table: string): Promise<void> {
  const { described, unchanged, leftOut } = await withLockedStore(place, async (store, writer) => {
    const now = toSeconds(Date.now())
    const warn = (message: string): unknown => process.stderr.write(`${message}\n`)
    const describer = new FileDescriber({ store, now, warn, applyAll: (changes) => writer.applyAll(changes) })
    for await (const row of readFileTable(table)) await describer.take(row)
    await describer.flush()
    return describer.counts
  })
  const parts = [`${formatCount(described)} files described`, `${formatCount(unchanged)} unchanged`]
  if (leftOut > 0) parts.push(`${formatCount(leftOut)} left out`)
  process.stdout.write(`${parts.join(', ')}\n`)
  if (leftOut > 0) process.exitCode = 1
}

/** Removes all files or none: an unknown name stops the command before it removes anything. */
export async function removeFiles(place: StorePlace, names: readonly string[]): Promise<void> {
  await withLockedStore(place, async (store, writer) => {
    const found = names.map((name) => requireFile(store, name))
    const holders = new ContentHolders(store)
    const originals = new Originals(place.dataDir)
    for (const { dbkey, facts } of found) {
      await writer.apply({ kind: 'file', dbkey, facts: null })
      if (facts.sha256 !== null && holders.drop(facts.sha256, dbkey)) originals.remove(facts.sha256)
    }
    process.stdout.write(`${formatCount(found.length)} files removed\n`)
  })
}

function requireFile(store: Store, name: string): { readonly dbkey: string; readonly facts: FileFacts } {
  const namespaces = store.namespaces()
  const given = parseTitle(name, namespaces)
  const hasPrefix = given.ok && given.title.namespace === FILE
  const parsed = hasPrefix ? given : parseTitle(namespaces.keyPrefix(FILE) + name, namespaces)
  const facts = parsed.ok ? readOwnFile(store, parsed.title.dbkey) : undefined
  if (parsed.ok && facts === undefined && store.getFile(parsed.title.dbkey) !== undefined)
    throw new CommandError(
      `"${name}" is known from an imported SQL table only, and nothing was removed: import a newer table`,
    )
  if (!parsed.ok || facts === undefined)
    throw new CommandError(
      `there is no file "${name}", and nothing was removed: "palimpsest files list" lists all`,
    )
  return { dbkey: parsed.title.dbkey, facts }
}

/**
 * Opens the store under the import lock, so that only one process writes contents at a time. Throws ImportRefused if it
 * follows another wiki.
 */
async function withLockedStore<Result>(
  { dataDir, log = '' }: StorePlace,
  work: (store: Store, writer: CommandWriter) => Result | Promise<Result>,
): Promise<Result> {
  const store = openStore(dataDir)
  const writer = new CommandWriter(store, log)
  try {
    const unlock = takeImportLock(store, dataDir)
    try {
      requireNotFollowing(store)
      return await work(store, writer)
    } finally {
      await writer.close()
      unlock()
    }
  } finally {
    await store.close()
  }
}
