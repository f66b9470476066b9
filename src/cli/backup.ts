/** `palimpsest backup`: copies the wiki while servers use it. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { wholeNumber } from './arguments.js'
import { addExamples } from './help.js'
import type { Told } from './backup/unfinished.js'

export function addBackupCommand(program: Command): void {
  const command = program
    .command('backup')
    .summary('copy the wiki while it is in use')
    .description(
      'Copy the store and the files of a wiki, as of one moment, while servers and imports go on.\n' +
        'The copy is a data folder: every command takes it as --data-dir.',
    )
    .argument('<dir>', 'new data folder for the copy; with --keep, the folder of all backups')
    .option(
      '--keep <n>',
      'name the copy by the time, verify it, then remove the oldest until <n> are left',
      wholeNumber(6),
    )
  addSettings(command, 'backup')
  addExamples(command, [
    ['one copy, in a new folder', 'palimpsest backup --data-dir data /backups/monday'],
    ['a dated copy; the newest 14 stay', 'palimpsest backup --data-dir data --keep 14 /backups'],
  ])
  command.action(async (folder: string, { keep }: { keep?: number }) => {
    const { dataDir } = readSettings(givenFlags(command))
    const told: Told = {
      tell: (line) => process.stdout.write(`${line}\n`),
      warn: (line) => process.stderr.write(`${line}\n`),
    }
    const { backUp, backUpDated, verifyBackup: verify } = await import('./backup/backUp.js')
    if (keep === undefined) await backUp(dataDir, resolve(folder), told)
    else await backUpDated(dataDir, { folder: resolve(folder), keep, time: Date.now(), verify }, told)
  })
}
