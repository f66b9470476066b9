/** Flags of `make cluster`. */
import { parseArgs } from 'node:util'

export interface ClusterOptions {
  /** Fewest edits and creations that the clients send. They go on until all faults have happened. */
  readonly operations: number
  readonly clients: number
  readonly pages: number
  /** Mean pause of a client between two operations. */
  readonly thinkMs: number
  /** Kills of server processes and of whole nodes. */
  readonly kills: number
  readonly engineKills: number
  /** How long a node stands still. 0: none does. */
  readonly pauseSeconds: number
  readonly seed: number
}

const FULL = { operations: 10_000, kills: 30, engineKills: 10, pauseSeconds: 60, thinkMs: 150 }
const QUICK = { operations: 2000, kills: 6, engineKills: 2, pauseSeconds: 12, thinkMs: 50 }

export const HELP = `Usage: make cluster [CLUSTER="options"]

Runs three nodes on one machine, breaks them, and checks that no edit is lost.

  --quick            smaller and shorter: about a minute
  --operations N     edits and creations (${FULL.operations}; quick ${QUICK.operations})
  --clients N        clients (24)
  --pages N          hot pages (100)
  --think-ms N       mean pause of a client (${FULL.thinkMs}; quick ${QUICK.thinkMs})
  --kills N          SIGKILLs of server processes and nodes (${FULL.kills}; quick ${QUICK.kills})
  --engine-kills N   SIGKILLs of the engine (${FULL.engineKills}; quick ${QUICK.engineKills})
  --pause-seconds N  how long a node stands still (${FULL.pauseSeconds}; quick ${QUICK.pauseSeconds})
  --seed N           chooses the moments and victims of faults (1)`

/** Undefined: only the help was asked for. Throws for an unknown flag or a wrong value. */
export function readClusterOptions(
  args: readonly string[] = process.argv.slice(2),
): ClusterOptions | undefined {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      operations: text,
      clients: text,
      pages: text,
      'think-ms': text,
      kills: text,
      'engine-kills': text,
      'pause-seconds': text,
      seed: text,
      quick: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return undefined
  const size = values.quick ? QUICK : FULL
  const number = (name: Exclude<keyof typeof values, 'quick' | 'help'>, otherwise: number): number => {
    const given = values[name]
    if (given === undefined) return otherwise
    if (!/^\d{1,9}$/.test(given)) throw new Error(`--${name} takes a whole number, not "${given}"`)
    return Number(given)
  }
  return {
    operations: number('operations', size.operations),
    clients: number('clients', 24),
    pages: number('pages', 100),
    thinkMs: number('think-ms', size.thinkMs),
    kills: number('kills', size.kills),
    engineKills: number('engine-kills', size.engineKills),
    pauseSeconds: number('pause-seconds', size.pauseSeconds),
    seed: number('seed', 1),
  }
}
