/** Founds a cluster: makes the shared log, and the store its first node. */
import { randomEntryId } from '../../storage/entryIds.js'
import { joinLog } from '../../storage/apply/sharedEntries.js'
import { type LogEngine, LogExistsError, type LogOrigin } from '../../log/logEngine.js'
import type { Config } from '../../config/config.js'
import { CommandError } from '../commandError.js'
import { withStore } from '../storeAccess.js'
import { withEngine } from './shared.js'

export async function found({ dataDir, log }: Pick<Config, 'dataDir' | 'log'>): Promise<void> {
  await withStore({ dataDir }, async (store) => {
    if (store.log.membership() !== undefined)
      throw new CommandError('this store is a node of a cluster already: see "palimpsest cluster status"')
    if (store.runningImport() !== undefined)
      throw new CommandError('an import has not ended: finish it first, since a shared log takes none')
    if (store.mirror.place() !== undefined)
      throw new CommandError('this store follows another wiki: a cluster cannot do that yet')
    await withEngine(log, async (engine) => {
      const origin = await makeLog(engine, { epoch: randomEntryId(), ...store.position() })
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

/** Takes over a log that an earlier attempt made and that nobody has used. */
async function makeLog(engine: LogEngine, origin: LogOrigin): Promise<LogOrigin> {
  try {
    await engine.create(origin)
    return origin
  } catch (error) {
    if (!(error instanceof LogExistsError)) throw error
    const [before, { last }] = [await engine.origin(), await engine.bounds()]
    const isOurs = before?.sequence === origin.sequence && before.digest === origin.digest
    if (isOurs && last === origin.sequence) return before
    throw new CommandError(
      `there is a log of another wiki or cluster in ${engine.description}: choose another name with ?log=NAME`,
      { cause: error },
    )
  }
}
