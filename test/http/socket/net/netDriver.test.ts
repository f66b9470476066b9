/** Time limits and backpressure of the driver on `node:net`, with a clock that the tests turn. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { NativeRequest, NativeResponse } from '../../../../src/http/socket/driver.js'
import { NetDriver } from '../../../../src/http/socket/net/netDriver.js'
import { afterFile } from '../../../support/cleanUp.js'

/** A second more than the limit, since the driver looks once a second. */
const LIMIT_MS = 11_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A connection to a server, and the response to the next request on it. */
async function open(): Promise<{ client: Socket; asked: Promise<NativeResponse> }> {
  let ask = (_response: NativeResponse): void => undefined
  const asked = new Promise<NativeResponse>((resolve) => (ask = resolve))
  const handle = (response: NativeResponse): void => ask(response)
  let accept = (): void => undefined
  const accepted = new Promise<void>((resolve) => (accept = resolve))
  const driver = new NetDriver({ get: handle, other: handle, connections: () => accept() })
  const port = await driver.listen({ host: '127.0.0.1', port: 0, isShared: false })
  afterFile(() => driver.close())
  const client = connect(port, '127.0.0.1')
  client.on('error', () => undefined)
  await once(client, 'connect')
  await accepted
  return { client, asked }
}

const answered = (client: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    client.on('data', (bytes) => resolve(bytes.toString()))
    client.on('close', () => reject(new Error('the connection was closed')))
  })

/** Sends bytes, and waits until the server has answered a request on another connection, so it has read them. */
async function sendAndWait(client: Socket, bytes: string | Buffer): Promise<void> {
  await new Promise((resolve) => client.write(bytes, resolve))
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test.each([
  ['a GET', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a POST whose body is here', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n'],
])('%s may wait for its answer for minutes', async (_case, sent) => {
  const { client, asked } = await open()
  client.write(sent)
  const response = await asked
  const isWhole = new Promise<void>((resolve) => {
    if (sent.startsWith('GET')) resolve()
    else response.onData((_chunk, isLast) => isLast && resolve())
  })
  if (sent.startsWith('POST')) client.write('x')
  await isWhole
  for (let n = 0; n < 20; n++) vi.advanceTimersByTime(LIMIT_MS)
  const answer = answered(client)
  response.writeStatus('200 OK')
  response.end('late')
  expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*late$/)
  client.destroy()
})

test.each([
  ['nothing', ''],
  ['a part of a head', 'GET / HTTP/1.1\r\nHo'],
])('a client that sends %s for ten seconds loses its connection, and not before', async (_case, sent) => {
  const { client } = await open()
  const closed = once(client, 'close')
  client.resume()
  await sendAndWait(client, sent)
  vi.advanceTimersByTime(9000)
  await sendAndWait(client, '')
  expect(client.readyState).toBe('open')
  vi.advanceTimersByTime(2000)
  await closed
})

test.each([
  ['more bytes of a head', ['GET', ' / HTTP', '/1.1\r\n', 'Host: x\r\n']],
  ['empty lines before a request', ['\r\n', '\r\n\r\n', '\r', '\n\r\n']],
])('%s do not lengthen its time', async (_case, parts) => {
  const { client } = await open()
  const closed = once(client, 'close')
  client.resume()
  for (const part of parts) {
    await sendAndWait(client, part)
    vi.advanceTimersByTime(3000)
  }
  await closed
})

/** Sends a part of a body, waits until it is received, and lets ten seconds pass. */
async function sendPart(client: Socket, asked: Promise<NativeResponse>, bytes: number): Promise<void> {
  client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n')
  const response = await asked
  let received = 0
  const isHere = new Promise<void>((resolve) => {
    response.onData((chunk) => {
      received += chunk.byteLength
      if (received === bytes) resolve()
    })
  })
  client.write(Buffer.alloc(bytes))
  await isHere
  vi.advanceTimersByTime(LIMIT_MS)
}

