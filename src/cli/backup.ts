/** `palimpsest backup`: copies the store while it is in use. */
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { backUp, backUpDated } from './backup/backUp.js'
import type { Told } from './backup/unfinished.js'

export function addBackupCommand(program: Command): void {
  const command = program
    .command('backup')
    .description('copy the store and the files of a wiki while servers and imports go on')
    .argument('<dir>', 'new data folder for the copy; with --keep, the folder of all backups')
    .option(
      '--keep <n>',
      'name the copy by the time, and remove the oldest copies until <n> are left',
      parseKeep,
    )
  addSettings(command, 'backup').action(async (folder: string, { keep }: { keep?: number }) => {
    const { dataDir } = readSettings(givenFlags(command))
    const told: Told = {
      tell: (line) => process.stdout.write(`${line}\n`),
      warn: (line) => process.stderr.write(`${line}\n`),
    }
    if (keep === undefined) await backUp(dataDir, resolve(folder), told)
    else await backUpDated(dataDir, { folder: resolve(folder), keep, time: Date.now() }, told)
  })
}

function parseKeep(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.')
  return Number(text)
}
