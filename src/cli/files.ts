/** `palimpsest files`: adds, lists and removes files of the wiki. */
import { FILE } from '../domain/namespaceIds.js'
import type { Command } from 'commander'
import { addSettings, type Config, givenFlags, readSettings } from '../config/config.js'
import { type FileFacts } from '../domain/file.js'
import { formatTimestamp, toSeconds } from '../domain/timestamp.js'
import { parseTitle } from '../domain/title.js'
import { Originals } from '../files/originals.js'
import { Applier } from '../storage/apply/applier.js'
import { randomEntryId } from '../storage/entryIds.js'
import type { Store } from '../storage/store.js'
import { ContentHolders } from '../import/files/contentHolders.js'
import type { DescribeCounts } from '../import/files/fileDescriber.js'
import type { FileCounts } from '../import/files/fileImporter.js'
import { takeImportLock } from '../import/importLock.js'
import { formatCount } from './import/progress.js'
import { addExamples } from './help.js'
import { CommandError, openStore } from './storeAccess.js'

interface ImportFlags {
  readonly user: string
  readonly comment: string
  readonly description: string
}

/** Time limit for the inspection of one file. */
const INSPECT_TIMEOUT_MS = 30_000

export function addFilesCommand(program: Command): void {
  const files = program
    .command('files')
    .summary('put files into the wiki, list them, remove them')
    .description('Put files into the wiki, list them, or remove them.')
  addImport(files)
  addDescribe(files)
  const list = files
    .command('list')
    .summary('list all files')
    .description('List all files by name, with type, size, bytes, uploader and time.')
    .option('--json', 'print a JSON object a line, with everything known of each file')
  addSettings(list, 'files').action((options: { json?: boolean }) =>
    printFiles(readSettings(givenFlags(list)).dataDir, options.json ?? false),
  )
  const remove = files
    .command('remove')
    .summary('remove files')
    .description('Remove files and their contents. The pages that describe them stay.')
    .argument('<name...>', 'names of files, with or without the prefix of their namespace')
  addSettings(remove, 'files').action((names: string[]) =>
    removeFiles(readSettings(givenFlags(remove)).dataDir, names),
  )
}

function addDescribe(files: Command): void {
  const command = files
    .command('describe')
    .summary('describe files of another repository')
    .description(
      'Read a table of files that another repository has, so that pages can show them: see --remote-file-url of "serve".\n' +
        'Each line is a JSON object, or has cells divided by tabs under a first line of names: name, width, height, ' +
        'size, mime, duration, sha1, timestamp, user.',
    )
    .argument('<table>', 'file with the table')
  addSettings(command, 'files').action(async (table: string) => {
    const counts = await describeFiles(readSettings(givenFlags(command)).dataDir, table)
    const parts = [
      `${formatCount(counts.described)} files described`,
      `${formatCount(counts.unchanged)} unchanged`,
    ]
    if (counts.leftOut > 0) parts.push(`${formatCount(counts.leftOut)} left out`)
    process.stdout.write(`${parts.join(', ')}\n`)
    if (counts.leftOut > 0) process.exitCode = 1
  })
}

async function describeFiles(dataDir: string, table: string): Promise<DescribeCounts> {
  const [{ FileDescriber }, { readFileTable }] = await Promise.all([
    import('../import/files/fileDescriber.js'),
    import('../import/files/fileTable.js'),
  ])
  return withLockedStore(dataDir, async (store) => {
    const now = toSeconds(Date.now())
    const warn = (message: string): unknown => process.stderr.write(`${message}\n`)
    const describer = new FileDescriber(store, new Applier(store), now, warn)
    for await (const row of readFileTable(table)) describer.take(row)
    describer.flush()
    return describer.counts
  })
}

