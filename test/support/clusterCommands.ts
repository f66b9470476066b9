/** Commands and servers of nodes, whose log is on a real PostgreSQL. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect } from 'vitest'
import { folderOfFile } from './cleanUp.js'
import { ADDRESS, COMMAND, type CommandResult, NO_HTML, portOf, run, type Run } from './command.js'
import { type PostgresServer, startPostgres } from './postgres.js'

export const FIXTURE = join(import.meta.dirname, '../fixtures/garden.xml')

export interface NodeServer {
  readonly port: number
  readonly origin: string
  readonly server: Run
}

/** Matches a text of a command's output. */
export const said = (pattern: RegExp): string => expect.stringMatching(pattern) as string

/** Runs a command beside servers of this test. `log`: the shared log; empty: none. */
export function command(parts: readonly string[], log = ''): Promise<CommandResult> {
  const env = { PATH: process.env['PATH'], ...(log !== '' && { PALIMPSEST_LOG: log }) }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [COMMAND, ...parts], { env }, (_error, out, err) =>
      resolve({ status: child.exitCode, out, err }),
    )
  })
}

export const cluster = (
  name: string,
  dataDir: string,
  log: string,
  ...more: string[]
): Promise<CommandResult> => command(['cluster', name, '--data-dir', dataDir, ...more], log)

export async function stop({ server }: Pick<NodeServer, 'server'>): Promise<void> {
  server.child.kill('SIGTERM')
  expect(await server.exit).toBe(0)
}

/** What the tests of a file share. Call it while tests are collected: it starts PostgreSQL before they run. */
export class ClusterOfFile {
  readonly folder = folderOfFile()
  readonly #token = join(this.folder, 'token.txt')
  readonly withToken = ['--cluster-token-file', this.#token]
  #postgres: PostgresServer | undefined

  constructor() {
    beforeAll(async () => {
      writeFileSync(this.#token, 'the secret of the cluster of this test')
      this.#postgres = await startPostgres()
    })
  }

  sql(text: string): Promise<unknown> {
    return this.#postgres!.sql(text)
  }

  /** Address of a log. */
  logNamed(name: string): string {
    return this.#postgres!.url(`?log=${name}`).href
  }

  /** Data folder of a new wiki with some pages. */
  async wiki(name: string): Promise<string> {
    const dataDir = join(this.folder, name)
    const { status, err } = await command(['import', '--data-dir', dataDir, FIXTURE])
    expect([status, err]).toEqual([0, expect.any(String)])
    return dataDir
  }

  /** A wiki that has founded a cluster, with the address of its log. */
  async founded(name: string): Promise<[dataDir: string, log: string]> {
    const [dataDir, log] = [await this.wiki(name), this.logNamed(name)]
    expect(await cluster('init', dataDir, log)).toMatchObject({ status: 0 })
    return [dataDir, log]
  }

  async serve(dataDir: string, log: string, ...flags: string[]): Promise<NodeServer> {
    const own = ['--data-dir', dataDir, '--port', '0', '--processes', '1', '--log', log, NO_HTML]
    const server = run('serve', ...own, ...this.withToken, ...flags)
    const port = portOf(await server.printed(ADDRESS))
    return { port, origin: `http://127.0.0.1:${port}`, server }
  }

  /** Data folder of a new node: a copy of a running one. */
  async joined(name: string, from: string): Promise<string> {
    const dataDir = join(this.folder, name)
    expect(await cluster('join', dataDir, '', '--from', from, ...this.withToken)).toMatchObject({ status: 0 })
    return dataDir
  }

  inspect(...origins: string[]): Promise<CommandResult> {
    return command(['cluster', 'inspect', ...origins, ...this.withToken])
  }
}
