/** Requests and answers of a wiki over connections of `node:net` that the test writes to. */
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { json, type Reply, reusable } from '../../../src/http/reply/reply.js'
import { defineRoute, type Route } from '../../../src/http/routing/route.js'
import { NetConnection } from '../../../src/http/socket/net/netConnection.js'
import { Outbox } from '../../../src/http/socket/net/outbox.js'
import { Origins } from '../../../src/http/socket/origins.js'
import { RequestHandler } from '../../../src/http/socket/requestHandler.js'
import type { Store } from '../../../src/storage/store.js'
import { httpParts } from '../../support/httpContext.js'
import { openFolder, temporaryStore } from '../../support/store.js'

/** A client whose connection takes all bytes at once. */
class Client extends Duplex {
  readonly remoteAddress = '192.0.2.1'
  readonly #received: Buffer[] = []

  override _read(): void {
    // The test hands over what the client sends.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#received.push(Buffer.from(chunk))
    done()
  }

  /** What it has received since the last call. */
  takeReceived(): Buffer {
    return Buffer.concat(this.#received.splice(0))
  }
}

interface Answer {
  readonly head: string
  readonly body: Buffer
}

interface Served {
  /** Sends a request. Headers end with a line break. */
  readonly ask: (line: string, headers?: string) => Promise<Answer>
  /** The client disconnects. */
  readonly leave: () => Promise<void>
  /** Requests by route and status. */
  readonly counted: () => Readonly<Record<string, number>>
  readonly writing: Store
  readonly lookups: () => Readonly<Record<string, number>>
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

function serve(routes: readonly Route[], flags: Record<string, string> = {}): Served {
  const { store: writing, dataDir } = temporaryStore()
  const store = openFolder(dataDir)
  const { context, shared, dispatcher } = httpParts(store, { routes, flags })
  const { config, clock } = context
  const handler = new RequestHandler(
    shared,
    { name: '', keyPrefix: '', dispatcher, store, clock, compression: config.compression },
    new Origins(config, 80, shared.peers),
  )
  const handlers = {
    get: (response: Parameters<typeof handler.handle>[0], native: Parameters<typeof handler.handle>[1]) =>
      handler.handleGet(response, native, native.getUrl()),
    other: (response: Parameters<typeof handler.handle>[0], native: Parameters<typeof handler.handle>[1]) =>
      handler.handle(response, native),
    connections: () => undefined,
  }
  const client = new Client()
  const connection = new NetConnection(client as unknown as Socket, {
    handlers,
    outbox: new Outbox(),
    nowMs: 0,
  })
  const ask = async (line: string, headers = ''): Promise<Answer> => {
    connection.take(Buffer.from(`${line} HTTP/1.1\r\nHost: here\r\n${headers}\r\n`))
    await settle()
    const bytes = client.takeReceived()
    const end = bytes.indexOf('\r\n\r\n')
    return { head: bytes.subarray(0, end).toString('latin1'), body: bytes.subarray(end + 4) }
  }
  const leave = async (): Promise<void> => {
    client.destroy()
    connection.ended()
    await settle()
  }
  const values = (name: string, labels: readonly string[]): Record<string, number> => {
    const samples = handler.figures().find((figure) => figure.name === name)?.values ?? []
    return Object.fromEntries(
      samples.map((one) => [labels.map((label) => one.labels[label]).join(' '), one.value]),
    )
  }
  const counted = (): Record<string, number> => values('palimpsest_http_requests_total', ['route', 'status'])
  return { ask, leave, counted, writing, lookups: () => values('palimpsest_hot_answers_total', ['result']) }
}

/** A route whose answer others may get too, and how often it was asked. */
function counting(size = 20): { route: Route; asked: () => number } {
  let asked = 0
  const route = defineRoute({
    method: 'GET',
    path: '/moon',
    handler: (): Reply => {
      asked++
      const validators = { etag: '"7"', lastModified: undefined }
      return reusable(json({ text: 'x'.repeat(size) }, validators), { validators })
    },
  })
  return { route, asked: () => asked }
}

describe('a ready answer', () => {
  test('is made twice, then sent as it is until something is written', async () => {
    const { route, asked } = counting()
    const { ask, writing, lookups } = serve([route])
    const answers = []
    for (let n = 0; n < 4; n++) answers.push(await ask('GET /v1/moon'))
    expect(asked()).toBe(2)
    expect(new Set(answers.map(({ body }) => body.toString()))).toEqual(
      new Set([`{"text":"${'x'.repeat(20)}"}`]),
    )
    for (const { head } of answers) expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*X-Request-Id: \S+/)
    expect(new Set(answers.map(({ head }) => /X-Request-Id: (\S+)/.exec(head)?.[1])).size).toBe(4)
    expect(lookups()).toEqual({ hit: 2, recheck: 0, miss: 2 })
    writing.transact(() => undefined)
    await ask('GET /v1/moon')
    expect(asked()).toBe(3)
  })

  test('of another query, or in another coding, is another one', async () => {
    const { route, asked } = counting(2000)
    const { ask } = serve([route])
    const gzip = 'Accept-Encoding: gzip\r\n'
    const plain = await ask('GET /v1/moon')
    for (let n = 0; n < 3; n++) {
      const packed = await ask('GET /v1/moon', gzip)
      expect(packed.head).toContain('Content-Encoding: gzip')
      expect(gunzipSync(packed.body)).toEqual(plain.body)
    }
    expect(asked()).toBe(3)
    await ask('GET /v1/moon?a=1', gzip)
    expect(asked()).toBe(4)
  })

  test('turns into 304 for a client that has it, and closes the connection if the client wants that', async () => {
    const { route } = counting()
    const { ask, counted } = serve([route])
    for (let n = 0; n < 2; n++) await ask('GET /v1/moon')
    const unchanged = await ask('GET /v1/moon', 'If-None-Match: "7"\r\n')
    expect([unchanged.head.slice(0, 12), unchanged.body.length]).toEqual(['HTTP/1.1 304', 0])
    const last = await ask('GET /v1/moon', 'Connection: close\r\n')
    expect(last.head).toContain('\r\nConnection: close')
    expect(counted()).toEqual({ '/moon 200': 3, '/moon 304': 1 })
  })
})

test('HEAD has the headers of GET with its length, and no body', async () => {
  const { ask } = serve([counting().route])
  const { head, body } = await ask('HEAD /v1/moon')
  expect(head).toContain('\r\nContent-Length: 31')
  expect(body.length).toBe(0)
})

describe('an answer that comes later', () => {
  const late = (): { route: Route; answer: () => void } => {
    let answer: () => void = () => undefined
    const waiting = new Promise<void>((resolve) => (answer = resolve))
    const handler = (): Promise<Reply> =>
      waiting.then(() => json({ late: true }, { etag: undefined, lastModified: undefined }))
    return { route: defineRoute({ method: 'GET', path: '/late', handler }), answer: () => answer() }
  }

  test('is sent when it is there', async () => {
    const { route, answer } = late()
    const { ask, counted } = serve([route])
    const asked = ask('GET /v1/late')
    answer()
    expect((await asked).body.toString()).toBe('{"late":true}')
    expect(counted()).toEqual({ '/late 200': 1 })
  })

  test('counts as 499 when the client has gone before', async () => {
    const { route, answer } = late()
    const { ask, leave, counted } = serve([route])
    await ask('GET /v1/late')
    await leave()
    answer()
    await settle()
    expect(counted()).toEqual({ '/late 499': 1 })
  })
})

test('a client above its limit of reads gets 429, for HEAD too, but not for the paths of operators', async () => {
  const { ask } = serve([counting().route], { readsPerSecond: '1' })
  const statuses: string[] = []
  for (let n = 0; n < 10; n++) statuses.push((await ask('GET /v1/moon')).head.slice(9, 12))
  expect(new Set(statuses)).toEqual(new Set(['200']))
  const refused = await ask('GET /v1/moon')
  expect(refused.head).toMatch(/^HTTP\/1\.1 429 [^]*\r\nRetry-After: 1/)
  expect(JSON.parse(refused.body.toString())).toMatchObject({ errorKey: 'rest-rate-limit-exceeded' })
  expect((await ask('HEAD /v1/moon')).head).toMatch(/^HTTP\/1\.1 429 /)
  expect((await ask('GET /healthz')).head).toMatch(/^HTTP\/1\.1 404 /)
})
