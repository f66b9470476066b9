/**
 * Connections to NATS, one at a time. The client's own reconnecting is off. It would carry readers and buffered records
 * over to another server, or to one that came back with an older disk, before anybody checks the log. So each
 * connection ends with its socket, with all that uses it, and the next call makes a new one.
 */
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { ConnectionOptions, NatsConnection, ServerInfo } from '@nats-io/transport-node'
import { EngineError, UnusableEngineError } from '../logEngine.js'
import type { Client } from './client.js'
import { within } from './deadline.js'
import { engineFailure } from './failures.js'
import { isOlder, OLDEST } from './versions.js'

/** Limit for a request, and for the wait for a connection. */
export const CALL_MS = 1000
/** Limit for one server to accept a connection. */
const DIAL_MS = 2000
/** The client's attempt to connect can hang for ever: when a server dies between its greeting and its first answer. */
const SPARE_MS = 1000
const CLOSE_MS = 2000
/** A connection without an answer to two pings in a row is lost. */
const PING_MS = 2000

export interface Link {
  readonly connection: NatsConnection
  readonly records: JetStreamClient
  readonly streams: JetStreamManager
  readonly server: ServerInfo
  /** Aborts when the connection ends. */
  readonly lost: AbortSignal
}

export interface Access {
  readonly hosts: readonly string[]
  readonly user?: string
  readonly password?: string
  readonly token?: string
  readonly isEncrypted: boolean
}

export class Connector {
  readonly #client: Client
  readonly #options: ConnectionOptions
  #link: Link | undefined
  #connecting: Promise<Link> | undefined
  #isClosed = false

  constructor(client: Client, access: Access) {
    this.#client = client
    this.#options = optionsFor(access)
  }

  /** A connection that lives; waits for it at most `limitMs`. */
  link(limitMs = CALL_MS): Promise<Link> {
    if (this.#isClosed) return Promise.reject(new EngineError('the connection to NATS has been closed'))
    if (this.#link !== undefined && isAlive(this.#link)) return Promise.resolve(this.#link)
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined))
    return within(this.#connecting, limitMs, () => {
      throw new EngineError('cannot connect to NATS: no server answered in time')
    })
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#connecting?.catch(() => undefined) // its caller has the error
    const connection = this.#link?.connection
    if (connection === undefined || connection.isClosed()) return
    await within(connection.drain(), CLOSE_MS, () => undefined).catch(ignoreClosed)
    await within(connection.close(), CLOSE_MS, () => undefined)
  }

  async #dial(core: Client['core']): Promise<NatsConnection> {
    const dialling = core.connect(this.#options)
    let isLate = false
    // Its error goes to those who still wait.
    dialling.then(
      (connection) => (isLate ? connection.close() : undefined),
      () => undefined,
    )
    const limitMs = (this.#options.servers?.length ?? 1) * DIAL_MS + SPARE_MS
    return within(dialling, limitMs, () => {
      isLate = true
      throw new EngineError('no server answered in time')
    })
  }

  async #connect(): Promise<Link> {
    const { core, jetStream } = this.#client
    const connection = await this.#dial(core).catch((error: unknown) => {
      throw engineFailure('cannot connect to NATS', error)
    })
    const server = connection.info!
    const refusal = this.#isClosed
      ? new EngineError('the connection has been closed')
      : refusalOf(server.version)
    if (refusal !== undefined) {
      await connection.close()
      throw refusal
    }
    const losing = new AbortController()
    void connection.closed().then(() => losing.abort())
    const streams = await jetStream.jetstreamManager(connection, { timeout: CALL_MS, checkAPI: false })
    const records = jetStream.jetstream(connection, { timeout: CALL_MS })
    return (this.#link = { connection, records, streams, server, lost: losing.signal })
  }
}

const isAlive = ({ lost, connection }: Link): boolean => !lost.aborted && !connection.isClosed()

function optionsFor({ hosts, user, password, token, isEncrypted }: Access): ConnectionOptions {
  return {
    servers: [...hosts],
    name: 'palimpsest',
    reconnect: false,
    timeout: DIAL_MS,
    pingInterval: PING_MS,
    noAsyncTraces: true,
    ...(token !== undefined && { token }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { pass: password }),
    ...(isEncrypted && { tls: {} }),
  }
}

function refusalOf(version: string): UnusableEngineError | undefined {
  if (!isOlder(version, OLDEST)) return undefined
  return new UnusableEngineError(
    `nats-server ${version} is too old: it can lose whole streams when its process is killed. ${OLDEST} is the oldest that works`,
  )
}

/** The connection may end while it drains. */
function ignoreClosed(error: unknown): void {
  if (!(error instanceof Error) || !/closed|disconnected|draining/i.test(error.message)) throw error
}
