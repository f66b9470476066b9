/** `palimpsest export`: writes the wiki as an XML dump or as text, the way out to other programs. */
import { type Command, Option } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { readNamespaces, readThreads } from './arguments.js'
import { addExamples } from './help.js'
import type { ExportFlags } from './export/runExport.js'

const DESCRIPTION =
  'Write the pages of the wiki as an XML dump (schema 0.11), which "import" and MediaWiki read.\n' +
  'With --format, write them as text, Markdown or HTML with templates expanded: JSON Lines, one page a line, latest revisions\n' +
  'of articles without redirects. The same command goes on where an interrupted one ended.\n' +
  'Servers and imports may go on: each page is as it is when its turn comes.\n' +
  'What is hidden from readers is left out. Accounts, rights, files and settings are not part of a dump: see "backup".\n' +
  'Exit status: 1 when a page of --titles does not exist, a page cannot be rendered, or the command was interrupted.'

export function addExportCommand(program: Command): void {
  const command = program
    .command('export')
    .summary('write the pages as an XML dump, or as text')
    .description(DESCRIPTION)
    .argument('[file]', 'new file; .gz, .bz2, .zst or .xz packs it; "-" is standard output', '-')
    .addOption(
      new Option('--format <format>', 'what to write of each page')
        .choices(['xml', 'text', 'markdown', 'html'])
        .default('xml'),
    )
    .option('--current', 'in XML: only the latest revision of each page')
    .option(
      '--namespace <list>',
      'only these namespaces, by number: 0,14. By default all, as text only 0',
      readNamespaces,
    )
    .option('--titles <file>', 'only the pages that this file names, one a line; "-" is standard input')
    .option(
      '--threads <n>',
      'not in XML: threads that render; by default one less than there are processors',
      readThreads,
    )
    .option('--quiet', 'print only errors, and the summary at the end')
  addSettings(command, 'export')
  addExamples(command, [
    ['the whole wiki with its history', 'palimpsest export --data-dir data wiki.xml.bz2'],
    ['articles and categories as they are now', 'palimpsest export --current --namespace 0,14 pages.xml.gz'],
    ['all articles as plain text', 'palimpsest export --data-dir data --format text articles.jsonl.gz'],
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
