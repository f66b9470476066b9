/** A PostgreSQL server of a test's own, in a temporary folder, on a free port of 127.0.0.1. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chmodSync, chownSync, constants, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterFile, removeAfterFile } from './cleanUp.js'
import { freePort } from './ports.js'
import { childrenOf, isRunning } from './processes.js'

const PACKAGED = '/usr/lib/postgresql'
const POLL_MS = 25

/** Folder of the server's programs; undefined where PostgreSQL is not installed. */
export const postgresPrograms: string | undefined = findPrograms()

/** For names of suites that need PostgreSQL. */
export const whetherPostgres =
  postgresPrograms === undefined ? ' (skipped: PostgreSQL is not installed, see the package postgresql)' : ''

function findPrograms(): string | undefined {
  const packaged = (() => {
    try {
      return readdirSync(PACKAGED)
    } catch {
      return []
    }
  })()
  const newestFirst = packaged.sort((a, b) => Number(b) - Number(a))
  const folders = newestFirst.map((version) => join(PACKAGED, version, 'bin'))
  return [...folders, ...(process.env['PATH'] ?? '').split(delimiter)].find((folder) =>
    ['initdb', 'postgres'].every((program) => {
      try {
        accessSync(join(folder, program), constants.X_OK)
        return true
      } catch {
        return false
      }
    }),
  )
}

/** PostgreSQL refuses to run as root: `nobody` owns its folder and its processes then. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

export interface PostgresServer {
  readonly folder: string
  readonly port: number
  /** Address of a database, for a role that needs no password. */
  readonly url: (query?: string, role?: string, database?: string) => URL
  /** Runs statements as the owner of the server, and returns the rows of the last one. */
  readonly sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
  /** Ends all processes of the server with SIGKILL. */
  readonly kill: () => Promise<void>
  /** Stops all processes without ending them: connections stay open, and nobody answers. */
  readonly freeze: () => void
  readonly thaw: () => void
  /** Starts the server after a kill, and waits until it answers. */
  readonly start: () => Promise<void>
}

/** Starts a server that ends after the tests of the file. `settings` are those of postgresql.conf. */
export function startPostgres(settings: Record<string, string> = {}): Promise<PostgresServer> {
  return startWith(['initdb', '-U', 'postgres', '-A', 'trust', '--no-sync'], settings)
}

/** Starts a standby of a server, which follows it until `pg_promote()`. */
export function startStandby({ port }: PostgresServer): Promise<PostgresServer> {
  const primary = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
  return startWith(['pg_basebackup', ...primary, '-R', '-X', 'stream', '-c', 'fast'], {})
}

/** Starts a server on a folder that a program fills. */
async function startWith(
  [program, ...flags]: readonly string[],
  settings: Record<string, string>,
): Promise<PostgresServer> {
  if (postgresPrograms === undefined) throw new Error('PostgreSQL is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-postgres-'))
  removeAfterFile(folder)
  chmodSync(folder, 0o700)
  if (NOBODY) chownSync(folder, NOBODY.uid, NOBODY.gid)
  const environment = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' }
  const asOwner = { ...NOBODY, cwd: folder, env: environment }
  execFileSync(join(postgresPrograms, program!), ['-D', folder, ...flags], { ...asOwner, stdio: 'pipe' })
  const server = new Server(folder, await freePort(), settings, asOwner)
  afterFile(server.kill)
  await server.start()
  return server
}

class Server implements PostgresServer {
  readonly folder: string
  readonly port: number
  readonly #settings: Record<string, string>
  readonly #asOwner: Record<string, unknown>
  #process: ChildProcess | undefined

  constructor(
    folder: string,
    port: number,
    settings: Record<string, string>,
    asOwner: Record<string, unknown>,
  ) {
    this.folder = folder
    this.port = port
    this.#settings = settings
    this.#asOwner = asOwner
  }

  readonly url = (query = '', role = 'postgres', database = 'postgres'): URL =>
    new URL(`postgres://${role}@127.0.0.1:${this.port}/${database}${query}`)

  readonly sql = async (text: string, values?: unknown[]): Promise<Record<string, unknown>[]> => {
    // Also while a test sets the server to read-only.
    const options = '-c default_transaction_read_only=off'
    const client = new pg.Client({ connectionString: this.url().href, options })
    client.on('error', () => undefined)
    await client.connect()
    try {
      const result = await client.query<Record<string, unknown>>(text, values)
      return [result].flat().at(-1)!.rows
    } finally {
      await client.end()
    }
  }

  readonly start = async (): Promise<void> => {
    const settings = Object.entries({
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: this.folder,
      ...this.#settings,
    })
    const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])
    // The last server's processes can hold its shared memory a moment longer.
    rmSync(join(this.folder, 'postmaster.pid'), { force: true })
    this.#process = spawn(join(postgresPrograms!, 'postgres'), ['-D', this.folder, ...flags], {
      ...this.#asOwner,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    this.#process.stderr?.on('data', (words: Buffer) => (said = (said + words.toString()).slice(-4000)))
    for (;;) {
      if (this.#process.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`)
      const answers = await this.sql('select 1').then(
        () => true,
        () => false,
      )
      if (answers) return
      await delay(POLL_MS)
    }
  }

  readonly kill = async (): Promise<void> => {
    const main = this.#process
    if (main?.pid === undefined || main.exitCode !== null || main.signalCode !== null) return
    // The main process stands still while we list the others, so that it starts no more of them.
    main.kill('SIGSTOP')
    const others = childrenOf(main.pid)
    const ended = once(main, 'exit')
    for (const pid of [main.pid, ...others]) kill(pid, 'SIGKILL')
    await ended
    while (others.some(isRunning)) await delay(POLL_MS)
  }

  readonly freeze = (): void => this.#signalAll('SIGSTOP')
  readonly thaw = (): void => this.#signalAll('SIGCONT')

  #signalAll(signal: NodeJS.Signals): void {
    const main = this.#process!.pid!
    for (const pid of [main, ...childrenOf(main)]) kill(pid, signal)
  }
}

/** A process of the server may end by itself. */
function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
