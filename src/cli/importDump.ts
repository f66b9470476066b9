/** `palimpsest import`: reads MediaWiki XML dumps, rendered pages and SQL tables into the store. */
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { addExamples } from './help.js'
import type { ImportFlags } from './import/runImport.js'

const DESCRIPTION =
  'Read MediaWiki XML dumps into the store; make the store where there is none.\n' +
  'A second import of a dump, or one after an interruption, adds what is missing.\n' +
  'An SQL table, such as langlinks, replaces what it brought before.\n' +
  'A snapshot of rendered pages brings the HTML of pages, and into an empty store their sources.\n' +
  'Exit status: 1 when something of a dump was left out, or the import failed.'

export function addImportCommand(program: Command): void {
  const command = program
    .command('import')
    .summary('read MediaWiki XML dumps, rendered pages and SQL tables')
    .description(DESCRIPTION)
    .argument(
      '<dump...>',
      'XML files, snapshots, SQL tables or URLs, plain or packed by gzip, bzip2, zstd, xz or 7z; - is standard input',
    )
    .option('--html', 'take only snapshots of rendered pages, and refuse other files')
    .option('--quiet', 'print only errors, and the summary at the end')
    .option('--shared', 'the table image is that of a repository that many wikis share, such as Commons')
    .option('--report <file>', 'write each warning, and all that is left out, as a line of JSON')
  addSettings(command, 'import')
  addExamples(command, EXAMPLES)
  command.action(async (paths: string[], flags: ImportFlags) => {
    const { runImport } = await import('./import/runImport.js')
    await runImport(readSettings(givenFlags(command)), paths, flags)
  })
}

const EXAMPLES: Parameters<typeof addExamples>[1] = [
  [
    'a dump from dumps.wikimedia.org',
    'palimpsest import --data-dir data/simple simplewiki-latest-pages-articles.xml.bz2',
  ],
  [
    'the languages of pages, which dumps do not have',
    'palimpsest import --data-dir data/simple simplewiki-latest-langlinks.sql.gz',
  ],
  [
    'the sizes of the pictures that pages show (imagelinks tells which)',
    'palimpsest import --data-dir data/simple --shared commonswiki-latest-image.sql.gz',
  ],
  [
    'the HTML of Wikipedia, for the pages that are here',
    'palimpsest import --data-dir data/simple --html simplewiki-NS0-ENTERPRISE-HTML.json.tar.gz',
  ],
  [
    'out of a pipe, with a list of everything left out',
    'ssh backup cat dump.xml.gz | palimpsest import --report left-out.jsonl -',
  ],
]
