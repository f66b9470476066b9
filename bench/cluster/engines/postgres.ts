/** PostgreSQL as the engine of a cluster under test. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
  startStandby,
} from '../../../test/support/postgres.js'
import { removeAfterFile } from '../../../test/support/cleanUp.js'
import type { Engine } from './engine.js'
import { replaceFolder } from './folders.js'

export const MISSING_POSTGRES =
  postgresPrograms === undefined ? 'PostgreSQL is not installed (Debian: apt install postgresql)' : undefined

/** `settings` are those of postgresql.conf. */
export async function startPostgresEngine(settings: Record<string, string> = {}): Promise<Engine> {
  return new PostgresUnderTest(await startPostgres(settings))
}

/** A server that confirms a record once a standby has it too. */
export async function startPostgresPair(): Promise<Engine> {
  const server = await startPostgres()
  await startStandby(server)
  await server.sql(`alter system set synchronous_standby_names = '*'`)
  await server.sql('select pg_reload_conf()')
  while ((await server.sql(`select 1 from pg_stat_replication where sync_state = 'sync'`)).length === 0)
    await delay(50)
  return new PostgresUnderTest(server)
}

/** A server that other machines of a network reach too. */
export async function startReachablePostgres(address: string, network: string): Promise<Engine> {
  const server = await startPostgres({ listen_addresses: `127.0.0.1,${address}` })
  appendFileSync(join(server.folder, 'pg_hba.conf'), `host all all ${network} trust\n`)
  await server.sql('select pg_reload_conf()')
  const url = server.url()
  url.hostname = address
  return new PostgresUnderTest(server, url.href)
}

class PostgresUnderTest implements Engine {
  readonly description = 'PostgreSQL, one server'
  readonly address: string
  readonly #server: PostgresServer
  readonly #copy: string

  constructor(server: PostgresServer, address = server.url().href) {
    this.#server = server
    this.address = address
    this.#copy = `${server.folder}.copy`
    removeAfterFile(this.#copy)
  }

  async killSome(): Promise<string> {
    await this.killAll()
    return 'PostgreSQL'
  }

  killAll(): Promise<void> {
    return this.#server.kill()
  }

  start(): Promise<void> {
    return this.#server.start()
  }

  async keepCopy(): Promise<void> {
    await this.killAll()
    replaceFolder(this.#copy, this.#server.folder)
    await this.start()
  }

  async putCopyBack(): Promise<void> {
    await this.killAll()
    replaceFolder(this.#server.folder, this.#copy)
    await this.start()
  }
}