test('a client that sends less than 16 kB of a body in a second loses its connection', async () => {
  const { client, asked } = await open()
  const closed = once(client, 'close')
  client.resume()
  await sendPart(client, asked, 160_000)
  await closed
})

test('a client that sends more of it does not', async () => {
  const { client, asked } = await open()
  await sendPart(client, asked, 170_000)
  const answer = answered(client)
  const response = await asked
  response.writeStatus('413 Content Too Large')
  response.end('enough', true)
  expect(await answer).toMatch(/^HTTP\/1\.1 413 /)
})

test.each([
  ['ten seconds', false, 1],
  ['ten seconds for each 64 KiB that wait without a copy', true, 8],
])('a client that does not read loses its connection after %s', async (_case, areLasting, times) => {
  const { client, asked } = await open()
  const aborted = asked.then((response) => new Promise<void>((resolve) => response.onAborted(resolve)))
  client.pause()
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const response = await asked
  response.writeStatus('200 OK')
  const body = Buffer.alloc(20_000_000)
  const [tookAll, isDone] = response.tryEnd(body, body.length, areLasting)
  expect({ tookAll, isDone }).toEqual({ tookAll: false, isDone: false })
  expect(response.getWriteOffset()).toBeLessThan(body.length)
  vi.advanceTimersByTime(times * 10_000 - 1000)
  expect(client.destroyed).toBe(false)
  vi.advanceTimersByTime(2000)
  await aborted
})

test.each([
  ['copied', false],
  ['held without a copy', true],
])('the rest of a large body is written as the client takes it, %s', async (_case, areLasting) => {
  const { client, asked } = await open()
  client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const response = await asked
  const body = Buffer.from(Array.from({ length: 300_000 }, (_, n) => String(n)).join(' '))
  response.writeStatus('200 OK')
  const [, isDone] = response.tryEnd(body, body.length, areLasting)
  if (!isDone)
    response.onWritable((offset) => response.tryEnd(body.subarray(offset), body.length, areLasting)[0])
  const received = await text(client)
  expect(received.slice(received.indexOf('\r\n\r\n') + 4)).toBe(body.toString())
})

test('what a client sends while requests before it wait is read in its order', async () => {
  const paths: string[] = []
  const handle = (response: NativeResponse, request: NativeRequest): void => {
    paths.push(request.getUrl())
    // Some wait, so the socket is paused and goes on many times.
    const answer = (): void => {
      response.writeStatus('200 OK')
      response.end('')
    }
    if (paths.length % 50 === 0) setImmediate(answer)
    else answer()
  }
  const driver = new NetDriver({ get: handle, other: handle, connections: () => undefined })
  const port = await driver.listen({ host: '127.0.0.1', port: 0, isShared: false })
  afterFile(() => driver.close())
  const client = connect(port, '127.0.0.1')
  const sent = Array.from({ length: 5000 }, (_, n) => `/${n}`)
  const line = `X: ${'a'.repeat(500)}`
  client.write(sent.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${line}\r\n\r\n`).join(''))
  client.write('GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  sent.push('/last')
  await once(client.resume(), 'close')
  expect(paths).toEqual(sent)
})

test('a request that waits is given up when its client is gone', async () => {
  const { client, asked } = await open()
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const response = await asked
  const aborted = new Promise<void>((resolve) => response.onAborted(resolve))
  client.destroy()
  await aborted
})

test('a client that waits for a 100 gets it when the body is wanted', async () => {
  const { client, asked } = await open()
  client.write('PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n')
  const response = await asked
  const answer = answered(client)
  const whole = new Promise<string>((resolve) => {
    let body = ''
    response.onData((chunk, isLast) => {
      body += Buffer.from(chunk).toString()
      if (isLast) resolve(body)
    })
  })
  expect(await answer).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  client.write('ab')
  expect(await whole).toBe('ab')
  client.destroy()
})
