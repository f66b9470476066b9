/** The life of a cluster, with a real PostgreSQL. Other tests of `palimpsest cluster`: cluster*.test.ts. */
// @module-tag cluster
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Cable } from '../support/cable.js'
import { ClusterOfFile, cluster, command, said, stop } from '../support/clusterCommands.js'
import { postgresPrograms, whetherPostgres } from '../support/postgres.js'
import { temporaryStore } from '../support/store.js'

interface Made {
  readonly status: number
  readonly errorKey?: string
}

async function createPage(origin: string, title: string): Promise<Made> {
  const body = JSON.stringify({ source: title, title, comment: '', token: '+\\' })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/v1/page`, { method: 'POST', headers, body })
  const { errorKey } = (await answer.json()) as { errorKey?: string }
  return { status: answer.status, ...(errorKey !== undefined && { errorKey }) }
}

describe.skipIf(postgresPrograms === undefined)(`a cluster on PostgreSQL${whetherPostgres}`, () => {
  const own = new ClusterOfFile()

  test('is founded once, and joined, asked and left', async () => {
    const { folder, withToken } = own
    const [first, log] = await own.founded('first')
    expect(await cluster('init', first, log)).toMatchObject({
      status: 1,
      err: said(/node of a cluster already/),
    })
    const one = await own.serve(first, log)
    const second = join(folder, 'second')
    const otherToken = join(folder, 'other.txt')
    writeFileSync(otherToken, 'another secret, which is as long as that')
    const join2 = (...more: string[]) => cluster('join', second, log, '--from', one.origin, ...more)
    const wrong = await join2('--cluster-token-file', otherToken)
    expect(wrong).toMatchObject({ status: 1, err: said(/secret/) })
    expect(await join2()).toMatchObject({ status: 1, err: said(/--cluster-token-file/) })
    mkdirSync(second)
    writeFileSync(join(second, 'mine'), '')
    expect(await join2(...withToken)).toMatchObject({ status: 1, err: said(/not empty/) })
    expect(readdirSync(second)).toEqual(['mine'])
    const third = await own.joined('third', one.origin)
    expect(existsSync(`${third}.joining`)).toBe(false)

    const two = await own.serve(third, log, '--peers', one.origin)
    const made = await command(['user', 'create', 'Ann', '--data-dir', first], log)
    expect(made).toMatchObject({ status: 0 })
    await expect.poll(async () => (await command(['user', 'list', '--data-dir', third])).out).toContain('Ann')
    const status = await cluster('status', first, log, '--json')
    expect(JSON.parse(status.out)).toMatchObject({ state: 'same', position: expect.any(Number) as number })
    expect((await cluster('status', first, log)).out).toContain('applied the whole log')
    await stop(two)

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

  test('keeps its log when a node of another one leaves', async () => {
    const [[first, log], [other]] = [await own.founded('staying'), await own.founded('leaving')]
    const dropped = await cluster('leave', other, log, '--drop-log')
    expect(dropped).toMatchObject({ status: 1, err: said(/log of another cluster: it stays/) })
    expect(await cluster('status', other, own.logNamed('leaving'))).toMatchObject({ status: 0 })
    expect(await cluster('status', first, log)).toMatchObject({ status: 0, out: said(/whole log/) })
  })

  test('compares its nodes', async () => {
    const [first, log] = await own.founded('compared')
    const one = await own.serve(first, log)
    const second = await own.joined('behind', one.origin)
    const two = await own.serve(second, log)
    const { origin } = two
    expect(await own.inspect(one.origin, origin)).toMatchObject({ status: 0, out: said(/same history/) })
    await stop(two)
    expect(await own.inspect(one.origin, origin)).toMatchObject({
      status: 1,
      out: said(/does not answer/),
      err: said(/not all nodes answer/),
    })

    // A node that has not applied the newest entries has the same history. Its log is away.
    for (const name of ['Ann', 'Bob'])
      expect(await command(['user', 'create', name, '--data-dir', first], log)).toMatchObject({ status: 0 })
    const away = await own.serve(second, 'postgres://postgres@127.0.0.1:1/postgres')
    const behind = await own.inspect(one.origin, away.origin)
    expect(behind).toMatchObject({ status: 0, out: said(/same history, as far as each has applied it/) })
    const positions = [...behind.out.matchAll(/^127\S+ +\S+ +(\d+)/gm)].map(([, at]) => Number(at))
    expect(positions[0]).toBe(positions[1]! + 2)

    // Another log of the same name, which only one node follows.
    const [third] = await own.founded('stranger')
    const three = await own.serve(third, own.logNamed('stranger'))
    const strangers = await own.inspect(one.origin, three.origin)
    expect(strangers).toMatchObject({
      status: 1,
      out: said(/belong to different logs/),
      err: said(/do not have the same history/),
    })
    for (const node of [one, away, three]) await stop(node)
  })

  test('goes on when a node is cut off for longer than an edit waits, and has the same history afterwards', async () => {
    const [first, log] = await own.founded('wired')
    const one = await own.serve(first, log, '--anonymous-edits')
    const second = await own.joined('cut off', one.origin)
    const engine = new URL(log)
    const cable = await Cable.to(Number(engine.port))
    onTestFinished(() => cable.close())
    engine.port = String(cable.port)
    const two = await own.serve(second, engine.href, '--write-timeout-ms', '2000', '--anonymous-edits')
    expect(await createPage(two.origin, 'Before')).toEqual({ status: 201 })

    cable.cut()
    // It was sent before the node knew: nobody can tell yet whether it is saved.
    const unsure = await createPage(two.origin, 'Unsure')
    expect(unsure).toEqual({ status: 503, errorKey: 'rest-write-unknown' })
    for (const title of ['During 1', 'During 2'])
      expect(await createPage(one.origin, title)).toEqual({ status: 201 })
    await expect.poll(async () => (await fetch(`${two.origin}/readyz`)).text()).toContain('"unreachable"')
    expect(await createPage(two.origin, 'Refused')).toEqual({ status: 503, errorKey: 'rest-log-unavailable' })
    expect((await fetch(`${two.origin}/v1/page/Before`)).status).toBe(200)

    cable.mend()
    await expect.poll(async () => (await fetch(`${two.origin}/v1/page/During_2`)).status).toBe(200)
    await expect.poll(async () => createPage(two.origin, 'After')).toEqual({ status: 201 })
    await expect.poll(async () => (await fetch(`${one.origin}/v1/page/After`)).status).toBe(200)
    expect((await fetch(`${one.origin}/v1/page/Refused`)).status).toBe(404)
    expect(await own.inspect(one.origin, two.origin)).toMatchObject({ status: 0, out: said(/same history/) })
    for (const node of [one, two]) await stop(node)
  })

  test('tells nodes apart that have gone on differently', async () => {
    const [first, log] = await own.founded('forking')
    const create = (dataDir: string, name: string) =>
      command(['user', 'create', name, '--data-dir', dataDir], log)
    const one = await own.serve(first, log)
    const second = await own.joined('forked', one.origin)
    expect(await create(first, 'Ann')).toMatchObject({ status: 0 })
    await stop(one)
    // The log forgets Ann, and the second node goes on without.
    await own.sql(
      "delete from palimpsest.record where log = 'forking' and sequence = (select last from palimpsest.log where name = 'forking');" +
        "update palimpsest.log set last = last - 1 where name = 'forking'",
    )
    for (const name of ['Bob', 'Cid']) expect(await create(second, name)).toMatchObject({ status: 0 })
    const servers = [await own.serve(first, log), await own.serve(second, log)] as const
    const [ahead, forked] = [servers[1].origin, servers[0].origin]
    const inspected = await own.inspect(forked, ahead)
    expect(inspected).toMatchObject({
      status: 1,
      out: said(/differ up to entry \d+: choose a side/),
      err: said(/do not have the same history/),
    })
    await expect.poll(async () => (await fetch(`${forked}/readyz`)).text()).toContain('"forked"')
    for (const server of servers) await stop(server)
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
