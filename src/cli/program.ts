/**
 * The commands and their flags. Help and shell completion are generated from these definitions. A command loads its
 * other modules when it runs: loading the store takes as long as starting Node.
 */
import { Command } from 'commander'
import { addBackupCommand } from './backup.js'
import { addClusterCommand } from './cluster.js'
import { addCompletionCommand } from './completion.js'
import { addDiffCommand } from './diff.js'
import { addEraseCommand } from './erase.js'
import { addExpandCommand } from './expand.js'
import { addFilesCommand } from './files.js'
import { addExportCommand } from './export.js'
import { addExamples, HELP_LAYOUT } from './help.js'
import { addFollowCommand } from './follow.js'
import { addImportCommand } from './importDump.js'
import { addInterwikiCommand } from './interwiki.js'
import { addLogCommand } from './log.js'
import { addMcpCommand } from './mcp.js'
import { addMergeCommand } from './merge.js'
import { addPageCommand } from './page.js'
import { addReindexCommand } from './reindex.js'
import { addRenderCommand } from './render.js'
import { addReplayCommand } from './replay.js'
import { addRevisionCommand } from './revision.js'
import { addServeCommand } from './serve.js'
import type { ServeSignals } from './serve/signals.js'
import { addSiteCommand } from './site.js'
import { addStatsCommand } from './stats.js'
import { addTokenCommand } from './token.js'
import { addUserCommand } from './user.js'
import { addVerifyCommand } from './verify.js'
import { printable } from '../domain/printable.js'
import { productVersion } from '../runtime/version.js'

/**
 * The program, ready to parse a command line. `signals` are those of a server, which start.ts has already taken over.
 */
export function buildProgram(signals?: ServeSignals): Command {
  const program = new Command('palimpsest')
    .description('A server for wikis: it speaks the MediaWiki REST API v1 from one embedded store.')
    .version(productVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .configureHelp(HELP_LAYOUT)
    .showHelpAfterError('(--help lists arguments and flags)')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.split('\n').map(printable).join('\n')) })
  addCommands(program, signals)
  addExamples(program, [
    ['import a dump, then serve it at http://127.0.0.1:8080/v1', 'palimpsest import dump.xml.bz2'],
    ['', 'palimpsest serve'],
  ])
  return program
}

function addCommands(program: Command, signals: ServeSignals | undefined): void {
  program.commandsGroup('Run a wiki:')
  addImportCommand(program)
  addServeCommand(program, signals)
  addMcpCommand(program)
  addFollowCommand(program)
  addReindexCommand(program)
  addRenderCommand(program)
  addExportCommand(program)
  addFilesCommand(program)
  addSiteCommand(program)
  addInterwikiCommand(program)
  addClusterCommand(program)
  program.commandsGroup('Accounts and rights:')
  addUserCommand(program)
  addTokenCommand(program)
  addPageCommand(program)
  addRevisionCommand(program)
  addEraseCommand(program)
  program.commandsGroup('Check and back up:')
  addStatsCommand(program)
  addVerifyCommand(program)
  addBackupCommand(program)
  addLogCommand(program)
  addReplayCommand(program)
  program.commandsGroup('Work on texts:')
  addExpandCommand(program)
  addDiffCommand(program)
  addMergeCommand(program)
  program.commandsGroup('Help:')
  addCompletionCommand(program)
  program.helpCommand('help [command]', 'show the help of a command')
}
