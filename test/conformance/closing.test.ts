/** Connections that clients want closed: closed after the answer, and announced in it, so that no pool keeps them. */
import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { text } from '../../src/http/request/params.js'
import { json, openFile } from '../../src/http/reply/reply.js'
import { defineRoute } from '../../src/http/routing/route.js'
import { HttpServer } from '../../src/http/socket/server.js'
import { afterFile } from '../support/cleanUp.js'
import { startGarden, temporaryFolder, TestServer } from './garden.js'

/** More than a socket's buffers take. */
const LARGE_BYTES = 8 * 2 ** 20
const SIZES = [0, 5, LARGE_BYTES]
const NO_VALIDATORS = { etag: undefined, lastModified: undefined }
const READY = '/v1/page/Rain_barrel'

let garden: TestServer
let special: TestServer
beforeAll(async () => {
  garden = await startGarden({ anonymousEdits: true })
  special = await startSpecial()
  for (let n = 0; n < 3; n++) await garden.send(READY)
  expect((await garden.send('/metrics')).bytes.toString()).toContain('hot_answers_total{result="hit"} 1\n')
})

/** A server that sends files of several sizes, and an answer that waits for a turn of the event loop. */
async function startSpecial(): Promise<TestServer> {
  const folder = temporaryFolder()
  for (const size of SIZES) writeFileSync(join(folder, String(size)), Buffer.alloc(size, 'x'))
  const file = defineRoute({
    method: 'GET',
    path: '/file/{size}',
    params: { size: text('how many bytes') },
    async handler({ params }) {
      const handle = await open(join(folder, params.size))
      return openFile(handle, NO_VALIDATORS, '', { range: '', ifRange: '' })
    },
  })
  const late = defineRoute({
    method: 'GET',
    path: '/late',
    handler: () => new Promise((resolve) => setImmediate(() => resolve(json({ late: true }, NO_VALIDATORS)))),
  })
  const server = new HttpServer(garden.app.context, [file, late])
  afterFile(() => server.close(0))
  return new TestServer(await server.listen(), garden.app)
}

const lines = (method: string, path: string, ...headers: string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n')

const countOf = (answer: string, line: string): number => answer.split(line).length - 1

const EDIT = JSON.stringify({ title: 'Unfinished', source: 'x' })
const asJson = ['Content-Type: application/json', `Content-Length: ${EDIT.length}`]

const REQUESTS: readonly [what: string, method: string, path: string, headers: string[], status: number][] = [
  ['a ready answer', 'GET', READY, [], 200],
  ['an answer that is made for the request', 'GET', '/v1/page/Compost/history?filter=bot', [], 200],
  ['a HEAD', 'HEAD', READY, [], 200],
  ['a 304 to a ready answer', 'GET', READY, ['If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT'], 304],
  ['a 412', 'GET', READY, ['If-Match: "x"'], 412],
  ['an error', 'GET', '/v1/page/Nowhere', [], 404],
  ['OPTIONS', 'OPTIONS', READY, [], 204],
  ['an answer of a thread', 'GET', '/v1/revision/101/compare/102', [], 200],
]

describe('a request with Connection: close', () => {
  test.each(REQUESTS)(
    'gets %s, is told of the end and gets it',
    async (_what, method, path, headers, status) => {
      for (const value of ['close', 'Close']) {
        const sent = lines(method, path, ...headers, `Connection: ${value}`)
        // Nothing that it receives is enough for the client: the server has to close the connection.
        const answer = await garden.raw(sent, () => false)
        expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
        expect(countOf(answer, '\r\nConnection: close\r\n')).toBe(1)
      }
    },
  )

  test('is told of the end where a body is refused', async () => {
    const answer = await garden.raw(
      lines('POST', '/v1/page', ...asJson, 'Connection: close') + EDIT,
      () => false,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(countOf(answer, '\r\nConnection: close\r\n')).toBe(1)
  })

  test.each(SIZES)('gets a file of %d bytes whole, and is told of the end', async (size) => {
    const answer = await special.raw(lines('GET', `/v1/file/${size}`, 'Connection: close'), () => false)
    const [head = '', body] = answer.split('\r\n\r\n')
    expect(countOf(`${head}\r\n`, '\r\nConnection: close\r\n')).toBe(1)
    expect(body).toHaveLength(size)
  })

  test('is told of the end in an answer of a later turn', async () => {
    const answer = await special.raw(lines('GET', '/v1/late', 'Connection: close'), () => false)
    expect(countOf(answer, '\r\nConnection: close\r\n')).toBe(1)
  })

  test('is told of the end once by a server that is stopping too', async () => {
    const server = new HttpServer(garden.app.context, [
      defineRoute({
        method: 'GET',
        path: '/stop',
        handler: () => {
          void server.close(1000)
          return json({ stopping: true }, NO_VALIDATORS)
        },
      }),
    ])
    const stopping = new TestServer(await server.listen(), garden.app)
    const answer = await stopping.raw(lines('GET', '/v1/stop', 'Connection: close'), () => false)
    expect(countOf(answer, '\r\nConnection: close\r\n')).toBe(1)
    await server.close(0)
  })
})

describe('a request whose Connection lists close beside others', () => {
  test.each(REQUESTS)('gets %s and is told of the end', async (_what, method, path, headers, status) => {
    const sent = lines(method, path, ...headers, 'Connection: TE, Close')
    const answer = await garden.raw(sent, (received) => received.includes('\r\n\r\n'))
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(countOf(answer, '\r\nConnection: close\r\n')).toBe(1)
  })
})

describe('a request that asks for nothing of the kind', () => {
  test.each(['Connection: keep-alive', 'Connection: TE', 'Connection: closet, te', 'X: close'])(
    'keeps its connection: %s',
    async (line) => {
      const twice = lines('GET', READY, line) + lines('GET', '/v1/page/Compost/bare', line)
      const answer = await garden.raw(twice, (received) => received.includes('html_url'))
      expect(countOf(answer, 'HTTP/1.1 200 OK\r\n')).toBe(2)
      expect(answer.toLowerCase()).not.toContain('\r\nconnection:')
    },
  )
})

test('a pool of connections never meets one that was closed', async () => {
  // Such a pool looks at answers alone, as those of Python and Java do.
  const pool = new Agent({ keepAlive: true, maxSockets: 1 })
  const seen = new Set<unknown>()
  const ask = (closing: boolean): Promise<string | undefined> =>
    new Promise((resolve, reject) => {
      const outgoing = request(
        { agent: pool, host: '127.0.0.1', port: garden.port, path: READY },
        (answer) => {
          answer.resume().on('end', () => resolve(answer.headers.connection))
        },
      )
      if (closing) outgoing.setHeader('Connection', 'close')
      // Said in the header alone: the pool keeps the connection unless the answer says otherwise.
      outgoing.shouldKeepAlive = true
      outgoing.on('socket', (socket) => seen.add(socket)).on('error', reject)
      outgoing.end()
    })
  for (let n = 0; n < 50; n++) {
    expect(await ask(true)).toBe('close')
    expect(await ask(false)).toBeUndefined()
  }
  // One more after each that was closed, and the next request always goes on with it.
  expect(seen.size).toBe(51)
  pool.destroy()
})
