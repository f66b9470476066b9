/** Other commands on a node of a cluster, with a real PostgreSQL: what they change comes to all nodes, or they refuse. */
// @module-tag cluster
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { originalPath } from '../../src/files/originals.js'
import type { Store } from '../../src/storage/store.js'
import {
  ClusterOfFile,
  cluster,
  command,
  FIXTURE,
  type NodeServer,
  said,
  stop,
} from '../support/clusterCommands.js'
import { NO_HTML, startProcess } from '../support/command.js'
import { png } from '../support/pictures.js'
import { postgresPrograms, whetherPostgres } from '../support/postgres.js'
import { snapshotLines } from '../support/snapshots.js'
import { openFolder } from '../support/store.js'

interface TwoNodes {
  readonly first: string
  readonly second: string
  readonly log: string
  readonly servers: readonly [NodeServer, NodeServer]
}

const pageOf = async ({ origin }: NodeServer, title: string): Promise<number> =>
  (await fetch(`${origin}/v1/page/${title}`)).status

describe.skipIf(postgresPrograms === undefined)(`commands on a node${whetherPostgres}`, () => {
  const own = new ClusterOfFile()

  async function twoNodes(name: string, dataDir?: string): Promise<TwoNodes> {
    const log = own.logNamed(name)
    const first = dataDir ?? (await own.wiki(`${name}1`))
    expect(await cluster('init', first, log)).toMatchObject({ status: 0 })
    const one = await own.serve(first, log)
    const second = await own.joined(`${name}2`, one.origin)
    return { first, second, log, servers: [one, await own.serve(second, log, '--peers', one.origin)] }
  }

  test('change site, protections and interwiki map on all nodes', async () => {
    const { first, second, log, servers } = await twoNodes('settings')
    const on = (dataDir: string, ...parts: string[]) => command([...parts, '--data-dir', dataDir], log)
    expect(await on(first, 'site', 'set', 'name', 'Allotment')).toMatchObject({ status: 0 })
    expect(await on(second, 'site', 'set', 'licenseTitle', 'Our own')).toMatchObject({ status: 0 })
    for (const dataDir of [first, second]) {
      const site = async () => (await command(['site', '--data-dir', dataDir])).out
      await expect.poll(site).toMatch(/name +Allotment[^]*licenseTitle +Our own/)
    }
    expect(await on(first, 'page', 'protect', 'Compost', '--edit', 'sysop')).toMatchObject({ status: 0 })
    const protection = () => {
      const store = openFolder(second)
      store.refresh()
      return store.getProtection({ namespace: 0, dbkey: 'Compost' }, 0)?.edit
    }
    await expect.poll(protection).toBe('sysop')
    expect(await on(second, 'interwiki', 'set', 'seeds', 'https://seeds.example/$1')).toMatchObject({
      status: 0,
    })
    const map = async () => (await command(['interwiki', '--data-dir', first])).out
    await expect.poll(map).toContain('seeds.example')
    // Without the log they change nothing.
    for (const parts of [
      ['site', 'set', 'name', 'Alone'],
      ['page', 'unprotect', 'Compost'],
      ['erase', '--page', 'Compost', '--yes'],
    ])
      expect(await command([...parts, '--data-dir', first])).toMatchObject({
        status: 1,
        err: said(/give --log/),
      })
    expect(await pageOf(servers[0], 'Compost')).toBe(200)
    for (const server of servers) await stop(server)
    for (const dataDir of [first, second])
      expect(await command(['verify', '--data-dir', dataDir])).toMatchObject({ status: 0 })
  })

  test('erase words on all nodes, and in their files', async () => {
    const { first, second, log, servers } = await twoNodes('erasing')
    const rows = (dataDir: string) =>
      readFileSync(join(dataDir, 'store', 'data.mdb')).includes('Compost is soil')
    expect([await pageOf(servers[1], 'Compost'), rows(second)]).toEqual([200, true])
    const erased = await command(['erase', '--page', 'Compost', '--yes', '--data-dir', first], log)
    expect(erased).toMatchObject({ status: 0, out: said(/erased/) })
    for (const server of servers) await expect.poll(() => pageOf(server, 'Compost')).toBe(404)
    await expect.poll(() => rows(second)).toBe(false)
    for (const server of servers) await stop(server)
    for (const dataDir of [first, second])
      expect(await command(['verify', '--data-dir', dataDir])).toMatchObject({ status: 0 })
  })

  test('bring files to all nodes, and take their contents away there', async () => {
    const dataDir = await own.wiki('files1')
    const [picture, late] = [join(own.folder, 'Plan.png'), join(own.folder, 'Late.png')]
    writeFileSync(picture, await png(40, 30))
    writeFileSync(late, await png(50, 30))
    expect(await command(['files', 'import', '--data-dir', dataDir, picture])).toMatchObject({ status: 0 })
    const { first, second, log, servers } = await twoNodes('files', dataDir)
    const on = (...parts: string[]) => command(['files', ...parts], log)
    expect(await command(['files', 'import', '--data-dir', first, late])).toMatchObject({
      status: 1,
      err: said(/give --log/),
    })
    expect(await on('import', '--data-dir', first, late)).toMatchObject({ status: 0 })
    const store = openFolder(second)
    const factsOf = (name: string): ReturnType<Store['getFile']> => {
      store.refresh()
      return store.getFile(name)
    }
    await expect.poll(() => factsOf('Late.png')?.sha256).toBeTypeOf('string')
    const sha256 = factsOf('Late.png')!.sha256!
    const answer = await fetch(`${servers[1].origin}/media/${sha256.slice(0, 16)}/Late.png`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(existsSync(originalPath(second, sha256))).toBe(true)
    expect(await command(['verify', '--data-dir', second])).toMatchObject({ status: 0 })

    const plan = originalPath(second, factsOf('Plan.png')!.sha256!)
    expect(existsSync(plan)).toBe(true)
    expect(await on('remove', '--data-dir', first, 'Plan.png')).toMatchObject({ status: 0 })
    await expect.poll(() => factsOf('Plan.png')).toBeUndefined()
    await expect.poll(() => existsSync(plan)).toBe(false)
    expect(existsSync(originalPath(second, sha256))).toBe(true)
    const table = join(own.folder, 'table.tsv')
    writeFileSync(table, 'name\twidth\theight\nElsewhere.png\t4\t3\n')
    expect(await on('describe', '--data-dir', first, table)).toMatchObject({ status: 0 })
    await expect.poll(() => factsOf('Elsewhere.png')?.width).toBe(4)
    for (const server of servers) await stop(server)
  })

  test('take no imports, and serve with their log alone', async () => {
    const [[first, log], other] = [await own.founded('refusing'), await own.wiki('other')]
    // Imports of the same dump have the same history: a user tells these wikis apart.
    expect(await command(['user', 'create', 'Ann', '--data-dir', other])).toMatchObject({ status: 0 })
    expect(await cluster('init', other, log)).toMatchObject({
      status: 1,
      err: said(/another wiki or cluster/),
    })
    expect(await cluster('init', other, '')).toMatchObject({ status: 1, err: said(/--log/) })
    const away = await cluster('init', other, 'postgres://postgres@127.0.0.1:1/postgres')
    expect(away).toMatchObject({ status: 1, err: said(/127\.0\.0\.1/) })
    expect(openFolder(other).log.membership()).toBeUndefined()

    const refused = { status: 1, err: said(/node of a cluster/) }
    const sql = join(own.folder, 'x-change_tag.sql')
    writeFileSync(
      sql,
      'CREATE TABLE `change_tag` (`ct_rev_id` int, `ct_tag_id` int);\nINSERT INTO `change_tag` VALUES (1,1);\n',
    )
    const snapshot = join(own.folder, 'pages.ndjson')
    writeFileSync(snapshot, snapshotLines([{ id: 1, title: 'Rose', revision: 11, text: 'red' }]))
    for (const source of [FIXTURE, sql, snapshot]) {
      expect(await command(['import', '--data-dir', first, source])).toMatchObject(refused)
      expect(await command(['import', '--data-dir', first, source], log)).toMatchObject(refused)
    }
    expect(openFolder(first).getPage(0, 'Rose')).toBeUndefined()
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
    expect(await command([...peers, ...own.withToken])).toMatchObject({
      status: 1,
      err: said(/no list of addresses/),
    })

    // A server that is no node is not copied.
    const port = await startProcess(other, NO_HTML, ...own.withToken)
    const from = `http://127.0.0.1:${port}`
    const copy = await cluster('join', join(own.folder, 'none'), log, '--from', from, ...own.withToken)
    expect(copy).toMatchObject({ status: 1, err: said(/not a node of a cluster/) })
    expect(existsSync(join(own.folder, 'none'))).toBe(false)
  })

  test('that concern one node alone work on it, beside its server', async () => {
    const [first, log] = await own.founded('alone')
    expect(await command(['user', 'create', 'Ann', '--data-dir', first], log)).toMatchObject({ status: 0 })
    const one = await own.serve(first, log)
    const digest = async (): Promise<unknown> =>
      /digest (\S+)/.exec((await command(['verify', '--digest', '--data-dir', first])).out)?.[1]
    const before = await digest()
    expect(before).toBeTypeOf('string')
    expect(await command(['reindex', '--data-dir', first])).toMatchObject({ status: 0 })
    expect(
      await command(['render', '--quiet', '--threads', '1', '--limit', '2', '--data-dir', first]),
    ).toMatchObject({
      status: 0,
      out: said(/\b2\b/),
    })
    expect(await command(['log', 'show', '--data-dir', first])).toMatchObject({ status: 0, out: said(/Ann/) })
    const backup = join(own.folder, 'aloneBackup')
    expect(await command(['backup', '--data-dir', first, backup])).toMatchObject({ status: 0 })
    expect(await cluster('status', backup, log)).toMatchObject({ status: 0, out: said(/whole log/) })

    // A replay makes a store outside of the cluster, and never changes a node.
    const [replayed, dump] = [join(own.folder, 'replayed'), join(own.folder, 'garden.xml')]
    cpSync(FIXTURE, dump)
    const replay = (into: string) => command(['replay', '--data-dir', first, '--into', into, dump])
    expect(await replay(replayed)).toMatchObject({ status: 0, out: said(/stores are equal/) })
    expect(await cluster('status', replayed, log)).toMatchObject({ status: 1, err: said(/not a node/) })
    expect(await replay(first)).toMatchObject({ status: 1, err: said(/has a store already/) })
    expect(await digest()).toBe(before)
    expect(readdirSync(first)).not.toContain('replayed')
    await stop(one)
  })
})