function addImport(files: Command): void {
  const command = files
    .command('import')
    .summary('put files into the wiki')
    .description(
      'Put files into the wiki under their own names. The command creates a page for each that has none.',
    )
    .argument('<source...>', 'folders, archives (.zip, .tar, .tar.gz, .tgz) or files')
    .option('--user <name>', 'uploader of the files', 'Palimpsest')
    .option('--comment <text>', 'summary of the edits that create pages', 'File imported')
    .option('--description <text>', 'wikitext of the pages that it creates', '')
  addSettings(command, 'files')
  addExamples(command, [['a folder, with all folders in it', 'palimpsest files import --user Ann pictures/']])
  command.action(async (paths: string[], flags: ImportFlags) => {
    const { counts, fault } = await importFiles(readSettings(givenFlags(command)), paths, flags)
    if (fault === undefined || countRead(counts) > 0) process.stdout.write(`${summary(counts)}\n`)
    if (fault !== undefined) throw fault
    if (counts.leftOut > 0) process.exitCode = 1
  })
}

/**
 * Imports the files of all sources, up to the first source with a `fault`. A signal ends the import between two files.
 * Repeating an import is safe.
 */
async function importFiles(
  { dataDir, maxFileBytes }: Config,
  paths: readonly string[],
  { user, comment, description }: ImportFlags,
): Promise<{ readonly counts: FileCounts; readonly fault?: Error }> {
  const [{ FileImporter }, { readSources, FileSourceError }, { FileProcesses }] = await Promise.all([
    import('../import/files/fileImporter.js'),
    import('../import/files/fileSources.js'),
    import('../workers/files/fileProcesses.js'),
  ])
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const processes = new FileProcesses({ processes: 1, timeoutMs: INSPECT_TIMEOUT_MS })
  try {
    return await withLockedStore(dataDir, async (store) => {
      const tools = { store, applier: new Applier(store), originals: new Originals(dataDir), processes }
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
        tools.originals.clean()
      }
    })
  } finally {
    processes.close()
  }
}

async function printFiles(dataDir: string, asJson: boolean): Promise<void> {
  const store = openStore(dataDir)
  try {
    for (const { dbkey, facts } of store.listFiles()) {
      const line = asJson ? JSON.stringify({ name: dbkey, ...facts }) : lineOf(dbkey, facts)
      process.stdout.write(`${line}\n`)
    }
  } finally {
    await store.close()
  }
}

/** Removes all files or none: an unknown name stops the command before it removes anything. */
async function removeFiles(dataDir: string, names: readonly string[]): Promise<void> {
  await withLockedStore(dataDir, (store) => {
    const found = names.map((name) => requireFile(store, name))
    const holders = new ContentHolders(store)
    const originals = new Originals(dataDir)
    const applier = new Applier(store)
    for (const { dbkey, facts } of found) {
      const time = toSeconds(Date.now())
      applier.submit({ kind: 'file', id: randomEntryId(), time, dbkey, facts: null })
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
  const facts = parsed.ok ? store.getFile(parsed.title.dbkey) : undefined
  if (!parsed.ok || facts === undefined)
    throw new CommandError(
      `there is no file "${name}", and nothing was removed: "palimpsest files list" lists all`,
    )
  return { dbkey: parsed.title.dbkey, facts }
}

/** Opens the store under the import lock, so that only one process writes contents at a time. */
async function withLockedStore<Result>(
  dataDir: string,
  work: (store: Store) => Result | Promise<Result>,
): Promise<Result> {
  const store = openStore(dataDir)
  try {
    const unlock = takeImportLock(store, dataDir)
    try {
      return await work(store)
    } finally {
      unlock()
    }
  } finally {
    await store.close()
  }
}

/** `Big.png   image/png   1200 × 900   5,172 bytes   Ann   2026-11-20T21:53:23Z` */
function lineOf(dbkey: string, facts: FileFacts): string {
  const { mimeType, width, height, sizeBytes, uploader, timestamp, sha256 } = facts
  const size = width === null || height === null ? 'size unknown' : `${width} × ${height}`
  const where = sha256 === null ? ['elsewhere'] : []
  const who = uploader?.name ?? 'hidden'
  const columns = [dbkey, mimeType, size, `${formatCount(sizeBytes)} bytes`, who, formatTimestamp(timestamp)]
  return [...columns, ...where].join('   ')
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
