/** `palimpsest replay`: rebuilds a store from the log of another one, and compares the two. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { CommandError } from './commandError.js'

interface ReplayCommandOptions {
  readonly into: string
}

export function addReplayCommand(program: Command): void {
  const command = program
    .command('replay')
    .summary('rebuild a store from its log')
    .description(
      'Rebuild the store from its log in another data folder, and compare the two.\n' +
        'Exit status: 1 when they differ.',
    )
    .argument('[dump...]', 'the dumps that were imported; the log holds only the places of their pages')
    .requiredOption('--into <dir>', 'data folder of the new store, which must not have one')
  addSettings(command, 'replay').action(async (dumps: string[], { into }: ReplayCommandOptions) => {
    const { dataDir } = readSettings(givenFlags(command))
    if (existsSync(join(into, 'store')))
      throw new CommandError(`${into} has a store already: name another folder with --into`)
    const { replay } = await import('./replay/replay.js')
    await replay(dataDir, into, dumps)
  })
}
