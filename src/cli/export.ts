/** `palimpsest export`: writes the wiki as an XML dump, the way out to other programs. */
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { readNamespaces } from './arguments.js'
import { addExamples } from './help.js'
import type { ExportFlags } from './export/runExport.js'

const DESCRIPTION =
  'Write the pages of the wiki as an XML dump (schema 0.11), which "import" and MediaWiki read.\n' +
  'Servers and imports may go on: each page is as it is when its turn comes.\n' +
  'What is hidden from readers is left out. Accounts, rights, files and settings are not part of a dump: see "backup".\n' +
  'Exit status: 1 when a page of --titles does not exist, or the command was interrupted.'

export function addExportCommand(program: Command): void {
  const command = program
    .command('export')
    .summary('write the pages as an XML dump')
    .description(DESCRIPTION)
    .argument('[file]', 'new file; .gz, .bz2, .zst or .xz packs it; "-" is standard output', '-')
    .option('--current', 'only the latest revision of each page')
    .option('--namespace <list>', 'only these namespaces, by number: 0,14', readNamespaces)
    .option('--titles <file>', 'only the pages that this file names, one a line; "-" is standard input')
    .option('--quiet', 'print only errors, and the summary at the end')
  addSettings(command, 'export')
  addExamples(command, [
    ['the whole wiki with its history', 'palimpsest export --data-dir data wiki.xml.bz2'],
    ['articles and categories as they are now', 'palimpsest export --current --namespace 0,14 pages.xml.gz'],
    [
      'a few pages, into another wiki',
      'palimpsest export --titles list.txt | palimpsest import --data-dir new -',
    ],
  ])
  command.action(async (file: string, flags: ExportFlags) => {
    const { runExport } = await import('./export/runExport.js')
    await runExport(readSettings(givenFlags(command)), file, flags)
  })
}
