/** Starts the engine that a flag names. */
import type { EngineName } from '../options.js'
import { type Network, SWITCH_ADDRESS } from '../network.js'
import type { Engine } from './engine.js'
import { MISSING_NATS, startNatsEngine } from './nats.js'
import { MISSING_POSTGRES, startPostgresEngine, startReachablePostgres } from './postgres.js'

/** Says what this machine lacks for an engine; undefined: it has all. */
export const missingFor = (name: EngineName): string | undefined =>
  ({ postgres: MISSING_POSTGRES, nats: MISSING_NATS })[name]

/** Ends with `endFile` of test/support/cleanUp.ts, like all servers of tests. */
export const startEngine = (name: EngineName): Promise<Engine> =>
  name === 'postgres' ? startPostgresEngine() : startNatsEngine()

/** With three servers of NATS on three machines, and one of PostgreSQL at the switch. */
export function startEngineIn(network: Network, name: EngineName): Promise<Engine> {
  if (name === 'postgres') return startReachablePostgres(SWITCH_ADDRESS, '10.250.0.0/24')
  const machines = [1, 2, 3].map((n) => ({ address: network.address(n), under: network.under(n) }))
  return startNatsEngine(3, machines)
}
