/** `palimpsest files`: adds, lists and removes files of the wiki. */
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { type FileFacts } from '../domain/file.js'
import { formatTimestamp } from '../domain/timestamp.js'
import type { ImportFlags } from './files/changeFiles.js'
import { addExamples } from './help.js'
import { formatCount } from './import/progress.js'
import { withStore } from './storeAccess.js'

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
  addSettings(remove, 'files').action(async (names: string[]) => {
    const { removeFiles } = await import('./files/changeFiles.js')
    await removeFiles(readSettings(givenFlags(remove)), names)
  })
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
    const { describeFiles } = await import('./files/changeFiles.js')
    await describeFiles(readSettings(givenFlags(command)), table)
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
    const { importFiles } = await import('./files/changeFiles.js')
    await importFiles(readSettings(givenFlags(command)), paths, flags)
  })
}

async function printFiles(dataDir: string, asJson: boolean): Promise<void> {
  await withStore({ dataDir }, (store) => {
    for (const { dbkey, facts } of store.listFiles()) {
      const line = asJson ? JSON.stringify({ name: dbkey, ...facts }) : lineOf(dbkey, facts)
      process.stdout.write(`${line}\n`)
    }
  })
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
