/** Gives the store of a node its own log again. */
import type { Config } from '../../config/config.js'
import { ApplyingRole } from '../../storage/applyingRole.js'
import { leaveLog } from '../../storage/apply/sharedEntries.js'
import { CommandError } from '../commandError.js'
import { withStore } from '../storeAccess.js'
import { requireMembership, withEngine } from './shared.js'

export async function leaveCluster(
  { dataDir, log }: Pick<Config, 'dataDir' | 'log'>,
  dropsLog: boolean,
): Promise<void> {
  await withStore({ dataDir }, async (store) => {
    const { epoch } = requireMembership(store)
    // A server would go on applying the shared log.
    const role = new ApplyingRole(store)
    if (!role.take())
      throw new CommandError('a server of this node applies the log of the cluster: stop it first')
    if (dropsLog)
      await withEngine(log, async (engine) => {
        const origin = await engine.origin()
        if (origin !== undefined && origin.epoch !== epoch)
          throw new CommandError(`${engine.description} has the log of another cluster: it stays`)
        await engine.drop()
        process.stdout.write('the shared log is removed\n')
      })
    leaveLog(store)
    process.stdout.write(`this store has its own log again, from entry ${store.position().sequence + 1} on\n`)
  })
}
