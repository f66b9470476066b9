/** Addresses of clients: the system is asked as seldom as it can be, and never answered for with another's. */
import { request } from 'node:http'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { NativeResponse } from '../../../src/http/socket/driver.js'
import { Peers } from '../../../src/http/socket/peers.js'
import { startGarden, temporaryFolder } from '../../conformance/garden.js'

/** A response on a connection from an address, which counts how often it is asked. */
class From {
  asked = 0
  readonly #bytes: readonly number[]

  constructor(...bytes: number[]) {
    this.#bytes = bytes
  }

  getRemoteAddress(): ArrayBuffer {
    this.asked++
    return Uint8Array.from(this.#bytes).buffer
  }
}

const of = (peers: Peers, from: From): string => peers.of(from as unknown as NativeResponse)

describe('the address of a client', () => {
  test('is asked for once a connection while all come from one address', () => {
    const peers = new Peers()
    const clients = [1, 2, 3].map(() => new From(192, 0, 2, 1))
    for (const client of clients) peers.connect(client)
    for (let n = 0; n < 10; n++) for (const client of clients) expect(of(peers, client)).toBe('192.0.2.1')
    expect(clients.map(({ asked }) => asked)).toEqual([1, 1, 1])
  })

  test('is its own while there are several, and until no connection is left', () => {
    const peers = new Peers()
    const [a, b] = [new From(192, 0, 2, 1), new From(192, 0, 2, 2)]
    peers.connect(a)
    peers.connect(b)
    expect([of(peers, a), of(peers, b), of(peers, a)]).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.1'])
    // Nobody knows which of them has ended.
    peers.disconnect()
    expect(of(peers, b)).toBe('192.0.2.2')
    peers.disconnect()
    peers.connect(b)
    const asked = b.asked
    expect(of(peers, b)).toBe('192.0.2.2')
    expect(b.asked).toBe(asked)
  })

  test('is known to a connection that comes after one that has ended at once', () => {
    const peers = new Peers()
    peers.connect(new From())
    const client = new From(192, 0, 2, 3)
    peers.connect(client)
    expect(of(peers, client)).toBe('192.0.2.3')
    peers.disconnect()
    expect(of(peers, client)).toBe('192.0.2.3')
  })

  test('is right for requests from several addresses on kept connections', async () => {
    const file = join(temporaryFolder(), 'access.log')
    const garden = await startGarden({ accessLog: 'json', accessLogFile: file })
    const ask = (localAddress: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const options = { port: garden.app.port, host: '127.0.0.1', path: '/v1/page/Compost', localAddress }
        request(options, (answer) => answer.resume().on('end', resolve))
          .on('error', reject)
          .end()
      })
    const order = ['127.0.0.1', '127.0.0.1', '127.0.0.2', '127.0.0.1', '127.0.0.3', '127.0.0.2', '127.0.0.1']
    for (const address of order) await ask(address)
    await garden.app.close()
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { client: string }).client)).toEqual(order)
  })
})
