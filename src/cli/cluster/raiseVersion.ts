/** Raises the version of the entries in the shared log. */
import type { Config } from '../../config/config.js'
import { NEWEST_VERSION } from '../../storage/apply/entryKinds.js'
import { withStore } from '../storeAccess.js'
import { requireMembership } from './shared.js'

export async function raiseVersion(config: Pick<Config, 'dataDir' | 'log'>): Promise<void> {
  await withStore(config, async (store, apply) => {
    const { version } = requireMembership(store)
    if (version >= NEWEST_VERSION) {
      process.stdout.write(`the log has version ${version}, the newest that this program knows\n`)
      return
    }
    await apply({ kind: 'gate', version: NEWEST_VERSION })
    process.stdout.write(`the log has version ${NEWEST_VERSION} now, before ${version}\n`)
  })
}
