/** Answers to slow clients, over sockets that take bytes when the test says so. */
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { InFlight } from '../../../src/http/socket/inFlight.js'
import { NetConnection } from '../../../src/http/socket/net/netConnection.js'
import { Outbox } from '../../../src/http/socket/net/outbox.js'
import { SlowAnswers } from '../../../src/http/socket/slowAnswers.js'

/** A connection to a client. */
class SlowSocket extends Duplex {
  #taken: (() => void) | undefined
  bytes = 0

  override _read(): void {
    // The client sends nothing more.
  }

  override _write(chunk: Buffer, _encoding: string, taken: () => void): void {
    this.bytes += chunk.length
    this.#taken = taken
  }

  /** The client takes what was written. */
  async accept(): Promise<void> {
    this.#taken?.()
    await new Promise(setImmediate)
  }
}

test.each([
  ['before the last bytes are on their way', 100_000, 1],
  ['with the last bytes on their way', 150_000, 1],
  ['with all bytes', Infinity, 0],
])('an answer by node:net is counted off once when its client goes %s', async (_case, bytes, open) => {
  const requests = new InFlight()
  const answers = new SlowAnswers(1_000_000, requests)
  const handlers = {
    get: (response: Parameters<SlowAnswers['send']>[0]) => {
      response.writeStatus('200 OK')
      answers.send(response, Buffer.alloc(150_000))
    },
    other: () => expect.unreachable(),
    connections: () => undefined,
  }
  const socket = new SlowSocket()
  const shared = { handlers, outbox: new Outbox(), nowMs: 0 }
  const connection = new NetConnection(socket as unknown as Socket, shared)
  connection.take(Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
  expect(requests.count).toBe(1)
  while (socket.bytes < bytes && requests.count > 0) await socket.accept()
  expect(requests.count).toBe(open)
  socket.destroy()
  connection.ended()
  expect(requests.count).toBe(0)
  expect(answers.waitingBytes).toBe(0)
})
