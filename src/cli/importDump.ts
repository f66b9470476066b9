/** `palimpsest import`: reads MediaWiki XML dumps and SQL tables into the store. */
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { addExamples } from './help.js'
import type { ImportFlags } from './import/runImport.js'

export function addImportCommand(program: Command): void {
  const command = program
    .command('import')
    .summary('read MediaWiki XML dumps and SQL tables into the store')
    .description(
      'Read MediaWiki XML dumps into the store; make the store where there is none.\n' +
        'A second import of a dump, or one after an interruption, adds what is missing.\n' +
        'An SQL table, such as langlinks, replaces what it brought before.\n' +
        'Exit status: 1 when something of a dump was left out, or the import failed.',
    )
    .argument(
      '<dump...>',
      'XML files, SQL tables or URLs, plain or packed by gzip, bzip2, zstd, xz or 7z; - is standard input',
    )
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
    'out of a pipe, with a list of everything left out',
    'ssh backup cat dump.xml.gz | palimpsest import --report left-out.jsonl -',
  ],
]
