/** Puts entries back into the shared log that it has lost, and that this node still has. */
import type { Config } from '../../config/config.js'
import { type LogEngine, LogTakenError } from '../../log/logEngine.js'
import { entryHash } from '../../storage/entries.js'
import type { Store } from '../../storage/store.js'
import { CommandError } from '../commandError.js'
import { confirm } from '../erase/confirm.js'
import { formatCount } from '../import/progress.js'
import { withStore } from '../storeAccess.js'
import { requireMembership, withEngine } from './shared.js'

/** Entries of one step. */
const AT_ONCE = 100

export async function restoreLog(
  { dataDir, log }: Pick<Config, 'dataDir' | 'log'>,
  isSure: boolean,
): Promise<void> {
  await withStore({ dataDir }, (store) =>
    withEngine(log, async (engine) => {
      const last = await requireSameHistory(store, engine)
      const { sequence: position } = store.position()
      if (last >= position) {
        process.stdout.write('the log has all entries of this node\n')
        return
      }
      const count = `${formatCount(position - last)} entries, from ${last + 1} to ${position}`
      process.stdout.write(`the log has lost ${count}\n`)
      if (!isSure && !(await confirm('Put them back?'))) throw new CommandError('nothing was put back')
      await putBack(store, engine, last)
      process.stdout.write(`put back ${count}\n`)
    }),
  )
}

/** Throws a CommandError if this node has cut its own log behind an entry. */
function requireEntries(store: Store, from: number): void {
  const { first } = store.log.bounds()
  if (first <= from) return
  throw new CommandError(
    `the log of this node begins at entry ${first}, since "palimpsest log cut" removed earlier ones: restore from another node`,
  )
}

async function putBack(store: Store, engine: LogEngine, last: number): Promise<void> {
  for (let after = last; ;) {
    const items = store.log.take(after, AT_ONCE)
    if (items.length === 0) return
    try {
      await engine.restore(items.map(({ sequence, entry, row }) => ({ sequence, id: entry.id, bytes: row })))
    } catch (error) {
      if (!(error instanceof LogTakenError)) throw error
      throw new CommandError(`the log goes on otherwise after entry ${after}: ${error.message}`, {
        cause: error,
      })
    }
    after += items.length
    if (process.stderr.isTTY) process.stderr.write(`\r${formatCount(after - last)} entries`)
  }
}

/** The end of the log. Throws a CommandError unless this node has applied all that is left of the log. */
async function requireSameHistory(store: Store, engine: LogEngine): Promise<number> {
  const membership = requireMembership(store)
  const origin = await engine.origin()
  if (origin === undefined) {
    const { epoch, sequence, digest } = membership
    await engine.create({ epoch, sequence, digest })
    process.stdout.write('the log was gone, and was made again\n')
    return sequence
  }
  if (origin.epoch !== membership.epoch)
    throw new CommandError('this node belongs to another log: see "palimpsest cluster status"')
  const { first, last } = await engine.bounds()
  const { sequence: position } = store.position()
  const end = Math.min(last, position)
  const record = end < first ? undefined : await engine.record(end)
  requireEntries(store, record === undefined ? end + 1 : end)
  const [own] = store.log.take(end - 1, 1)
  const isSame = record === undefined || (own !== undefined && entryHash(own.row).equals(entryHash(record)))
  if (isSame) return last
  throw new CommandError(
    `this node and the log differ at entry ${end}: see "palimpsest cluster inspect", and choose a side`,
  )
}
