/** Connections to PostgreSQL: a small pool for statements, and one of its own for each read. */
import { Socket } from 'node:net'
import type * as Postgres from 'pg'
import type { Client, ClientConfig, Pool, PoolClient } from 'pg'
import { EngineError, UnusableEngineError } from '../logEngine.js'
import { isOfStatement } from './failures.js'

const POOL_SIZE = 4
const CONNECT_MS = 1000
/** TCP probes an idle connection after this time. */
const KEEP_ALIVE_MS = 5000

/**
 * Settings of our sessions. Statements that wait for the head of the log give up before the node does. Otherwise their
 * processes pile up on the server while one of them waits for a standby. A cancelled wait for a standby only gives a
 * warning, so warnings must reach us. Append needs a new snapshot after it has locked the head. Sessions keep plans
 * that suited nearly empty tables, so none may walk over a whole table.
 */
const SESSION = {
  lock_timeout: '800ms',
  statement_timeout: '10s',
  client_min_messages: 'warning',
  default_transaction_isolation: 'read\\ committed',
  bytea_output: 'hex',
  enable_seqscan: 'off',
  jit: 'off',
}
const SESSION_OPTIONS = Object.entries(SESSION)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

/** The package `pg`, which is optional. */
export type PostgresPackage = Pick<typeof Postgres, 'Client' | 'Pool'>

/** Throws an UnusableEngineError when the package is not installed. `load` is another loader, for tests. */
export async function loadPostgres(
  load: () => Promise<{ default: PostgresPackage }> = () => import('pg'),
): Promise<PostgresPackage> {
  try {
    return (await load()).default
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UnusableEngineError(
      'a log on PostgreSQL needs the package pg: run "npm install pg@8.23.1" in the folder of the program',
      { cause: error },
    )
  }
}

export interface ReadConnection {
  readonly client: Client
  /** Below TLS, if there is TLS. */
  readonly socket: Socket
}

export class Connections {
  /** Host, port and database, for people. */
  readonly place: string
  readonly #package: PostgresPackage
  readonly #config: ClientConfig
  readonly #pool: Pool
  #closed: Promise<void> | undefined

  /** Throws an UnusableEngineError for an address that no connection can have. */
  constructor(pg: PostgresPackage, url: URL) {
    this.#package = pg
    this.#config = {
      connectionString: connectionString(url),
      fallback_application_name: 'palimpsest',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    }
    const { host, port, database } = this.#client({})
    this.place = `${host}:${port}, database ${database ?? '?'}`
    this.#pool = new pg.Pool({ ...this.#config, max: POOL_SIZE, idleTimeoutMillis: 0 })
    // The pool replaces connections that break, idle or not. Their statements get the error.
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
    this.#pool.on('error', () => undefined)
  }

  /**
   * Runs statements on a connection of the pool. After `limitMs`, it throws an EngineError and drops the connection.
   * The server may finish the statement all the same: a cancel request could end the wait for a standby.
   */
  async run<Result>(limitMs: number, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const endsMs = performance.now() + limitMs
    const client = await this.#pool.connect()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const error = new EngineError(`PostgreSQL did not answer within ${limitMs} ms`)
      timer = setTimeout(() => reject(error), Math.max(1, endsMs - performance.now()))
    })
    try {
      const result = await Promise.race([work(client), late])
      client.release()
      return result
    } catch (error) {
      client.release(!isOfStatement(error))
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** A connection outside the pool. Its caller destroys the socket. */
  async open(): Promise<ReadConnection> {
    const socket = new Socket()
    const client = this.#client({ stream: () => socket })
    // Queries get the errors of the connection too.
    client.on('error', () => undefined)
    try {
      await client.connect()
    } catch (error) {
      socket.destroy()
      throw error
    }
    return { client, socket }
  }

  close(): Promise<void> {
    this.#closed ??= this.#pool.end()
    return this.#closed
  }

  #client(more: ClientConfig): Client {
    return new this.#package.Client({ ...this.#config, ...more })
  }
}

/** The address with the settings of our sessions behind those of the operator. */
function connectionString(url: URL): string {
  if (!/^postgres(ql)?:$/.test(url.protocol)) {
    throw new UnusableEngineError(`the address begins with ${url.protocol}//, not postgres://`)
  }
  if (url.host.includes(',')) {
    throw new UnusableEngineError(
      'the address names several hosts: name one that always leads to the primary server, such as a proxy',
    )
  }
  const complete = new URL(url)
  const options = url.searchParams.get('options') ?? ''
  complete.searchParams.set('options', `${options} ${SESSION_OPTIONS}`.trim())
  return complete.href
}
