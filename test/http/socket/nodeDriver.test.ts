/** Time limits of the driver of `node:http`, with a clock that the tests turn. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { NativeResponse } from '../../../src/http/socket/driver.js'
import { NodeDriver } from '../../../src/http/socket/node/nodeDriver.js'
import { afterFile } from '../../support/cleanUp.js'

const TEN_SECONDS_MS = 10_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A connection to a server, and the response to the next request on it. */
async function open(): Promise<{ client: Socket; asked: Promise<NativeResponse> }> {
  let ask = (_response: NativeResponse): void => undefined
  const asked = new Promise<NativeResponse>((resolve) => (ask = resolve))
  const handle = (response: NativeResponse): void => ask(response)
  const driver = new NodeDriver({ get: handle, other: handle, connections: () => undefined })
  const port = await driver.listen({ host: '127.0.0.1', port: 0, isShared: false })
  afterFile(() => driver.close())
  const client = connect(port, '127.0.0.1')
  await once(client, 'connect')
  return { client, asked }
}

const answered = (client: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    client.on('data', (bytes) => resolve(bytes.toString()))
    client.on('close', () => reject(new Error('the connection was closed')))
  })

test.each([
  ['a GET', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a POST whose body is here', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx'],
])('%s may wait for its answer for minutes', async (_case, sent) => {
  const { client, asked } = await open()
  client.write(sent)
  const response = await asked
  const isWhole = new Promise<void>((resolve) => {
    if (sent.startsWith('GET')) resolve()
    else response.onData((_chunk, isLast) => isLast && resolve())
  })
  await isWhole
  for (let n = 0; n < 20; n++) vi.advanceTimersByTime(TEN_SECONDS_MS)
  const answer = answered(client)
  response.writeStatus('200 OK')
  response.end('late')
  expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*late$/)
  client.destroy()
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
  vi.advanceTimersByTime(TEN_SECONDS_MS)
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
