/** Start and stop: in the same process where the moment matters, as a command for what its user sees. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { App } from '../../src/app/app.js'
import { json } from '../../src/http/reply/reply.js'
import { defineRoute } from '../../src/http/routing/route.js'
import { ListenError } from '../../src/http/socket/driver.js'
import { InFlight } from '../../src/http/socket/inFlight.js'
import { HttpServer, LINGER_MS } from '../../src/http/socket/server.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store, StoreError } from '../../src/storage/store.js'
import { ADDRESS, NO_HTML, portOf, run } from '../support/command.js'
import { gardenFolder, send, startServer, temporaryFolder, testConfig, type TestServer } from './garden.js'
import { afterFile } from '../support/cleanUp.js'

let dataDir: string
let garden: TestServer
beforeAll(async () => {
  dataDir = await gardenFolder()
  garden = await startServer(dataDir)
})

/** A server with a route that answers when the test calls `open`, and a promise that its first request fulfils. */
async function startGated(): Promise<{
  port: number
  server: HttpServer
  asked: Promise<void>
  open: () => void
}> {
  let open = (): void => undefined
  let ask = (): void => undefined
  const asked = new Promise<void>((resolve) => (ask = resolve))
  const gate = new Promise<void>((resolve) => (open = resolve))
  const validators = { etag: undefined, lastModified: undefined }
  const slow = defineRoute({
    method: 'GET',
    path: '/slow',
    handler: () => {
      ask()
      return gate.then(() => json({ done: true }, validators))
    },
  })
  const quick = defineRoute({
    method: 'GET',
    path: '/quick',
    handler: () => json({ quick: true }, validators),
  })
  const server = new HttpServer(garden.app.context, [slow, quick])
  afterFile(() => server.close(0))
  return { port: await server.listen(), server, asked, open: () => open() }
}

