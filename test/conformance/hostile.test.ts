/** Clients that cost as much as they can get bounded resources, and other clients are still answered. */
// @module-tag hostile
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { folderWith, page, revision } from './busyWiki.js'
import { startServer, type TestServer } from './garden.js'

/** More than the system keeps for a connection. */
const LARGE_BYTES = 14_000_000
const CLIENTS = 10

let server: TestServer
beforeAll(async () => {
  const large = page(1, 'Large', [revision(1, 'x'.repeat(LARGE_BYTES))])
  const folder = await folderWith([large, page(2, 'Small', [revision(2, 'text')])])
  // Room for two answers to clients that do not read.
  server = await startServer(folder, { slowAnswersBytes: String(2 * LARGE_BYTES), anonymousEdits: true })
})

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

async function open(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

const figure = async (name: string): Promise<number> => {
  const { bytes } = await server.send('/metrics')
  return Number(new RegExp(`^${name} (-?\\d+)$`, 'm').exec(bytes.toString())?.[1])
}

test('clients that ask for much and read nothing share a bounded memory', async () => {
  const clients = await Promise.all(Array.from({ length: CLIENTS }, open))
  const settled = clients.map(async (socket) => {
    socket.write('GET /v1/page/Large HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'readable')
  })
  await Promise.all(settled)
  // A disconnected client notices it at its next read.
  const received = clients.map(async (socket) => {
    let bytes = 0
    for await (const chunk of socket) {
      bytes += (chunk as Buffer).length
      if (bytes > LARGE_BYTES) break
    }
    return bytes
  })
  expect(await figure('palimpsest_http_waiting_bytes')).toBeLessThanOrEqual(2 * LARGE_BYTES)
  const whole = (await Promise.all(received)).filter((bytes) => bytes > LARGE_BYTES)
  expect(whole.length).toBeGreaterThan(0)
  expect(whole.length).toBeLessThan(CLIENTS)
  expect(await figure('palimpsest_http_waiting_bytes')).toBe(0)
  expect((await server.send('/v1/page/Small')).status).toBe(200)
})

// All at once: the HTTP libraries wait for ten seconds before they close a connection.
test('clients that stall in a request, or send a byte of it now and then, are closed, and others do not notice', async () => {
  const slow = await open()
  const slowIsClosed = once(slow.resume(), 'close')
  slow.write(
    'POST /v1/page HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n',
  )
  const timer = setInterval(() => slow.write('x'), 500)
  const stalled = await Promise.all(Array.from({ length: 300 }, open))
  const closed = stalled.map((socket) => once(socket.resume(), 'close'))
  for (const [n, socket] of stalled.entries()) {
    socket.write('GET /v1/page/Small HTTP/1.1\r\nHost: x\r\nX-Slow: '.slice(0, 5 + (n % 45)))
  }
  for (let n = 0; n < 20; n++) expect((await server.send('/v1/page/Small')).status).toBe(200)
  await Promise.all(closed)
  await slowIsClosed
  clearInterval(timer)
  expect(slow.bytesRead).toBe(0)
})

test('clients that go away in the middle leave nothing behind', async () => {
  const before = await figure('palimpsest_http_connections')
  const openBefore = await figure('palimpsest_http_requests_open')
  for (let round = 0; round < 10; round++) {
    const clients = await Promise.all(Array.from({ length: 20 }, open))
    for (const socket of clients) {
      socket.write('GET /v1/page/Large HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/rev')
      socket.destroy()
    }
  }
  await expect.poll(() => figure('palimpsest_http_connections')).toBeLessThanOrEqual(before + 1)
  expect(await figure('palimpsest_http_waiting_bytes')).toBe(0)
  expect(await figure('palimpsest_http_requests_open')).toBe(openBefore)
})
