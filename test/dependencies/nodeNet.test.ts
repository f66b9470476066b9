/** What the driver on `node:net` relies on, besides the documentation: `src/http/socket/net/netDriver.ts`. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, test } from 'vitest'

test('Node hands each chunk that it reads from a connection to `push`', async () => {
  const pushed: (string | undefined)[] = []
  const server = createServer((socket) => {
    const push = socket.push.bind(socket)
    socket.push = (chunk: Buffer | null) => {
      pushed.push(chunk?.toString())
      return chunk === null ? push(chunk) : true
    }
    socket.on('data', () => expect.unreachable('nothing is left for the stream'))
    socket.on('end', () => socket.end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.end('some bytes')
  await once(client.resume(), 'close')
  server.close()
  expect(pushed.join('')).toBe('some bytes')
  expect(pushed.at(-1)).toBeUndefined()
})
