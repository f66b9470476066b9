/** The commands and their flags: help, and completion by shells, are made from them. */
import { Command } from 'commander'
import { addBackupCommand } from './backup.js'
import { addDiffCommand } from './diff.js'
import { addFilesCommand } from './files.js'
import { addImportCommand } from './importDump.js'
import { addInterwikiCommand } from './interwiki.js'
import { addMergeCommand } from './merge.js'
import { addPageCommand } from './page.js'
import { addReindexCommand } from './reindex.js'
import { addReplayCommand } from './replay.js'
import { addRevisionCommand } from './revision.js'
import { addServeCommand } from './serve.js'
import type { ServeSignals } from './serve/signals.js'
import { addSiteCommand } from './site.js'
import { addStatsCommand } from './stats.js'
import { addTokenCommand } from './token.js'
import { addUpgradeCommand } from './upgrade.js'
import { addUserCommand } from './user.js'
import { addVerifyCommand } from './verify.js'
import { printable } from '../domain/printable.js'
import { productVersion } from '../version.js'

/** The program, ready to parse a command line; a server's `signals` have been taken already. */
export function buildProgram(signals?: ServeSignals): Command {
  const program = new Command('palimpsest')
    .description('a server that speaks the MediaWiki REST API v1 from one embedded store')
    .version(productVersion())
    .showHelpAfterError('(add --help for the flags)')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.split('\n').map(printable).join('\n')) })
  addServeCommand(program, signals)
  addImportCommand(program)
  addBackupCommand(program)
  addDiffCommand(program)
  addMergeCommand(program)
  addFilesCommand(program)
  addReindexCommand(program)
  addSiteCommand(program)
  addInterwikiCommand(program)
  addUserCommand(program)
  addTokenCommand(program)
  addPageCommand(program)
  addRevisionCommand(program)
  addStatsCommand(program)
  addVerifyCommand(program)
  addReplayCommand(program)
  addUpgradeCommand(program)
  return program
}
