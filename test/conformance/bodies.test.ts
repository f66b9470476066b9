/** Request bodies over a socket: whole, in pieces, too large, broken off. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { jsonBody } from '../../src/http/request/bodyFields.js'
import { BodyCollector } from '../../src/http/request/requestBody.js'
import { json } from '../../src/http/reply/reply.js'
import { defineRoute } from '../../src/http/routing/route.js'
import { HttpServer } from '../../src/http/socket/server.js'
import { SocketRequest } from '../../src/http/socket/socketRequest.js'
import { send, startGarden, TestServer } from './garden.js'
import { afterFile } from '../support/cleanUp.js'

const MAX_BODY_BYTES = 1_000_000
const NO_VALIDATORS = { etag: undefined, lastModified: undefined }

let server: TestServer

const echo = defineRoute({
  method: 'POST',
  path: '/echo',
  body: jsonBody(['text', 'inner', 'inner.number'], (fields) => ({
    text: fields.requireText('text'),
    inner: fields.get('inner'),
    number: fields.get('inner.number'),
  })),
  handler: ({ body, request }) =>
    json({ ...body, from: request.clientAddress(), cookie: request.header('cookie') }, NO_VALIDATORS),
})

let openGate = (): void => undefined
const gate = new Promise<void>((resolve) => (openGate = resolve))

/** Answers when the gate is opened. */
const wait = defineRoute({
  method: 'POST',
  path: '/wait',
  body: jsonBody(['text'], (fields) => fields.requireText('text').length),
  handler: ({ body }) => gate.then(() => json({ letters: body }, NO_VALIDATORS)),
})

beforeAll(async () => {
  const { app } = await startGarden()
  const config = { ...app.context.config, maxBodyBytes: MAX_BODY_BYTES, trustedProxies: ['127.0.0.1'] }
  const http = new HttpServer({ ...app.context, config }, [echo, wait])
  afterFile(() => http.close(50))
  server = new TestServer(await http.listen(), app)
})

/** Bytes of each body that the server has got since the test began. */
const got = new Map<BodyCollector, number>()
const refused = new Set<BodyCollector>()
const begun = vi.spyOn(SocketRequest.prototype, 'readBody')
const abandoned = vi.spyOn(BodyCollector.prototype, 'abandon')
// oxlint-disable-next-line typescript/unbound-method -- called with the body as `this` below
const { add } = BodyCollector.prototype
const added = vi.spyOn(BodyCollector.prototype, 'add').mockImplementation(function (
  this: BodyCollector,
  chunk,
  isLast,
) {
  if (!got.has(this)) this.whole.catch(() => refused.add(this))
  got.set(this, (got.get(this) ?? 0) + chunk.length)
  add.call(this, chunk, isLast)
})
beforeEach(() => {
  got.clear()
  refused.clear()
  vi.clearAllMocks()
})

const gotBytes = (): number => [...got.values()].reduce((sum, bytes) => sum + bytes, 0)
const EAGERLY = { interval: 1 }

const HEAD = 'POST /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
const post = (body: string, headers = '') =>
  `${HEAD}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const statuses = (received: string) => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)

async function open(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Writes pieces so that each arrives by itself. */
async function dribble(pieces: readonly (string | Buffer)[]): Promise<string> {
  const socket = await open()
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  for (const piece of pieces) {
    const arrivals = (): number => begun.mock.calls.length + added.mock.calls.length
    const before = arrivals()
    socket.write(piece)
    await expect.poll(arrivals, EAGERLY).toBeGreaterThan(before)
  }
  while (!received.includes('}')) await once(socket, 'data')
  socket.destroy()
  return received
}

describe('a body', () => {
  test('is read with the headers that came before it', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8', cookie: 'a=b' }
    const body = JSON.stringify({ text: 'ä', inner: { number: 1 }, other: [] })
    const answer = await send(server.port, '/v1/echo', { method: 'POST', body, headers })
    expect(answer.body).toEqual({
      text: 'ä',
      inner: { kind: 'object' },
      number: 1,
      from: '127.0.0.1',
      cookie: 'a=b',
    })
  })

  test.each([
    ['one line', 'X-Forwarded-For: 192.0.2.1, 192.0.2.2\r\n', '192.0.2.2'],
    ['two lines', 'X-Forwarded-For: 192.0.2.1\r\nx-forwarded-for: 192.0.2.2\r\n', '192.0.2.2'],
    [
      'lines among others, a trusted proxy last',
      'X-Forwarded-For: 192.0.2.1, 192.0.2.2\r\nX: 192.0.2.3\r\nX-Forwarded-For: 127.0.0.1\r\n',
      '192.0.2.2',
    ],
  ])('comes from whom the last proxy names: %s', async (_case, headers, from) => {
    const received = await server.raw(post('{"text":"a"}', headers), (text) => text.endsWith('}'))
    expect(received).toContain(`"from":"${from}"`)
  })

  test('may come in pieces, cut inside a letter', async () => {
    const whole = Buffer.from(post('{"text":"žluťoučký"}'))
    const at = whole.indexOf('ž') + 1
    expect(await dribble([whole.subarray(0, at), whole.subarray(at)])).toContain('"text":"žluťoučký"')
  })

  test('may come in chunks without a length', async () => {
    const chunks = [
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n`,
      '9\r\n{"text":"\r\n',
      '3\r\nab"\r\n1\r\n}\r\n0\r\n\r\n',
    ]
    expect(await dribble(chunks)).toContain('"text":"ab"')
  })

  test('of hundreds of kilobytes is parsed by a thread, with the same outcome', async () => {
    const text = 'Wörter '.repeat(100_000)
    const headers = { 'content-type': 'application/json' }
    const sendText = (body: string) => send(server.port, '/v1/echo', { method: 'POST', body, headers })
    const answer = await sendText(JSON.stringify({ text, inner: 7 }))
    expect((answer.body as { text: string }).text === text).toBe(true)
    expect((await sendText(`{"text": 1 "${text}"`)).status).toBe(400)
    expect((await sendText(JSON.stringify([text]))).body).toMatchObject({
      errorKey: 'rest-missing-body-field',
    })
  })

  test('leaves the connection open for the next request', async () => {
    const received = await server.raw(post('{"text":"a"}') + post('{"text":"b"}'), (all) =>
      all.includes('"b"'),
    )
    expect(statuses(received)).toEqual(['200', '200'])
  })

  test('that is not UTF-8 is refused', async () => {
    const bytes = Buffer.concat([Buffer.from(`${HEAD}Content-Length: 12\r\n\r\n{"text":"`), Buffer.of(0xff)])
    expect(await dribble([bytes, '"}'])).toContain('rest-json-body-parse-error')
  })

  test('that has half of a surrogate pair is refused', async () => {
    const received = await server.raw(post(String.raw`{"text":"a\ud83db"}`), (all) => all.endsWith('}'))
    expect(statuses(received)).toEqual(['400'])
    expect(received).toContain('half of a surrogate pair in \\"text\\"')
  })

  test('that is absent is no JSON', async () => {
    const head = 'POST /v1/echo HTTP/1.1\r\nHost: x\r\n'
    const typed = `${head}Content-Type: application/json\r\n\r\n`
    expect(await server.raw(typed, (all) => all.endsWith('}'))).toContain('rest-json-body-parse-error')
    const untyped = await server.raw(`${head}\r\n`, (all) => all.endsWith('}'))
    expect(statuses(untyped)).toEqual(['415'])
    expect(untyped).toContain('rest-no-content-type')
  })
})

