/** Properties of uWebSockets.js that the server needs, beyond its types or contrary to them. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import type * as Package from 'uWebSockets.js'
import type { HttpRequest, us_listen_socket } from 'uWebSockets.js'
import { describe, expect, test } from 'vitest'
import { afterFile } from '../support/cleanUp.js'

/** The package, or the reason why it does not load. */
const loaded: typeof Package | Error = await import('../../src/http/socket/uws/uwsDriver.js').then(
  ({ library }) => library,
  (error: Error) => error,
)
const reason = loaded instanceof Error ? ` (skipped: ${loaded.message})` : ''
/** Read in tests alone. */
const uws = loaded as typeof Package

const SHARED = 0
const EXCLUSIVE = 1

/** The form of `listen` with host, port and options, which the types leave out. */
type Listen = (
  host: string,
  port: number,
  options: number,
  callback: (socket: us_listen_socket | false) => void,
) => unknown

/** A server that answers each request with the result of `read`. Undefined if the port is taken. */
function listen(read: (request: HttpRequest) => string, port = 0, options = EXCLUSIVE): number | undefined {
  const app = uws.App().any('/*', (response, request) => void response.end(read(request)))
  const opened: us_listen_socket[] = []
  ;(app.listen as unknown as Listen)('127.0.0.1', port, options, (socket) => {
    if (socket !== false) opened.push(socket)
  })
  const [socket] = opened
  if (socket === undefined) return undefined
  afterFile(() => uws.us_listen_socket_close(socket))
  return uws.us_socket_local_port(socket)
}

/** Sends a head and, when the answer `body` is there, another request, which finds out whether the server has closed. */
function send(port: number, head: string, body: string): Promise<{ text: string; closed: boolean }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(head))
    let text = ''
    let sentAgain = false
    socket.on('error', reject)
    socket.on('data', (bytes) => {
      text += bytes.toString()
      if (!text.endsWith(body)) return
      if (sentAgain) {
        resolve({ text, closed: false })
        socket.destroy()
      } else {
        // A second request finds out whether the connection is still open.
        sentAgain = true
        text = ''
        socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
      }
    })
    socket.on('close', () => resolve({ text, closed: true }))
  })
}

describe.skipIf(loaded instanceof Error)(`uWebSockets.js${reason}`, () => {
  test('listen of uWebSockets.js takes host, port and options, and calls back before it returns', () => {
    const port = listen(() => 'x')
    expect(port).toBeGreaterThan(0)
    expect(
      listen(() => 'x', port),
      'an exclusive port was shared',
    ).toBeUndefined()
  })

  test.runIf(process.platform === 'linux')('two servers share a port when both ask for it', async () => {
    // Port 0 is never shared: a free one is found first.
    const probe = createServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    const { port } = probe.address() as AddressInfo
    await new Promise((resolve) => probe.close(resolve))
    expect(listen(() => 'x', port, SHARED)).toBe(port)
    expect(listen(() => 'x', port, SHARED)).toBe(port)
  })

  test('getQuery of uWebSockets.js is undefined without a question mark, and empty behind one', async () => {
    const queries: unknown[] = []
    const port = listen((request) => {
      queries.push(request.getQuery())
      return 'done'
    })
    await send(port!, 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 'done')
    await send(port!, 'GET /a? HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 'done')
    expect(queries).toEqual([undefined, ''])
  })

  test.each([
    ['close', true],
    ['abcde', true],
    ['keep-alive', false],
    ['close, te', false],
  ])('uWebSockets.js judges Connection by the length of its value alone: %s', async (value, closes) => {
    const port = listen(() => 'done')
    const { closed } = await send(port!, `GET / HTTP/1.1\r\nHost: a\r\nConnection: ${value}\r\n\r\n`, 'done')
    expect(closed).toBe(closes)
  })

  test('uWebSockets.js gives the method in its own case until getMethod is called', async () => {
    const methods: string[] = []
    const port = listen((request) => {
      methods.push(request.getCaseSensitiveMethod(), request.getMethod())
      return 'done'
    })
    await send(port!, 'PURGE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 'done')
    expect(methods).toEqual(['PURGE', 'purge'])
  })
})
