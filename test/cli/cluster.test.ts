/** `palimpsest cluster`, and other commands on a node, with a real PostgreSQL. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { originalPath } from '../../src/files/originals.js'
import { folderOfFile } from '../support/cleanUp.js'
import { COMMAND, type CommandResult, NO_HTML, run, type Run, startProcess } from '../support/command.js'
import { ADDRESS, portOf } from '../support/command.js'
import { png } from '../support/pictures.js'
import { type PostgresServer, postgresPrograms, startPostgres, whetherPostgres } from '../support/postgres.js'
import { openFolder, temporaryStore } from '../support/store.js'

const folder = folderOfFile()
const FIXTURE = join(import.meta.dirname, '../fixtures/garden.xml')
const token = join(folder, 'token.txt')
const otherToken = join(folder, 'other.txt')

/** Runs a command beside servers of this test. */
function command(parts: readonly string[], log = ''): Promise<CommandResult> {
  const env = { PATH: process.env['PATH'], ...(log !== '' && { PALIMPSEST_LOG: log }) }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [COMMAND, ...parts], { env }, (_error, out, err) =>
      resolve({ status: child.exitCode, out, err }),
    )
  })
}

const cluster = (name: string, dataDir: string, log: string, ...more: string[]): Promise<CommandResult> =>
  command(['cluster', name, '--data-dir', dataDir, ...more], log)

const said = (pattern: RegExp): string => expect.stringMatching(pattern) as string
const withToken = ['--cluster-token-file', token]

async function wiki(name: string): Promise<string> {
  const dataDir = join(folder, name)
  const { status, err } = await command(['import', '--data-dir', dataDir, FIXTURE])
  expect([status, err]).toEqual([0, expect.any(String)])
  return dataDir
}

async function serveNode(
  dataDir: string,
  log: string,
  ...flags: string[]
): Promise<{ port: number; server: Run }> {
  const own = ['--data-dir', dataDir, '--port', '0', '--processes', '1', '--log', log, NO_HTML]
  const server = run('serve', ...own, ...withToken, ...flags)
  return { port: portOf(await server.printed(ADDRESS)), server }
}

async function stop({ server }: { server: Run }): Promise<void> {
  server.child.kill('SIGTERM')
  expect(await server.exit).toBe(0)
}