describe('a body that is too large', () => {
  test('is refused by its length, before it is sent, and the connection closed', async () => {
    const received = await server.raw(`${HEAD}Content-Length: ${MAX_BODY_BYTES + 1}\r\n\r\n`, () => false)
    expect(statuses(received)).toEqual(['413'])
    expect(received).toMatch(/^connection: close/im)
  })

  test('is refused as soon as its chunks are too many', async () => {
    const chunk = `${(100_000).toString(16)}\r\n${' '.repeat(100_000)}\r\n`
    const head = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`
    expect(statuses(await server.raw(head + chunk.repeat(11), () => false))).toEqual(['413'])
  })

  test('by a byte is refused, one of the exact size is not', async () => {
    const room = MAX_BODY_BYTES - '{"text":""}'.length
    const headers = { 'content-type': 'application/json' }
    const status = async (letters: number) =>
      (
        await send(server.port, '/v1/echo', {
          method: 'POST',
          body: `{"text":"${'x'.repeat(letters)}"}`,
          headers,
        })
      ).status
    expect([await status(room), await status(room + 1)]).toEqual([200, 413])
  })
})

describe('a client that goes away in the middle of a body', () => {
  test('leaves no memory taken behind', async () => {
    // Together these are more than all bodies may take at once.
    for (let round = 1; round <= 3; round++) {
      const sockets = await Promise.all(Array.from({ length: 12 }, open))
      for (const socket of sockets) {
        socket.on('error', () => undefined)
        socket.write(`${HEAD}Content-Length: ${MAX_BODY_BYTES}\r\n\r\n${' '.repeat(MAX_BODY_BYTES - 10)}`)
      }
      await expect.poll(gotBytes, EAGERLY).toBe(round * sockets.length * (MAX_BODY_BYTES - 10))
      for (const socket of sockets) socket.destroy()
      await expect.poll(() => abandoned.mock.calls.length, EAGERLY).toBe(round * sockets.length)
    }
    expect(await server.raw(post('{"text":"still here"}'), (all) => all.includes('}'))).toContain(
      'still here',
    )
  })
})

describe('bodies that together are too much', () => {
  test('are shed with 503 while the others are taken', async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, open))
    const firstBytes = MAX_BODY_BYTES - 12
    const haveSettled = (): number =>
      [...got].filter(([body, bytes]) => refused.has(body) || bytes === firstBytes).length
    const answers = sockets.map(async (socket) => {
      let received = ''
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
      socket.write(`${HEAD}Content-Length: ${MAX_BODY_BYTES}\r\n\r\n${' '.repeat(firstBytes)}`)
      await expect.poll(haveSettled, EAGERLY).toBe(sockets.length)
      socket.write('{"text":"x"}')
      while (!received.includes('}')) await once(socket, 'data')
      socket.destroy()
      return statuses(received)[0]
    })
    const shed = (await Promise.all(answers)).filter((status) => status === '503')
    expect(shed.length).toBeGreaterThanOrEqual(4)
    expect(shed.length).toBeLessThan(20)
  })
})

describe('bodies that were read', () => {
  test('count until their requests are answered', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ text: 'x'.repeat(MAX_BODY_BYTES - 100) })
    let turnedAway = 0
    const answers = Array.from({ length: 20 }, async () => {
      const { status } = await send(server.port, '/v1/wait', { method: 'POST', body, headers })
      if (status === 503 && ++turnedAway === 4) openGate()
      return status
    })
    const all = await Promise.all(answers)
    expect(all.filter((status) => status === 200)).toHaveLength(16)
    expect((await send(server.port, '/v1/wait', { method: 'POST', body, headers })).status).toBe(200)
  })
})
