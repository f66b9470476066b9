/** Two nodes of a cluster, as clients see them that come to either by chance. */
// @module-tag cluster
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { found } from '../../src/cli/cluster/membership.js'
import { Store } from '../../src/storage/store.js'
import { folderOfFile } from '../support/cleanUp.js'
import { type PostgresServer, postgresPrograms, startPostgres, whetherPostgres } from '../support/postgres.js'
import { Client, wikiWithAccounts } from './actionClient.js'
import { create, pageOf, sendJson, update } from './editing.js'
import { startServer, type TestServer } from './garden.js'

const WRITE_TIMEOUT_MS = 3000
const PATIENTLY = { timeout: 300_000 }
const titles = (
  (n) => () =>
    `Page ${++n}`
)(0)

describe.skipIf(postgresPrograms === undefined)(`nodes of a cluster${whetherPostgres}`, () => {
  let postgres: PostgresServer
  let one: TestServer
  let two: TestServer
  /** It does not wait long for a position. */
  let hasty: TestServer

  beforeAll(async () => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    postgres = await startPostgres()
    const { folder } = await wikiWithAccounts()
    const log = postgres.url(`?log=nodes-${randomBytes(4).toString('hex')}`).href
    await found({ dataDir: folder, log })
    vi.restoreAllMocks()
    const copy = join(folderOfFile(), 'copy')
    mkdirSync(copy)
    const store = Store.open(folder)
    await store.backup(copy)
    await store.close()
    const secret = join(folderOfFile(), 'token')
    writeFileSync(secret, randomBytes(40).toString('hex'))
    const flags = {
      log,
      anonymousEdits: true,
      clusterTokenFile: secret,
      writeTimeoutMs: String(WRITE_TIMEOUT_MS),
      // Out of reach, however busy the machine is.
      positionWaitMs: String(PATIENTLY.timeout),
    }
    hasty = await startServer(folder, { ...flags, positionWaitMs: '300' })
    one = await startServer(folder, flags)
    two = await startServer(copy, flags)
    // The first edit starts threads, which on a busy machine takes longer than an edit may wait.
    for (const node of [one, two]) {
      await vi.waitFor(async () => expect(await ready(node, '?write')).toBe(200), PATIENTLY)
      await vi.waitFor(async () => expect((await create(node, titles(), 'x')).status).toBe(201), PATIENTLY)
    }
  })

  afterAll(() => vi.restoreAllMocks())

  const ready = async (node: TestServer, query = ''): Promise<number> =>
    (await node.send(`/readyz${query}`)).status
  const positionOf = (answer: { headers: Readonly<Record<string, unknown>> }): string =>
    String(answer.headers['x-log-position'])

  test('an answer to an edit names its position, and a read at the other node waits for it', async () => {
    for (let n = 0; n < 20; n++) {
      const title = titles()
      const made = await create(one, title, 'text')
      expect(made.status).toBe(201)
      const position = positionOf(made)
      expect(position).toMatch(/^\d+$/)
      const path = `/v1/page/${title.replace(' ', '_')}`
      const read = await two.send(path, { headers: { 'x-log-position': position } })
      expect(read.status).toBe(200)
      const saved = await update(two, title.replace(' ', '_'), `text ${n}`, pageOf(made).latest.id)
      expect(saved.status).toBe(200)
      const cookie = { cookie: `a=b; logPosition=${positionOf(saved)}` }
      expect((await one.send(path, { headers: cookie })).body).toMatchObject({ source: `text ${n}` })
    }
  })

  test('an edit whose base was saved at the other node a moment ago is saved', async () => {
    const title = titles()
    let page = pageOf(await create(one, title, 'text 0'))
    for (let n = 1; n <= 20; n++) {
      const saved = await update(n % 2 === 0 ? one : two, page.key, `text ${n}`, page.latest.id)
      expect(saved.status).toBe(200)
      page = pageOf(saved)
    }
    const { id } = page.latest
    await expect
      .poll(async () => (await one.send(`/v1/page/${page.key}`)).body)
      .toMatchObject({ latest: { id } })
    await expect
      .poll(async () => (await two.send(`/v1/page/${page.key}`)).body)
      .toMatchObject({ latest: { id } })
  })

  test('a position that never comes holds a request for a third of a second at most', async () => {
    const headers = { 'x-log-position': '999999999999' }
    const startMs = performance.now()
    expect((await hasty.send('/v1/page/Nowhere', { headers })).status).toBe(404)
    expect(performance.now() - startMs).toBeGreaterThan(290)
    for (const odd of ['', '-1', 'x', '1e9', '9'.repeat(400)])
      expect((await hasty.send('/v1/page/Nowhere', { headers: { 'x-log-position': odd } })).status).toBe(404)
  })

  test('the same title is made once', async () => {
    const title = titles()
    const answers = await Promise.all([one, two, one, two].map((node, n) => create(node, title, `text ${n}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  })

  test('edits of different paragraphs at both nodes are merged', async () => {
    const made = pageOf(await create(one, titles(), 'first\n\nsecond\n'))
    const [a, b] = await Promise.all([
      update(one, made.key, 'FIRST\n\nsecond\n', made.latest.id),
      update(two, made.key, 'first\n\nSECOND\n', made.latest.id),
    ])
    expect([a.status, b.status]).toEqual([200, 200])
    const position = String(Math.max(Number(positionOf(a)), Number(positionOf(b))))
    for (const node of [one, two]) {
      const { body } = await node.send(`/v1/page/${made.key}`, { headers: { 'x-log-position': position } })
      expect(body).toMatchObject({ source: 'FIRST\n\nSECOND' })
    }
  })

  test('who logs in at one node is logged in at the other, and logged out at both', async () => {
    const client = new Client(one)
    await client.logIn('Ann')
    const elsewhere = new Client(two)
    for (const [name, value] of client.cookies) elsewhere.cookies.set(name, value)
    expect(client.cookies.get('logPosition')).toMatch(/^\d+$/)
    const asked = { action: 'query', meta: 'userinfo' }
    expect(await elsewhere.get(asked)).toMatchObject({ query: { userinfo: { name: 'Ann' } } })
    await elsewhere.post({ action: 'logout', token: await elsewhere.token() })
    client.cookies.set('logPosition', elsewhere.cookies.get('logPosition') ?? '')
    expect(await client.get(asked)).toMatchObject({ query: { userinfo: { anon: '' } } })
  })

  test('/readyz and the metrics tell where the node stands', async () => {
    const { body } = await one.send('/readyz')
    const { sequence } = one.app.context.store.position()
    expect(body).toMatchObject({ ready: true, cluster: { state: 'same', reason: null, lag_seconds: 0 } })
    const metrics = (await one.send('/metrics')).bytes.toString()
    expect(metrics).toContain('palimpsest_log_state{state="same"} 1')
    expect(metrics).toMatch(new RegExp(`^palimpsest_log_position \\d+$`, 'm'))
    expect(sequence).toBeGreaterThan(0)
  })

  test('without the engine reads go on, edits answer 503 in time, and all goes on by itself', async () => {
    const title = titles()
    const made = pageOf(await create(one, title, 'text'))
    await expect.poll(async () => (await two.send(`/v1/page/${made.key}`)).status).toBe(200)
    await postgres.kill()
    const startMs = performance.now()
    const edits = await Promise.all([one, two].map((node) => update(node, made.key, 'later', made.latest.id)))
    expect(performance.now() - startMs).toBeLessThan(WRITE_TIMEOUT_MS + 2000)
    for (const { status, headers, body } of edits) {
      expect(status).toBe(503)
      expect(headers['retry-after']).toBeDefined()
      expect((body as { errorKey: string }).errorKey).toMatch(/^rest-(write-unknown|log-unavailable)$/)
    }
    expect((await one.send(`/v1/page/${made.key}`)).body).toMatchObject({
      source: expect.any(String) as string,
    })
    await expect.poll(() => ready(one, '?write')).toBe(503)
    expect(await ready(one)).toBe(200)
    await postgres.start()
    for (const node of [one, two])
      await expect.poll(() => ready(node, '?write'), { timeout: 15_000 }).toBe(200)
    await sleep(50)
    const { latest } = pageOf(await one.send(`/v1/page/${made.key}`))
    expect((await update(two, made.key, 'at last', latest.id)).status).toBe(200)
    expect((await sendJson(one, 'POST', '/v1/page', {})).status).toBe(400)
  }, 60_000)
})
