/**
 * Requests whose framing servers may read in several ways, sent through the proxies of deploy/ over connections that they keep: each
 * request that the server takes is one that the proxy sent, and each client gets the answers to its own.
 */
// @module-tag slow
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import type {
  DriverHandlers,
  MakeDriver,
  NativeRequest,
  NativeResponse,
} from '../../src/http/socket/driver.js'
import { NetDriver } from '../../src/http/socket/net/netDriver.js'
import { echo, NEXT, readAnswers, REFUSED, TAKEN } from '../http/socket/framingCases.js'
import { afterFile } from '../support/cleanUp.js'
import { isInstalled, PROXIES, startProxy } from './proxies.js'

const uws = await import('../../src/http/socket/uws/uwsDriver.js').catch(() => undefined)
const DRIVERS: readonly (readonly [name: string, make: MakeDriver])[] = [
  ['node:net', (handlers) => new NetDriver(handlers)],
  ...(uws === undefined
    ? []
    : [['uWebSockets.js', (handlers: DriverHandlers) => new uws.UwsDriver(handlers)] as const]),
]
/** How long the proxies wait for the rest of a request. */
const CLIENT_SECONDS = 1

/** A request as the server saw it: its line, and the id that the proxy gave it. */
interface Seen {
  readonly line: string
  readonly id: string
}

async function startEcho(makeDriver: MakeDriver): Promise<{ port: number; seen: Seen[] }> {
  const seen: Seen[] = []
  const handle = (response: NativeResponse, request: NativeRequest): void => {
    const line = `${request.getCaseSensitiveMethod()} ${request.getUrl()}`
    // HAProxy looks itself whether the server is ready.
    if (line !== 'GET /readyz') seen.push({ line, id: request.getHeader('x-request-id') })
    echo(response, request)
  }
  const driver = makeDriver({ get: handle, other: handle, connections: () => undefined })
  afterFile(() => driver.close())
  return { port: await driver.listen({ host: '127.0.0.1', port: 0, isShared: false }), seen }
}

/** What a client gets for bytes until the proxy ends the connection. */
function converse(port: number, bytes: string): Promise<string[]> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.setEncoding('latin1').on('data', (text: string) => (received += text))
    socket.on('close', () => resolve(readAnswers(received)))
    socket.write(bytes, 'latin1')
  })
}

const LAST = NEXT.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
const lineOf = (answer: string): string => answer.split(/ \?|\|/, 1)[0]!

describe.each(PROXIES)('through %s', (proxy) => {
  test.runIf(isInstalled(proxy)).each(DRIVERS)(
    'to %s, no request is framed otherwise (needs the proxy installed)',
    async (_name, makeDriver) => {
      const { port: server, seen } = await startEcho(makeDriver)
      const port = await startProxy(proxy, [server, server], { clientSeconds: CLIENT_SECONDS })
      for (const [n, [name, bytes]] of [...TAKEN, ...REFUSED].entries()) {
        seen.length = 0
        const answers = await converse(port, bytes + LAST)
        const taken = answers.filter((answer) => answer.includes('|body='))
        // Only what the proxy sent as a request has an id.
        expect(
          seen.filter(({ id }) => id === '').map(({ line }) => line),
          name,
        ).toEqual([])
        if (n < TAKEN.length)
          expect(
            seen.map(({ line }) => line),
            name,
          ).not.toContain('GET /hidden')
        // In the order of the requests, without one of somebody else.
        expect(seen.map(({ line }) => line).join(), name).toContain(taken.map(lineOf).join())
        expect(await converse(port, LAST.replace('/next', `/probe-${n}`)), name).toEqual([
          expect.stringMatching(`^GET /probe-${n}\\|`),
        ])
      }
    },
  )
})
