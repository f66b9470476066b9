/** What the commands of a cluster have in common. */
import { readSecret } from '../../auth/settingFiles.js'
import type { Config } from '../../config/config.js'
import { EngineError, type LogEngine, UnusableEngineError } from '../../log/logEngine.js'
import { openEngine } from '../../log/openEngine.js'
import type { Membership } from '../../storage/tables/meta.js'
import type { Store } from '../../storage/store.js'
import { CommandError } from '../commandError.js'

/** Opens the engine for the duration of `action`. Throws a CommandError when it cannot be used. */
export async function withEngine<Result>(
  address: string,
  action: (engine: LogEngine) => Promise<Result>,
): Promise<Result> {
  if (address === '') throw new CommandError('name the shared log with --log, or in PALIMPSEST_LOG')
  let engine: LogEngine | undefined
  try {
    engine = await openEngine(address)
    return await action(engine)
  } catch (error) {
    if (error instanceof EngineError || error instanceof UnusableEngineError)
      throw new CommandError(error.message, { cause: error })
    throw error
  } finally {
    await engine?.close()
  }
}

/** Throws a CommandError for a store that has its own log. */
export function requireMembership(store: Store): Membership {
  const membership = store.log.membership()
  if (membership === undefined) throw new CommandError('this store is not a node of a cluster')
  return membership
}

/** Throws a CommandError without the setting, and a SettingError for a file that has no secret. */
export function requireSecret({ clusterTokenFile }: Pick<Config, 'clusterTokenFile'>): string {
  if (clusterTokenFile === '')
    throw new CommandError('give the secret of the cluster with --cluster-token-file')
  return readSecret('clusterTokenFile', clusterTokenFile).toString()
}
