/** `palimpsest upgrade`: converts a store of an older format to this version's. */
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'

export function addUpgradeCommand(program: Command): void {
  const command = program
    .command('upgrade')
    .summary('convert a store of an older format')
    .description(
      'Convert a store of an older format. The old store stays as it is until the new one is complete.',
    )
    .option('--accept-problems', 'use the new store although verify finds problems in it')
  addSettings(command, 'upgrade').action(async ({ acceptProblems = false }: { acceptProblems?: boolean }) => {
    const { dataDir, indexThreads } = readSettings(givenFlags(command))
    const { upgradeStore } = await import('./upgrade/upgradeStore.js')
    await upgradeStore({ dataDir, indexThreads, acceptProblems })
  })
}
