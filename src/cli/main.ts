/** The command line: picks a subcommand; faults that the user can mend end in one line and exit status 1 or their own. */
import { Command } from 'commander'
import { SettingError } from '../config/config.js'
import { DumpError } from '../dump/dumpError.js'
import { StoreError } from '../storage/store.js'
import { StartError } from '../supervisor/startError.js'
import { addBackupCommand, BackupError } from './backup.js'
import { addDiffCommand } from './diff.js'
import { addFilesCommand, FileNameError } from './files.js'
import { FileSourceError } from '../import/files/fileSources.js'
import { FileTableError } from '../import/files/fileTable.js'
import { ImportRefused } from '../import/importer.js'
import { addImportCommand, ImportInterrupted } from './importDump.js'
import { addInterwikiCommand } from './interwiki.js'
import { addMergeCommand } from './merge.js'
import { addPageCommand } from './page.js'
import { addReindexCommand, ReindexError } from './reindex.js'
import { ReplayError } from '../import/dumpSource.js'
import { addReplayCommand } from './replay.js'
import { addRevisionCommand } from './revision.js'
import { addServeCommand } from './serve.js'
import type { ServeSignals } from './serve/signals.js'
import { addSiteCommand, SiteKeyError } from './site.js'
import { addStatsCommand } from './stats.js'
import { CommandError } from './storeAccess.js'
import { TextInputError } from './texts/textInput.js'
import { addTokenCommand } from './token.js'
import { addUserCommand } from './user.js'
import { addVerifyCommand } from './verify.js'
import { productVersion } from '../version.js'

/** Errors whose message says all that the user needs, as do those of the system; any other is a fault of the program and keeps its trace. */
const USER_FAULTS = [
  SettingError,
  StoreError,
  StartError,
  DumpError,
  BackupError,
  ImportRefused,
  ImportInterrupted,
  ReindexError,
  SiteKeyError,
  ReplayError,
  TextInputError,
  CommandError,
  FileTableError,
  FileSourceError,
  FileNameError,
]

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
  if (!isUserFault(error) && !isSystemError(error)) {
    process.stderr.write(
      'palimpsest: this is a fault of the program; please report it with the lines below\n',
    )
    throw error
  }
  process.stderr.write(`palimpsest: ${error.message}\n`)
  process.exitCode = error instanceof TextInputError ? error.exitStatus : 1
}

const isUserFault = (error: unknown): error is Error =>
  error instanceof Error && USER_FAULTS.some((kind) => error instanceof kind)

/** The system refused a call, as for a folder that cannot be written, or a packed file is damaged. */
function isSystemError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const { syscall, code } = error as NodeJS.ErrnoException
  return syscall !== undefined || (code?.startsWith('Z_') ?? false)
}
