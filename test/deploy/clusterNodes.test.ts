/** deploy/prepare-node and deploy/cluster/haproxy.cfg with real nodes, whose log is on a PostgreSQL server. */
// @module-tag cluster
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { send, temporaryFolder } from '../conformance/garden.js'
import { afterFile } from '../support/cleanUp.js'
import { freePort } from '../support/ports.js'
import { postgresPrograms, type PostgresServer, startPostgres, whetherPostgres } from '../support/postgres.js'
import { isInstalled } from './proxies.js'

const REPOSITORY = join(import.meta.dirname, '../..')
const DEPLOY = join(REPOSITORY, 'deploy')
const HANDBOOK = join(REPOSITORY, 'sample/handbook.xml')
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`

let engine: PostgresServer
let folder: string
let ports: number[]

type Variables = Readonly<Record<string, string>>

const variables = (node: number, more: Variables = {}): Record<string, string> => ({
  PATH,
  PALIMPSEST_DATA_DIR: join(folder, `node${node}`, 'wiki'),
  PALIMPSEST_LOG: engine.url().href,
  PALIMPSEST_CLUSTER_TOKEN_FILE: join(folder, 'token'),
  PALIMPSEST_PEERS: ports.map((port) => `http://127.0.0.1:${port}`).join(),
  FOUNDER: 'elsewhere',
  ...more,
})

const FOUNDING: Variables = { FOUNDER: hostname(), DUMPS: HANDBOOK }

interface Outcome {
  readonly status: number | null
  readonly text: string
}

/** Runs a program with the environment of a node, and nothing else. */
async function runFor(env: Variables, program: string, ...args: string[]): Promise<Outcome> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (words: string) => (text += words))
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, text }
}

const prepare = (node: number, more?: Variables): Promise<Outcome> =>
  runFor(variables(node, more), join(DEPLOY, 'prepare-node'))

async function positionOf(node: number): Promise<string | undefined> {
  const { text } = await runFor(variables(node), join(REPOSITORY, 'bin/palimpsest'), 'cluster', 'status')
  return /^position +(\d+)$/m.exec(text)?.[1]
}

/** Starts the server of a node, and waits until it follows the log. */
async function serve(node: number): Promise<ChildProcess> {
  const args = ['serve', '--port', String(ports[node]), '--anonymous-edits', '--no-html']
  const child = spawn(join(REPOSITORY, 'bin/palimpsest'), args, { env: variables(node), stdio: 'ignore' })
  afterFile(() => end(child))
  await expect.poll(() => stateOf(node), { timeout: 20_000 }).toBe('same')
  return child
}

const stateOf = (node: number): Promise<string | undefined> =>
  send(ports[node]!, '/readyz', {}).then(
    ({ body }) => (body as { cluster?: { state: string } }).cluster?.state,
    () => undefined,
  )

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

const create = (port: number, title: string): ReturnType<typeof send> =>
  send(port, '/v1/page', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ title, source: title, comment: '', token: '+\\' }),
  })

