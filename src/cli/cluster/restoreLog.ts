/** Puts entries back into the shared log that it has lost, and that this node still has. */
import type { Config } from '../../config/config.js'
import { countPositions, type Span } from '../../log/compareRecords.js'
import { type LogEngine, LogTakenError } from '../../log/logEngine.js'
import { SharedLog } from '../../log/sharedLog.js'
import type { Store } from '../../storage/store.js'
import { CommandError } from '../commandError.js'
import { confirm, withStore } from '../storeAccess.js'
import { formatCount } from '../import/progress.js'
import { requireMembership, withEngine } from './shared.js'

/** Entries of one step. */
const AT_ONCE = 100

export async function restoreLog(
  { dataDir, log }: Pick<Config, 'dataDir' | 'log'>,
  isSure: boolean,
): Promise<void> {
  await withStore({ dataDir }, (store) =>
    withEngine(log, async (engine) => {
      await makeAgain(store, engine)
      const lost = await lostEntries(store, engine)
      if (lost.length === 0) {
        process.stdout.write('the log has all entries of this node\n')
        return
      }
      process.stdout.write(`the log has lost ${inWords(lost)}\n`)
      requireEntries(store, lost[0]!.from)
      if (!isSure && !(await confirm('Put them back?'))) throw new CommandError('nothing was put back')
      for (const span of lost) await putBack(store, engine, span)
      const rest = await lostEntries(store, engine)
      if (rest.length > 0) throw new CommandError(`the log still lacks ${inWords(rest)}`)
      process.stdout.write(`put back ${inWords(lost)}\n`)
    }),
  )
}

function inWords(spans: readonly Span[]): string {
  const parts = spans.map(({ from, to }) => `from ${from} to ${to}`)
  return `${formatCount(countPositions(spans))} entries, ${parts.join(', ')}`
}

/** Throws a CommandError if this node has cut its own log behind an entry. */
function requireEntries(store: Store, from: number): void {
  const { first } = store.log.bounds()
  if (first <= from) return
  throw new CommandError(
    `the log of this node begins at entry ${first}, since "palimpsest log cut" removed earlier ones: restore from another node`,
  )
}

async function putBack(store: Store, engine: LogEngine, { from, to }: Span): Promise<void> {
  for (let after = from - 1; after < to;) {
    const items = store.log.take(after, Math.min(AT_ONCE, to - after))
    if (items.length === 0) throw new CommandError(`this node does not have entry ${after + 1} itself`)
    try {
      await engine.restore(items.map(({ sequence, entry, row }) => ({ sequence, id: entry.id, bytes: row })))
    } catch (error) {
      if (!(error instanceof LogTakenError)) throw error
      throw new CommandError(`the log does not take entry ${after + 1}: ${error.message}`, { cause: error })
    }
    after += items.length
    if (process.stderr.isTTY) process.stderr.write(`\r${formatCount(after - from + 1)} entries`)
  }
}

/** Makes a log that is gone again, without entries. Throws a CommandError for another log. */
async function makeAgain(store: Store, engine: LogEngine): Promise<void> {
  const membership = requireMembership(store)
  const origin = await engine.origin()
  if (origin === undefined) {
    const { epoch, sequence, digest } = membership
    await engine.create({ epoch, sequence, digest })
    process.stdout.write('the log was gone, and was made again\n')
  } else if (origin.epoch !== membership.epoch)
    throw new CommandError('this node belongs to another log: see "palimpsest cluster status"')
}

/**
 * The entries of this node that the log lacks, those before its end too. Throws a CommandError if another entry is
 * there: this node and the log have different histories.
 */
async function lostEntries(store: Store, engine: LogEngine): Promise<Span[]> {
  const { epoch } = requireMembership(store)
  const { first, last } = await engine.bounds()
  const { sequence: position } = store.position()
  const kept = { from: Math.max(first, store.log.bounds().first), to: Math.min(last, position) }
  const { differsAt, lost } = await new SharedLog(engine, epoch).compareRecords(store.log, kept)
  if (differsAt !== undefined)
    throw new CommandError(
      `this node and the log differ at entry ${differsAt}: see "palimpsest cluster inspect", and choose a side`,
    )
  return last < position ? [...lost, { from: last + 1, to: position }] : [...lost]
}
