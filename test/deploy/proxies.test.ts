/** Two instances over one store behind the proxies of deploy/. */
// @module-tag slow
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, send, temporaryFolder } from '../conformance/garden.js'
import { type Instance, startPair } from './instances.js'
import { freePort } from '../support/ports.js'
import { isInstalled, PROXIES, startProxy } from './proxies.js'

/** Where clients of the proxies come from: on Linux another address than that of the trusted proxy, so that one can tell them apart. */
const CLIENT = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1'

/** How many page reads an instance has answered so far. */
async function pageReads({ port }: Instance): Promise<number> {
  const { bytes } = await send(port, '/metrics', {})
  const samples = bytes
    .toString()
    .matchAll(/requests_total\{method="GET",route="\/page\/\{title\}",.*\} (\d+)/g)
  return [...samples].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Reads a page over and over until nginx has it from elsewhere than from what is fresh in its cache. */
async function readWhenStale(port: number, path: string): Promise<Answer> {
  let answer: Answer
  const state = async (): Promise<unknown> => {
    answer = await send(port, path, {})
    return answer.headers['x-cache']
  }
  await expect.poll(state).not.toBe('HIT')
  return answer!
}

/** Creates a page from CLIENT, with further header lines. Returns the status line. */
async function createFrom(port: number, title: string, lines: readonly string[]): Promise<string> {
  const body = JSON.stringify({ title, source: 'x', comment: '', token: '+\\' })
  const head = ['POST /v1/page HTTP/1.1', 'Host: x', 'Connection: close', 'Content-Type: application/json']
  const socket = connect({ port, host: '127.0.0.1', localAddress: CLIENT })
  socket.write([...head, ...lines, `Content-Length: ${body.length}`, '', body].join('\r\n'))
  return (await received(socket)).split('\r\n', 1)[0]!
}

/** All that comes until the other end closes the connection. */
async function received(socket: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await once(socket, 'end')
  return text
}

/** A key with a certificate that it signed itself, in one file. */
function makeCertificate(): string {
  const folder = temporaryFolder()
  const [key, certificate, both] = ['key', 'certificate', 'both.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '2']
  const { status, stderr } = spawnSync('openssl', [...args, '-keyout', key, '-out', certificate], {
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
  return both
}

const hasOpenssl = spawnSync('openssl', ['version']).error === undefined

let instances: readonly [Instance, Instance]
beforeAll(async () => {
  if (PROXIES.some(isInstalled)) ({ instances } = await startPair())
})

describe.each(PROXIES)('behind %s', (proxy) => {
  const installed = isInstalled(proxy)

  test.skipIf(!installed)(
    'pages come through, with validators and request ids (needs the proxy installed)',
    async () => {
      const port = await startProxy(proxy, [instances[0].port, instances[1].port])
      const page = await send(port, '/v1/page/Compost', { headers: { 'X-Request-Id': 'asked-1' } })
      expect(page.status).toBe(200)
      const etag = String(page.headers['etag'])
      const again = await send(port, '/v1/page/Compost', { headers: { 'If-None-Match': etag } })
      expect([again.status, again.bytes.length]).toEqual([304, 0])
      const bare = await send(port, '/v1/page/Compost/bare', { headers: { 'X-Request-Id': 'asked-2' } })
      expect(bare.headers['x-request-id']).toBe('asked-2')
      expect(bare.body).toMatchObject({ html_url: `http://127.0.0.1:${port}/v1/page/Compost/html` })
      for (const path of ['/metrics', '/healthz', '/readyz', '/cluster/status'])
        expect((await send(port, path, {})).status).toBe(404)
    },
  )

  test.skipIf(!installed)('many who ask for one page cost few reads of the servers', async () => {
    const port = await startProxy(proxy, [instances[0].port, instances[1].port])
    const before = (await pageReads(instances[0])) + (await pageReads(instances[1]))
    await send(port, '/v1/page/Rain_barrel', {})
    await Promise.all(Array.from({ length: 200 }, () => send(port, '/v1/page/Rain_barrel', {})))
    const after = (await pageReads(instances[0])) + (await pageReads(instances[1]))
    expect(after - before).toBeLessThan(50)
  })

  test.skipIf(!installed)('an answer from the cache has the id of the request that gets it', async () => {
    const port = await startProxy(proxy, [instances[0].port, instances[1].port])
    const ask = (headers: Record<string, string>): Promise<Answer> =>
      send(port, '/v1/page/Rain_barrel', { headers })
    const before = (await pageReads(instances[0])) + (await pageReads(instances[1]))
    const names = ['first', 'second', 'third']
    for (const name of names) expect((await ask({ 'X-Request-Id': name })).headers['x-request-id']).toBe(name)
    const made = [await ask({}), await ask({})].map(({ headers }) => headers['x-request-id'])
    expect(new Set(made).size).toBe(2)
    for (const id of made) expect(id).toMatch(/^[0-9A-Fa-f._-]{8,}$/)
    // They were not all asked of a server.
    const after = (await pageReads(instances[0])) + (await pageReads(instances[1]))
    expect(after - before).toBeLessThan(5)
  })

  test.skipIf(!installed)('a client that asks for too much gets 429 with Retry-After', async () => {
    const port = await startProxy(proxy, [instances[0].port, instances[1].port], { limits: 'as shipped' })
    const statuses = new Map<number, number>()
    let refused: Answer | undefined
    for (let n = 0; n < 200 && refused === undefined; n++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(port, '/v1/page/Compost', {})))
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      refused = answers.find(({ status }) => status === 429)
    }
    expect([...statuses.keys()].toSorted()).toEqual([200, 429])
    expect(statuses.get(200)).toBeGreaterThanOrEqual(1000)
    expect(refused!.headers['retry-after']).toMatch(/^\d+$/)
    expect(refused!.headers['content-type']).toBe('application/json')
    expect(refused!.body).toMatchObject({ errorKey: 'rest-rate-limit-exceeded', httpCode: 429 })
    expect((await send(instances[0].port, '/v1/page/Compost', {})).status).toBe(200)
  })

  test.skipIf(!installed)('the address of a client is the one it comes from, whatever it says', async () => {
    const port = await startProxy(proxy, [instances[0].port, instances[1].port])
    const forged = ['X-Forwarded-For: 192.0.2.7', 'X-Forwarded-For: 192.0.2.8, 192.0.2.9']
    for (const [title, lines] of [
      [`Plain_${proxy}`, []],
      [`Forged_${proxy}`, forged],
    ] as const) {
      expect(await createFrom(port, title, lines)).toBe('HTTP/1.1 201 Created')
      const history = await send(port, `/v1/page/${title}/history`, {})
      expect(history.body).toMatchObject({ revisions: [{ user: { id: null, name: CLIENT } }] })
    }
  })

  test.skipIf(!installed || !hasOpenssl)(
    'links are https where TLS is added, whatever the client says (needs the proxy and openssl)',
    async () => {
      const tls = { port: await freePort(), pemFile: makeCertificate() }
      const port = await startProxy(proxy, [instances[0].port, instances[1].port], { tls })
      const claiming = (scheme: string) =>
        `GET /v1/page/Compost/bare HTTP/1.1\r\nHost: wiki.example\r\nX-Forwarded-Proto: ${scheme}\r\nConnection: close\r\n\r\n`
      const secure = connectTls({ port: tls.port, host: '127.0.0.1', rejectUnauthorized: false })
      secure.write(claiming('http'))
      expect(await received(secure)).toContain('"html_url":"https://wiki.example/v1/page/Compost/html"')
      const open = connect(port, '127.0.0.1')
      open.write(claiming('https'))
      expect(await received(open)).toContain('"html_url":"http://wiki.example/v1/page/Compost/html"')
    },
  )
})

test.skipIf(!isInstalled('nginx'))(
  'the first who asks nginx for what has run out gets the latest text (needs nginx)',
  async () => {
    const port = await startProxy('nginx', [instances[0].port, instances[1].port])
    const path = '/v1/page/Compost'
    const first = await send(port, path, {})
    const { latest } = first.body as { latest: { id: number } }
    const saved = await send(instances[0].port, path, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ source: 'New.', comment: '', token: '+\\', latest }),
    })
    expect(saved.status).toBe(200)
    expect((await readWhenStale(port, path)).body).toMatchObject({ source: 'New.' })
  },
)