describe.skipIf(postgresPrograms === undefined)(`nodes of a cluster${whetherPostgres}`, () => {
  beforeAll(async () => {
    engine = await startPostgres()
    folder = temporaryFolder()
    ports = [await freePort(), await freePort()]
    for (const node of [0, 1, 2]) mkdirSync(join(folder, `node${node}`))
    writeFileSync(join(folder, 'token'), 'a secret of more than 32 bytes, for tests\n')
  })

  test('wait for the founder', async () => {
    const { status, text } = await prepare(1)
    expect(status, text).toBe(1)
    expect(text).toContain('no node answers, and elsewhere founds the cluster')
    expect(readdirSync(join(folder, 'node1'))).toEqual([])
  })

  test('are founded once, and stay as they are', async () => {
    const first = await prepare(0, FOUNDING)
    expect(first.status, first.text).toBe(0)
    expect(first.text).toMatch(/log [0-9a-f]{32} begins after entry \d+ in PostgreSQL/)
    const position = await positionOf(0)
    expect(Number(position)).toBeGreaterThan(0)
    const again = await prepare(0, FOUNDING)
    expect(again.text).toBe(`prepare-node: ${join(folder, 'node0/wiki')} is there\n`)
    expect(await positionOf(0)).toBe(position)
  })

  test('are founded by an attempt that follows a killed one', async () => {
    const path = join(folder, 'node0/wiki')
    const position = await positionOf(0)
    renameSync(path, `${path}.founding`)
    const { status, text } = await prepare(0, FOUNDING)
    expect(status, text).toBe(0)
    expect(text).not.toContain('begins after entry')
    expect(existsSync(`${path}.founding`)).toBe(false)
    expect(await positionOf(0)).toBe(position)
  })

  test('do not get a second founder while none of them answers', async () => {
    const { status, text } = await prepare(2, { FOUNDER: hostname() })
    expect(status, text).toBe(1)
    expect(text).toContain('there is a log of another wiki or cluster')
    expect(existsSync(join(folder, 'node2/wiki'))).toBe(false)
  })

  test('copy one that answers, the founder too', async () => {
    await serve(0)
    for (const [node, more] of [
      [1, {}],
      [2, FOUNDING],
    ] as const) {
      const { status, text } = await prepare(node, more)
      expect(status, text).toBe(0)
      expect(text).toContain('is a copy of another node')
    }
    expect(readdirSync(join(folder, 'node2'))).toEqual(['wiki'])
    await serve(1)
    const created = await create(ports[1]!, 'From the second node')
    expect(created.status).toBe(201)
    const read = await send(ports[0]!, '/v1/page/From_the_second_node', {
      headers: { 'X-Log-Position': String(created.headers['x-log-position']) },
    })
    expect(read.status).toBe(200)
  })

  test.skipIf(!isInstalled('haproxy'))(
    'get requests from HAProxy, and edits only while they can save (needs haproxy)',
    async () => {
      const port = await startHaproxy()
      expect((await create(port, 'By way of HAProxy')).status).toBe(201)
      for (const path of ['/metrics', '/readyz', '/healthz', '/cluster/status'])
        expect((await send(port, path, {})).status, path).toBe(404)
      await engine.kill()
      // Its own answer has no JSON.
      await expect
        .poll(async () => (await create(port, 'While the engine is away')).body, { timeout: 20_000 })
        .toBeUndefined()
      expect((await send(port, '/v1/page/Main_Page', {})).status).toBe(200)
      await engine.start()
      const save = async (): Promise<number> => (await create(port, 'After it')).status
      await expect.poll(save, { timeout: 20_000 }).toBe(201)
    },
    60_000,
  )
})

/** Starts HAProxy with the configuration as shipped, in front of two nodes, and returns its port. */
async function startHaproxy(): Promise<number> {
  const port = await freePort()
  const text = readFileSync(join(DEPLOY, 'cluster/haproxy.cfg'), 'utf8')
    .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
    .replaceAll('node1:8080', `127.0.0.1:${ports[0]}`)
    .replaceAll('node2:8080', `127.0.0.1:${ports[1]}`)
    .replace(/^ +server node3 .*\n/gm, '')
  const path = join(folder, 'haproxy.cfg')
  writeFileSync(path, text)
  const checked = spawnSync('haproxy', ['-c', '-f', path], { encoding: 'utf8', env: { PATH } })
  expect(checked.status, checked.stderr).toBe(0)
  const child = spawn('haproxy', ['-f', path], { env: { PATH }, stdio: 'ignore' })
  afterFile(() => end(child))
  const status = (): Promise<number | undefined> =>
    send(port, '/v1/page/Main_Page', {}).then(
      (answer) => answer.status,
      () => undefined,
    )
  await expect.poll(status, { timeout: 10_000 }).toBe(200)
  return port
}