describe.skipIf(postgresPrograms === undefined)(`a cluster on PostgreSQL${whetherPostgres}`, () => {
  let postgres: PostgresServer
  const logNamed = (name: string): string => postgres.url(`?log=${name}`).href
  beforeAll(async () => {
    writeFileSync(token, 'the secret of the cluster of this test')
    writeFileSync(otherToken, 'another secret, which is as long as that')
    postgres = await startPostgres()
  })

  test('is founded once, and joined, asked and left', async () => {
    const [first, second, log] = [await wiki('first'), join(folder, 'second'), logNamed('life')]
    expect(await cluster('init', first, log)).toMatchObject({ status: 0, out: said(/begins after entry/) })
    expect(await cluster('init', first, log)).toMatchObject({
      status: 1,
      err: said(/node of a cluster already/),
    })
    const one = await serveNode(first, log)
    const from = `http://127.0.0.1:${one.port}`
    const join2 = (...more: string[]) => cluster('join', second, log, '--from', from, ...more)

    expect(await join2('--cluster-token-file', otherToken)).toMatchObject({ status: 1, err: said(/secret/) })
    expect(await join2()).toMatchObject({ status: 1, err: said(/--cluster-token-file/) })
    mkdirSync(second)
    writeFileSync(join(second, 'mine'), '')
    expect(await join2(...withToken)).toMatchObject({ status: 1, err: said(/not empty/) })
    expect(readdirSync(second)).toEqual(['mine'])
    const third = join(folder, 'third')
    expect(await cluster('join', third, log, '--from', from, ...withToken)).toMatchObject({ status: 0 })
    expect(existsSync(`${third}.joining`)).toBe(false)

    const two = await serveNode(third, log, '--peers', from)
    const made = await command(['user', 'create', 'Ann', '--data-dir', first], log)
    expect(made).toMatchObject({ status: 0 })
    await expect.poll(async () => (await command(['user', 'list', '--data-dir', third])).out).toContain('Ann')
    const status = await cluster('status', first, log, '--json')
    expect(JSON.parse(status.out)).toMatchObject({ state: 'same', position: expect.any(Number) as number })
    expect((await cluster('status', first, log)).out).toContain('applied the whole log')
    const inspected = await command([
      ...['cluster', 'inspect', from, `http://127.0.0.1:${two.port}`, ...withToken],
    ])
    expect(inspected).toMatchObject({ status: 0, out: said(/same history/) })
    await stop(two)
    const silent = await command(['cluster', 'inspect', from, `http://127.0.0.1:${two.port}`, ...withToken])
    expect(silent).toMatchObject({
      status: 1,
      out: said(/does not answer/),
      err: said(/not all nodes answer/),
    })

    expect(await cluster('leave', first, log)).toMatchObject({ status: 1, err: said(/stop it first/) })
    await stop(one)
    expect(await cluster('upgrade', first, log)).toMatchObject({ status: 0, out: said(/the newest/) })
    expect(await cluster('restore', first, log)).toMatchObject({ status: 0, out: said(/has all entries/) })
    expect(await cluster('leave', first, log)).toMatchObject({ status: 0, out: said(/its own log again/) })
    expect(await cluster('leave', third, log, '--drop-log')).toMatchObject({
      status: 0,
      out: said(/removed/),
    })
    expect(await cluster('status', first, log)).toMatchObject({ status: 1, err: said(/not a node/) })
    expect(await command(['verify', '--data-dir', first])).toMatchObject({ status: 0 })
  })

  test('has files of any node on all of them', async () => {
    const [first, log] = [await wiki('filesOne'), logNamed('files')]
    const second = join(folder, 'filesTwo')
    const picture = join(folder, 'Plan.png')
    const late = join(folder, 'Late.png')
    writeFileSync(picture, await png(40, 30))
    writeFileSync(late, await png(50, 30))
    expect(await command(['files', 'import', '--data-dir', first, picture])).toMatchObject({ status: 0 })
    expect(await cluster('init', first, log)).toMatchObject({ status: 0 })
    const one = await serveNode(first, log)
    const from = `http://127.0.0.1:${one.port}`
    expect(await cluster('join', second, log, '--from', from, ...withToken)).toMatchObject({
      status: 0,
      out: said(/1 files/),
    })
    const two = await serveNode(second, log, '--peers', from)
    expect(await command(['files', 'import', '--data-dir', first, late])).toMatchObject({
      status: 1,
      err: said(/give --log/),
    })
    expect(await command(['files', 'import', '--data-dir', first, late], log)).toMatchObject({ status: 0 })
    const store = openFolder(second)
    const factsOf = (name: string) => {
      store.refresh()
      return store.getFile(name)
    }
    await expect.poll(() => factsOf('Late.png')?.sha256).toBeTypeOf('string')
    const sha256 = factsOf('Late.png')!.sha256!
    const answer = await fetch(`http://127.0.0.1:${two.port}/media/${sha256.slice(0, 16)}/Late.png`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(existsSync(originalPath(second, sha256))).toBe(true)
    expect(await command(['verify', '--data-dir', second])).toMatchObject({ status: 0 })

    expect(await command(['files', 'remove', '--data-dir', first, 'Plan.png'], log)).toMatchObject({
      status: 0,
    })
    await expect.poll(() => factsOf('Plan.png')).toBeUndefined()
    const table = join(folder, 'table.tsv')
    writeFileSync(table, 'name\twidth\theight\nElsewhere.png\t4\t3\n')
    expect(await command(['files', 'describe', '--data-dir', first, table], log)).toMatchObject({ status: 0 })
    await expect.poll(() => factsOf('Elsewhere.png')?.width).toBe(4)
    await stop(two)
    await stop(one)
  })

  test('takes no imports, and serves with its log alone', async () => {
    const [first, other, log] = [await wiki('refusing'), await wiki('other'), logNamed('refusals')]
    expect(await cluster('init', first, log)).toMatchObject({ status: 0 })
    expect(await command(['user', 'create', 'Ann', '--data-dir', other])).toMatchObject({ status: 0 })
    expect(await cluster('init', other, log)).toMatchObject({
      status: 1,
      err: said(/another wiki or cluster/),
    })
    expect(await cluster('init', other, '')).toMatchObject({ status: 1, err: said(/--log/) })
    const away = await cluster('init', other, 'postgres://postgres@127.0.0.1:1/postgres')
    expect(away).toMatchObject({ status: 1, err: said(/127\.0\.0\.1/) })
    const { log: rest } = openFolder(other)
    expect(rest.membership()).toBeUndefined()

    const refused = { status: 1, err: said(/node of a cluster/) }
    expect(await command(['import', '--data-dir', first, FIXTURE])).toMatchObject(refused)
    const sql = join(folder, 'x-change_tag.sql')
    writeFileSync(
      sql,
      'CREATE TABLE `change_tag` (`ct_rev_id` int, `ct_tag_id` int);\nINSERT INTO `change_tag` VALUES (1,1);\n',
    )
    expect(await command(['import', '--data-dir', first, sql])).toMatchObject(refused)
    const follow = ['follow', '--data-dir', first, '--upstream', 'http://127.0.0.1:1/w/api.php', '--once']
    expect(await command([...follow, '--contact', 'a@b.example'])).toMatchObject(refused)
    expect(await command(['serve', '--data-dir', first])).toMatchObject({
      status: 1,
      err: said(/give --log/),
    })
    const stray = await command(['serve', '--data-dir', other, '--log', log])
    expect(stray).toMatchObject({ status: 1, err: said(/not a node of a cluster/) })
    const peers = ['serve', '--data-dir', first, '--log', log, '--peers', 'node2:8080']
    expect(await command(peers)).toMatchObject({ status: 1, err: said(/cluster-token-file/) })
    expect(await command([...peers, ...withToken])).toMatchObject({
      status: 1,
      err: said(/no list of addresses/),
    })
    expect(await command(['reindex', '--data-dir', first])).toMatchObject({ status: 0 })

    // A server that is no node is not copied.
    const port = await startProcess(other, NO_HTML, ...withToken)
    const from = `http://127.0.0.1:${port}`
    const copy = await cluster('join', join(folder, 'none'), log, '--from', from, ...withToken)
    expect(copy).toMatchObject({ status: 1, err: said(/not a node of a cluster/) })
    expect(existsSync(join(folder, 'none'))).toBe(false)
  })

  test('gets the tail back that its log has lost, unless it has cut it', async () => {
    const [first, name] = [await wiki('restoring'), 'lost']
    const log = logNamed(name)
    const create = (user: string) => command(['user', 'create', user, '--data-dir', first], log)
    const restore = (...more: string[]) => cluster('restore', first, log, ...more)
    expect(await cluster('init', first, log)).toMatchObject({ status: 0 })
    for (const user of ['Ann', 'Bob', 'Cid']) expect(await create(user)).toMatchObject({ status: 0 })
    const { position } = JSON.parse((await cluster('status', first, log, '--json')).out) as {
      position: number
    }
    const cut = (last: number) =>
      postgres.sql(
        `delete from palimpsest.record where log = '${name}' and sequence > ${last};` +
          `update palimpsest.log set last = ${last} where name = '${name}'`,
      )

    await cut(position - 2)
    const behind = await cluster('status', first, log)
    expect(behind).toMatchObject({ status: 1, out: said(/lost entries/) })
    const unsure = await restore()
    expect(unsure).toMatchObject({ status: 1, err: said(/add --yes/) })
    expect(await restore('--yes')).toMatchObject({ status: 0, out: said(/put back 2 entries/) })
    expect(await cluster('status', first, log)).toMatchObject({ status: 0, out: said(/whole log/) })
    expect(await create('Dan')).toMatchObject({ status: 0 })

    // This node has cut what the log has lost.
    const end = position + 1
    await cut(end - 2)
    expect(await command(['log', 'cut', '--before', String(end + 1), '--data-dir', first])).toMatchObject({
      status: 0,
    })
    expect(await restore('--yes')).toMatchObject({ status: 1, err: said(/restore from another node/) })
  })

  test('is not put back where somebody else wrote after the loss', async () => {
    const name = 'taken'
    const [first, log] = [await wiki(name), logNamed(name)]
    const restore = (...more: string[]) => cluster('restore', first, log, ...more)
    expect(await cluster('init', first, log)).toMatchObject({ status: 0 })
    for (const user of ['Ann', 'Bob', 'Cid'])
      expect(await command(['user', 'create', user, '--data-dir', first], log)).toMatchObject({ status: 0 })
    const { position } = JSON.parse((await cluster('status', first, log, '--json')).out) as {
      position: number
    }
    const cut = (last: number) =>
      postgres.sql(
        `delete from palimpsest.record where log = '${name}' and sequence > ${last};` +
          `update palimpsest.log set last = ${last} where name = '${name}'`,
      )
    await cut(position - 1)
    await postgres.sql(
      `insert into palimpsest.record (log, sequence, id, bytes)
         select log, ${position}, '${'ab'.repeat(16)}'::uuid, bytes from palimpsest.record
         where log = '${name}' and sequence = ${position - 1};
       update palimpsest.log set last = ${position} where name = '${name}'`,
    )
    expect(await restore('--yes')).toMatchObject({ status: 1, err: said(/differ at entry/) })
    expect(await cluster('leave', first, log, '--drop-log')).toMatchObject({ status: 0 })
    expect(await restore('--yes')).toMatchObject({ status: 1, err: said(/not a node/) })
  })

  test('has its log made again from a node when it is gone', async () => {
    const [first, log] = [await wiki('gone'), logNamed('gone')]
    expect(await cluster('init', first, log)).toMatchObject({ status: 0 })
    const create = (user: string) => command(['user', 'create', user, '--data-dir', first], log)
    expect(await create('Ann')).toMatchObject({ status: 0 })
    await postgres.sql(
      "delete from palimpsest.record where log = 'gone'; delete from palimpsest.log where name = 'gone'",
    )
    expect(await cluster('status', first, log)).toMatchObject({ status: 1, out: said(/log is gone/) })
    const restored = await cluster('restore', first, log, '--yes')
    expect(restored).toMatchObject({ status: 0, out: said(/was gone[^]*put back 1 entr/) })
    expect(await create('Bob')).toMatchObject({ status: 0 })
    expect(await cluster('status', first, log)).toMatchObject({ status: 0 })
  })
})

test('palimpsest log show names sessions and versions', async () => {
  const { store, applier, dataDir } = temporaryStore()
  const change = { expires: 99, secretHash: 'a'.repeat(64), action: 'close' } as const
  applier.submit({ kind: 'session', id: 'a'.repeat(32), time: 1, change })
  applier.submit({ kind: 'gate', id: 'b'.repeat(32), time: 1, version: 1 })
  await store.close()
  const { out } = await command(['log', 'show', '--data-dir', dataDir])
  expect(out).toMatch(/session {2}close {2}done\n.*gate {2}version 1/)
})
