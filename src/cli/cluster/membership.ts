/** Changes the log of a store: to one that the nodes of a cluster share, back to its own, or to a newer version. */
import { randomEntryId } from '../../storage/entries/entryIds.js'
import { foundingEpoch, joinLog, leaveLog } from '../../storage/apply/sharedEntries.js'
import { mayBeImporting } from '../../storage/lease.js'
import type { Store } from '../../storage/store.js'
import { type LogEngine, LogExistsError, type LogOrigin } from '../../log/logEngine.js'
import type { Config } from '../../config/config.js'
import { CommandError } from '../commandError.js'
import { withStore } from '../storeAccess.js'
import { requireMembership, withEngine } from './shared.js'
import { ApplyingRole } from '../../storage/applyingRole.js'
import { NEWEST_VERSION } from '../../storage/apply/entryKinds.js'

/** Founds a cluster: makes the shared log, and the store its first node. */
export async function found({ dataDir, log }: Pick<Config, 'dataDir' | 'log'>): Promise<void> {
  await withStore({ dataDir }, async (store) => {
    if (store.log.membership() !== undefined)
      throw new CommandError('this store is a node of a cluster already: see "palimpsest cluster status"')
    if (store.runningImport() !== undefined || mayBeImporting(store))
      throw new CommandError('an import has not ended: finish it first, since a shared log takes none')
    if (store.mirror.place() !== undefined)
      throw new CommandError('this store follows another wiki: a cluster cannot do that yet')
    await withEngine(log, async (engine) => {
      const origin = await makeLog(store, engine)
      joinLog(store, origin)
      process.stdout.write(
        `log ${origin.epoch} begins after entry ${origin.sequence} in ${engine.description}\n`,
      )
      process.stdout.write(
        'Start the server again with --log, and let others join: "palimpsest cluster join"\n',
      )
      for (const warning of await engine.warnings()) process.stderr.write(`warning: ${warning}\n`)
    })
  })
}

/** A log that an earlier attempt of this very store made is taken over. Nobody can have used it. */
async function makeLog(store: Store, engine: LogEngine): Promise<LogOrigin> {
  const origin = { epoch: foundingEpoch(store, randomEntryId()), ...store.position() }
  try {
    await engine.create(origin)
  } catch (error) {
    if (!(error instanceof LogExistsError)) throw error
    const before = await engine.origin()
    if (before?.epoch !== origin.epoch)
      throw new CommandError(refusalOf(before, origin, engine.description), { cause: error })
    // The store may have gone on since.
    await engine.drop()
    await engine.create(origin)
  }
  return origin
}

function refusalOf(before: LogOrigin | undefined, { sequence, digest }: LogOrigin, place: string): string {
  return before?.sequence === sequence && before.digest === digest
    ? `a store with the same history has founded a cluster in ${place}: make this machine a node with "palimpsest cluster join"`
    : `there is a log of another wiki or cluster in ${place}: choose another name with ?log=NAME`
}

/** Gives the store of a node its own log again. */
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

/** Raises the version of the entries in the shared log. */
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
