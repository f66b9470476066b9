/** Compares a node with the shared log. */
import { LogProof, StateError } from '../../cluster/logProof.js'
import { needsOperator, STATE_REASONS } from '../../cluster/nodeStatus.js'
import type { Config } from '../../config/config.js'
import { type LogState, SharedLog } from '../../log/sharedLog.js'
import type { Store } from '../../storage/store.js'
import { printTable, withStore } from '../storeAccess.js'
import { requireMembership, withEngine } from './shared.js'

export async function showStatus(
  { dataDir, log }: Pick<Config, 'dataDir' | 'log'>,
  asJson: boolean,
): Promise<void> {
  await withStore({ dataDir }, (store) =>
    withEngine(log, async (engine) => {
      const { epoch, sequence: origin, version } = requireMembership(store)
      const shared = new SharedLog(engine, epoch)
      const { state, lost } = await compare(store, shared)
      const isThere = (await engine.origin()) !== undefined
      const bounds = isThere ? await engine.bounds() : { first: null, last: null }
      const warnings = await engine.warnings()
      const { sequence: position, digest } = store.position()
      const status = {
        state,
        epoch,
        origin,
        version,
        position,
        digest,
        ...bounds,
        lost,
        engine: engine.description,
      }
      if (asJson) process.stdout.write(`${JSON.stringify({ ...status, warnings })}\n`)
      else {
        printTable(Object.entries(status).map(([name, value]) => [name, String(value)]))
        process.stdout.write(`${isThere ? wordsFor(state, bounds.last! - position) : GONE}\n`)
        if (lost > 0) process.stdout.write(LOST)
        for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`)
      }
      if (needsOperator(state) || lost > 0) process.exitCode = 1
    }),
  )
}

/** Compares the newest entries of this node with the log. `lost`: those that the log has lost. */
async function compare(store: Store, log: SharedLog): Promise<{ state: LogState; lost: number }> {
  const { state } = await log.compare(store.log.mark())
  if (state !== 'same') return { state, lost: 0 }
  const proof = new LogProof(store)
  try {
    await proof.prove(log)
    return { state, lost: proof.lost }
  } catch (error) {
    if (error instanceof StateError) return { state: error.state, lost: 0 }
    throw error
  }
}

const LOST =
  'the log has lost entries that this node has: "palimpsest cluster restore" puts them back for other nodes\n'
const GONE = 'the log is gone: "palimpsest cluster restore" makes it again from the entries of this node'

function wordsFor(state: LogState, missing: number): string {
  if (state !== 'same') return STATE_REASONS[state]
  return missing === 0
    ? 'this node has applied the whole log'
    : `this node has yet to apply ${missing} entries`
}
