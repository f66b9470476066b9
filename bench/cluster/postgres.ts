/** PostgreSQL as the engine of a cluster under test: a real server that can be killed. */
import { setTimeout as delay } from 'node:timers/promises'
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
  startStandby,
} from '../../test/support/postgres.js'

export const MISSING_POSTGRES =
  postgresPrograms === undefined ? 'PostgreSQL is not installed (Debian: apt install postgresql)' : undefined

export interface Engine {
  readonly description: string
  /** For `--log`. */
  readonly address: string
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** Starts it, and waits until it answers. */
  start(): Promise<void>
}

const engineOf = (server: PostgresServer): Engine => ({
  description: 'PostgreSQL, one server',
  address: server.url().href,
  kill: () => server.kill(),
  start: () => server.start(),
})

export async function startPostgresEngine(): Promise<Engine> {
  return engineOf(await startPostgres())
}

/** A server that confirms a record once a standby has it too. */
export async function startPostgresPair(): Promise<Engine> {
  const server = await startPostgres()
  await startStandby(server)
  await server.sql(`alter system set synchronous_standby_names = '*'`)
  await server.sql('select pg_reload_conf()')
  while ((await server.sql(`select 1 from pg_stat_replication where sync_state = 'sync'`)).length === 0)
    await delay(50)
  return engineOf(server)
}