describe('a server that is told to stop', () => {
  test('finishes what is open, closes the connection after it, and takes no new ones', async () => {
    const { port, server, asked, open } = await startGated()
    const answer = send(port, '/v1/slow', {})
    await asked
    const closed = server.close(30_000)
    // The server closes its port in the next quiet moment, and answers all requests until then.
    const comer = () =>
      send(port, '/v1/quick', {}).then(
        ({ status }) => status,
        () => 'refused',
      )
    await expect.poll(comer).toBe('refused')
    open()
    expect(await answer).toMatchObject({
      status: 200,
      body: { done: true },
      headers: { connection: 'close' },
    })
    await closed
  })

  test('ends what is still open when its time is up', async () => {
    const { port, server, asked } = await startGated()
    const answer = send(port, '/v1/slow', {})
    const failed = expect(answer).rejects.toThrow()
    await asked
    await server.close(1)
    await failed
  })

  test('finishes what a connection asks for while it is let go', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const waits = vi.spyOn(InFlight.prototype, 'idle')
    onTestFinished(() => waits.mockRestore())
    const { port, server, asked, open } = await startGated()
    const idle = await openConnection(port)
    const closed = server.close(30_000)
    // For requests, of which there are none, and for connections.
    await expect.poll(() => waits.mock.calls.length).toBe(2)
    idle.write('GET /v1/slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await asked
    await vi.advanceTimersByTimeAsync(LINGER_MS)
    expect(waits).toHaveBeenCalledTimes(3)
    open()
    const [answer] = (await once(idle, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\nConnection: close\r\n/)
    await closed
  })

  test('asks the client to close the connection after an answer without a body', async () => {
    const { port, server, asked, open } = await startGated()
    const slow = send(port, '/v1/slow', {})
    await asked
    const idle = await openConnection(port)
    const closed = server.close(30_000)
    idle.write('HEAD /v1/quick HTTP/1.1\r\nHost: x\r\n\r\n')
    const [head] = (await once(idle, 'data')) as [Buffer]
    expect(head.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\nConnection: close\r\n/)
    idle.destroy()
    open()
    await slow
    await closed
  })

  test('can be told twice', async () => {
    const { server } = await startGated()
    await Promise.all([server.close(1), server.close(1)])
    await server.close(1)
  })
})

test('a client that goes away before its answer is there does no harm', async () => {
  const { port, asked, open } = await startGated()
  const client = request({ host: '127.0.0.1', port, path: '/v1/slow' })
  const gone = new Promise((resolve) => client.on('error', resolve))
  client.end()
  await asked
  client.destroy()
  await gone
  open()
  expect(await send(port, '/v1/quick', {})).toMatchObject({ status: 200 })
})

test('a running server follows new site settings, and its tags change with them', async () => {
  const before = await garden.send('/v1/page/Compost')
  const site = { license: { url: 'https://garden.example/other', title: 'Other' } }
  const { store } = garden.app.context
  new Applier(store).submit({ kind: 'settings', id: 'b'.repeat(32), time: 1_800_000_000, site })
  store.reloadSite()
  const after = await garden.send('/v1/page/Compost')
  expect(after.body).toMatchObject({ license: site.license })
  expect(after.headers.etag).not.toBe(before.headers.etag)
  const { status } = await garden.send('/v1/page/Compost', {
    headers: { 'If-None-Match': String(before.headers.etag) },
  })
  expect(status).toBe(200)
})

describe('a server that cannot start', () => {
  test('says so when the port is in use', async () => {
    const folder = await gardenFolder()
    const taken = App.open(testConfig(folder, { port: String(garden.port) }))
    await expect(taken).rejects.toThrow(ListenError)
    await expect(taken).rejects.toThrow(`cannot listen on 127.0.0.1:${garden.port}`)
  })

  test('names the command that helps when there is no wiki', async () => {
    const opened = App.open(testConfig(join(dataDir, 'nothing')))
    await expect(opened).rejects.toThrow(StoreError)
    await expect(opened).rejects.toThrow('palimpsest import')
  })
})

describe('palimpsest serve', () => {
  test.each(['', '/w/rest.php'])(
    'prints addresses that answer, with the base path "%s"',
    async (basePath) => {
      const server = run('serve', '--data-dir', dataDir, '--port', '0', '--base-path', basePath, NO_HTML)
      const port = portOf(await server.printed(ADDRESS))
      await server.printed(/^Try: /m)
      const urls = server.output.stdout.match(/http:[^\s']+/g)!
      const origin = `http://127.0.0.1:${port}`
      expect(urls).toEqual([
        `${origin}/`,
        `${origin}${basePath}/docs`,
        `${origin}${basePath}/v1/page/Compost`,
      ])
      for (const url of urls) expect((await fetch(url)).status).toBe(200)
      server.child.kill('SIGTERM')
      expect(await server.exit).toBe(0)
    },
  )

  test('ends in order at SIGTERM', async () => {
    const server = run('serve', '--data-dir', dataDir, '--port', '0')
    await server.printed(ADDRESS)
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
    const logged = server.output.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string })
    expect(logged.map(({ msg }) => msg)).toEqual([expect.stringMatching(/ serves: /), 'stopping', 'stopped'])
  })

  test('ends at once at a second signal', async () => {
    const server = run('serve', '--data-dir', dataDir, '--port', '0', '--drain-timeout-ms', '30000', NO_HTML)
    const socket = await openConnection(portOf(await server.printed(ADDRESS)))
    server.child.kill('SIGINT')
    await server.printed(/"msg":"stopping"/)
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(1)
    socket.destroy()
  })

  test('says how to import where a store has no pages', async () => {
    const empty = temporaryFolder()
    await Store.open(empty, { create: true }).close()
    const server = run('serve', '--data-dir', empty, '--port', '0', NO_HTML)
    await server.printed(/no pages yet: palimpsest import --data-dir .* DUMP\n/)
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
  })

  test.each([
    ['no wiki', ['--data-dir', '/nowhere/at/all'], 'palimpsest import --data-dir /nowhere/at/all DUMP'],
    [
      'a bad setting',
      ['--port', 'http'],
      'port: --port is "http", but it must be a whole number from 0 to 65535',
    ],
  ])('ends with one line and status 1 for %s', async (_case, args, message) => {
    const server = run('serve', ...args)
    expect(await server.exit).toBe(1)
    expect(server.output.stderr).toContain(message)
    expect(server.output.stderr.trim().split('\n')).toHaveLength(1)
  })

  test('ends with one line and status 1 when the port is in use', async () => {
    const server = run('serve', '--data-dir', dataDir, '--port', String(garden.port))
    expect(await server.exit).toBe(1)
    expect(server.output.stderr).toBe(
      `palimpsest: cannot listen on 127.0.0.1:${garden.port}: the port is in use, or the address is not one of this machine\n`,
    )
  })
})

function openConnection(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', reject)
  })
}
