/** The stream of changes: server-sent events of both HTTP libraries, their bounds, and their end. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { type GivenFlags } from '../../src/config/config.js'
import { defineRoute } from '../../src/http/routing/route.js'
import { HttpServer } from '../../src/http/socket/server.js'
import type { StreamClient } from '../../src/http/reply/reply.js'
import { afterFile } from '../support/cleanUp.js'
import { type WritingWiki, writingWiki } from '../http/actionApi/writingWiki.js'
import { servesByUws, startGarden, TestServer } from './garden.js'

const PATH = '/v2/stream/recentchange'

type Event = Readonly<Record<string, unknown>> & { readonly meta: Readonly<Record<string, unknown>> }

/** A client of a stream, who has read its first comment. */
class Listener {
  readonly #response: IncomingMessage
  #text = ''

  static async open(port: number, path = PATH): Promise<Listener> {
    const request = get({ port, host: '127.0.0.1', path, agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const listener = new Listener(response)
    afterFile(() => listener.leave())
    await listener.until(() => listener.text.startsWith(':ok\n\n'))
    return listener
  }

  private constructor(response: IncomingMessage) {
    this.#response = response
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => (this.#text += chunk))
    response.on('error', () => undefined)
  }

  get text(): string {
    return this.#text
  }

  get headers(): IncomingMessage['headers'] {
    return this.#response.headers
  }

  get events(): Event[] {
    return Array.from(this.#text.matchAll(/^data: (.*)$/gm), ([, json]) => JSON.parse(json!) as Event)
  }

  /** Waits for what the stream brings, or its end. */
  async until(isSeen: () => boolean): Promise<void> {
    while (!isSeen()) {
      if (this.#response.closed) throw new Error(`the stream has ended after ${this.#text}`)
      await new Promise((resolve) => {
        this.#response.once('data', resolve)
        this.#response.once('close', resolve)
      })
    }
  }

  /** The event of a title. */
  async eventOf(title: string, type?: string): Promise<Event> {
    const find = (): Event | undefined =>
      this.events.find((event) => event['title'] === title && (type ?? event['type']) === event['type'])
    await this.until(() => find() !== undefined)
    return find()!
  }

  get isComplete(): boolean {
    return this.#response.complete
  }

  get hasEnded(): boolean {
    return this.#response.closed || this.#response.complete
  }

  leave(): void {
    this.#response.destroy()
  }
}

let wiki: WritingWiki
let streams: Listener
const start = (flags: GivenFlags = {}): Promise<WritingWiki> => writingWiki(flags)
beforeAll(async () => {
  wiki = await start()
  streams = await Listener.open(wiki.server.port)
})

describe('a stream of changes', () => {
  test('has the head of server-sent events', () => {
    expect(streams.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-store',
      'transfer-encoding': 'chunked',
    })
    expect(streams.headers).not.toHaveProperty('content-length')
  })

  test('tells of new pages, edits and entries of the log, in the form of EventStreams', async () => {
    const { ann, sue, server } = wiki
    const first = await ann.save('Told', 'text', { summary: 'a [[Moon]]' })
    const second = await ann.save('Told', 'text, more', { minor: '1' })
    await sue.do('delete', { title: 'Told', reason: 'why' })
    const log = await streams.eventOf('Told', 'log')
    expect(log).toMatchObject({
      log_type: 'delete',
      log_action: 'delete',
      log_action_comment: 'why',
      user: 'Sue',
    })
    // The revisions were deleted before they could be told, or were told.
    await ann.save('Seen', 'text', { summary: 'a [[Moon]]' })
    const made = await streams.eventOf('Seen', 'new')
    const { port } = server
    expect(made).toMatchObject({
      $schema: '/mediawiki/recentchange/1.0.0',
      meta: {
        uri: `http://127.0.0.1:${port}/wiki/Seen`,
        domain: '127.0.0.1',
        stream: 'mediawiki.recentchange',
        dt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as unknown,
        id: expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as unknown,
      },
      namespace: 0,
      comment: 'a [[Moon]]',
      parsedcomment: expect.stringContaining('<a ') as unknown,
      user: 'Ann',
      bot: false,
      minor: false,
      patrolled: true,
      length: { new: 4 },
      server_url: `http://127.0.0.1:${port}`,
      server_name: '127.0.0.1',
      server_script_path: '',
      title_url: `http://127.0.0.1:${port}/wiki/Seen`,
    })
    expect(Number(second)).toBeGreaterThan(Number(first))
    await ann.save('Seen', 'text, more', { minor: '1' })
    const edited = await streams.eventOf('Seen', 'edit')
    const { new: newest, old } = edited['revision'] as { new: number; old: number }
    expect(edited).toMatchObject({
      length: { old: 4, new: 10 },
      minor: true,
      notify_url: `http://127.0.0.1:${port}/index.php?diff=${newest}&oldid=${old}`,
    })
    expect(streams.text).toMatch(
      /\nevent: message\nid: \[\{"topic":"mediawiki\.recentchange","partition":0,"offset":\d+\}\]\ndata: \{/,
    )
  })

  test('has ids of rows as the list of recent changes', async () => {
    const { ann } = wiki
    await ann.save('Numbered', 'text')
    const { id } = await streams.eventOf('Numbered')
    const fields = { action: 'query', list: 'recentchanges', rctitle: 'Numbered', rcprop: 'ids' }
    const { query } = await ann.client.get(fields)
    expect((query as { recentchanges: { rcid: number }[] }).recentchanges[0]!.rcid).toBe(id)
  })

  test('tells all listeners the same, and of moves once', async () => {
    const { ann, server } = wiki
    const others = [await Listener.open(server.port), await Listener.open(server.port)]
    await ann.save('Before', 'text')
    for (const listener of [streams, ...others]) await listener.eventOf('Before', 'new')
    await ann.do('move', { from: 'Before', to: 'After' })
    for (const listener of [streams, ...others]) {
      await listener.eventOf('Before', 'log')
      expect(listener.events.filter(({ title }) => title === 'After')).toEqual([])
    }
    const ids = others.map(({ events }) => events.map(({ meta }) => meta['id']))
    expect(ids[0]).toEqual(ids[1])
    for (const listener of others) listener.leave()
  })

  test('answers HEAD without beginning one, and other methods with 405', async () => {
    const { server } = wiki
    const head = await server.send(PATH, { method: 'HEAD' })
    expect(head).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    })
    expect(head.bytes.length).toBe(0)
    expect((await server.send(PATH, { method: 'POST' })).status).toBe(405)
  })

  test('beats, also longer than an idle connection lives', { tags: ['slow'] }, async () => {
    const listener = await Listener.open(wiki.server.port)
    await listener.until(() => listener.text.split(':\n\n').length > 3)
    expect(listener.hasEnded).toBe(false)
    listener.leave()
  })

  test('comes up to the end of the connection in HTTP/1.0 by node:net', async () => {
    const answer = await wiki.server.raw(`GET ${PATH} HTTP/1.0\r\n\r\n`, (received) =>
      received.includes(':ok'),
    )
    const [head, body] = answer.split('\r\n\r\n')
    if (servesByUws) return
    expect(head).not.toContain('Transfer-Encoding')
    expect(head).toContain('Connection: close')
    expect(body).toMatch(/^:ok/)
  })
})

describe('streams end', () => {
  test('at a limit: further ones are answered 503, until one has gone', async () => {
    const small = await start({ maxEventStreams: '2' })
    const { server, ann } = small
    const both = [await Listener.open(server.port), await Listener.open(server.port)]
    const refused = await server.send(PATH)
    expect(refused).toMatchObject({ status: 503, body: { errorKey: 'rest-server-busy' } })
    expect(refused.headers['retry-after']).toBeDefined()
    both[0]!.leave()
    await expect.poll(async () => (await server.send(PATH, { method: 'HEAD' })).status).toBe(200)
    const next = await Listener.open(server.port)
    await ann.save('Heard', 'x')
    await next.eventOf('Heard')
    await both[1]!.eventOf('Heard')
  })

  test('with the server, politely and at once', async () => {
    const stopping = await start()
    const listeners = [await Listener.open(stopping.server.port), await Listener.open(stopping.server.port)]
    const began = performance.now()
    await stopping.server.app.close()
    expect(performance.now() - began).toBeLessThan(5000)
    for (const listener of listeners) await listener.until(() => listener.hasEnded)
    for (const listener of listeners) expect(listener.isComplete).toBe(true)
    expect(listeners[0]!.text).toBe(':ok\n\n')
  })
})

describe('a client that does not read', () => {
  /** Streams of a server of its own, whose source the test is. */
  async function startSource(): Promise<{ server: TestServer; clients: StreamClient[] }> {
    const garden = await startGarden()
    const clients: StreamClient[] = []
    const begin = (client: StreamClient): void => {
      client.write(Buffer.from('x'))
      clients.push(client)
    }
    const route = defineRoute({
      method: 'GET',
      path: '/stream',
      handler: () => ({ status: 200, headers: '', body: { begin } }),
    })
    const server = new HttpServer(garden.app.context, [route])
    afterFile(() => server.close(0))
    return { server: new TestServer(await server.listen(), garden.app), clients }
  }

  test('loses its connection, and a quick one gets all of it', async () => {
    const { server, clients } = await startSource()
    const slow = connect(server.port, '127.0.0.1')
    afterFile(() => slow.destroy())
    slow.on('error', () => undefined)
    slow.write('GET /v1/stream HTTP/1.1\r\nHost: x\r\n\r\n')
    slow.pause()
    await expect.poll(() => clients.length).toBe(1)
    let hasEnded = false
    clients[0]!.onEnd = () => (hasEnded = true)
    const part = Buffer.alloc(64 * 1024, 'x')
    for (let n = 0; n < 1000 && !hasEnded; n++) {
      clients[0]!.write(part)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(hasEnded).toBe(true)

    let received = 0
    const request = get({ port: server.port, host: '127.0.0.1', path: '/v1/stream', agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.on('data', (chunk: Buffer) => (received += chunk.length))
    for (let n = 1; n <= 20; n++) {
      clients[1]!.write(part)
      await expect.poll(() => received).toBe(1 + n * part.length)
    }
    clients[1]!.end()
    await expect.poll(() => response.complete).toBe(true)
  })
})
