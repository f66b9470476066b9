/** The command line: picks a subcommand; faults that the user can mend end in one line and exit status 1 or their own. */
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
import { addUserCommand } from './user.js'
import { addVerifyCommand } from './verify.js'
import { UserError } from '../userError.js'
import { productVersion } from '../version.js'

/** Runs what the command line says; a server's `signals` have been taken already. */
export async function runCommand(signals: ServeSignals | undefined): Promise<void> {
  const program = new Command('palimpsest')
    .description('a server that speaks the MediaWiki REST API v1 from one embedded store')
    .version(productVersion())
    .showHelpAfterError('(add --help for the flags)')
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

  // Nobody reads standard output any more, as behind `| head`: the command goes on to its end, unheard.
  let unread: Error | undefined
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    unread = error
  })
  try {
    await program.parseAsync()
  } catch (error) {
    if (error !== unread) report(error)
  }
}

function report(error: unknown): void {
  if (!(error instanceof UserError) && !isSystemError(error)) {
    process.stderr.write(
      'palimpsest: this is a fault of the program; please report it with the lines below\n',
    )
    throw error
  }
  process.stderr.write(`palimpsest: ${error.message}\n`)
  process.exitCode = error instanceof UserError ? error.exitStatus : 1
}

/** The system refused a call, as for a folder that cannot be written, or a packed file is damaged. */
function isSystemError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const { syscall, code } = error as NodeJS.ErrnoException
  return syscall !== undefined || (code?.startsWith('Z_') ?? false)
}
