/** Compares a node with the shared log. */
import { needsOperator, STATE_REASONS } from '../../cluster/nodeStatus.js'
import type { Config } from '../../config/config.js'
import { SharedLog } from '../../log/sharedLog.js'
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
      const state = await shared.check(store.log.mark())
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
        engine: engine.description,
      }
      if (asJson) process.stdout.write(`${JSON.stringify({ ...status, warnings })}\n`)
      else {
        printTable(Object.entries(status).map(([name, value]) => [name, String(value)]))
        process.stdout.write(`${isThere ? wordsFor(state, bounds.last! - position) : GONE}\n`)
        for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`)
      }
      if (needsOperator(state)) process.exitCode = 1
    }),
  )
}

const GONE = 'the log is gone: "palimpsest cluster restore" makes it again from the entries of this node'

function wordsFor(state: Awaited<ReturnType<SharedLog['check']>>, missing: number): string {
  if (state !== 'same') return STATE_REASONS[state]
  return missing === 0
    ? 'this node has applied the whole log'
    : `this node has yet to apply ${missing} entries`
}
