/** `/mcp`: a client of the SDK over HTTP, and requests that no client sends. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, connectedClient, type Era, ERAS, mcpFolder, playSession } from '../support/mcpSession.js'
import { type Answer, type RequestOptions, startServer, type TestServer } from './garden.js'

type Client = Awaited<ReturnType<typeof connectedClient>>

const FLAGS = { mcp: true, mcpOrigins: 'https://chat.example, https://other.example' }
const clients: Client[] = []
let dataDir: string
let server: TestServer

beforeAll(async () => {
  dataDir = await mcpFolder()
  server = await startServer(dataDir, FLAGS)
})
afterAll(() => Promise.all(clients.map((client) => client.close())))

async function client(era: Era, url = `${server.base}/mcp`): Promise<Client> {
  const connected = await connectedClient(new StreamableHTTPClientTransport(new URL(url)), era)
  clients.push(connected)
  return connected
}

describe.each(ERAS)('a client of the SDK in the version of %s clients', (era) => {
  test('plays a session', async () => {
    const urlOf = (title: string, id: number): string => `${server.base}/wiki/${title}?oldid=${id}`
    await playSession(await client(era), urlOf)
  })

  test('reads pages as resources', async () => {
    const { contents } = await (await client(era)).readResource({ uri: 'wiki://wiki/A%2FB' })
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: '# A/B\n\nA page with a slash\n' }])
  })

  test('gets answers to many calls at once', async () => {
    const connected = await client(era)
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => call(connected, 'page', { title: 'Rose', section: 0 })),
    )
    expect(answers.filter(({ isError }) => isError)).toEqual([])
  })
})

const JSON_HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
}
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

const post = (body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  server.send('/mcp', { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body })

describe('the route', () => {
  test.each<[string, string, Readonly<Record<string, string>>, number]>([
    ['a ping', PING, {}, 200],
    ['text that is no JSON', 'hello', {}, 400],
    ['nothing', '', {}, 400],
    ['a batch', `[${PING}]`, {}, 400],
    ['a batch after a byte order mark', `\ufeff [${PING}]`, {}, 400],
    ['JSON that is no message', '{"a":1}', {}, 400],
    ['a form', 'a=1', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    ['a message for a client of no kind', PING, { Accept: 'text/html' }, 406],
    ['an unknown version', PING, { 'MCP-Protocol-Version': '1999-01-01' }, 400],
    [
      'a body of 100 kB',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { a: 'x'.repeat(100_000) } }),
      {},
      413,
    ],
    ['a page of a listed origin', PING, { Origin: 'https://chat.example' }, 200],
    ['a page of this machine', PING, { Origin: 'http://localhost:3000' }, 200],
    ['a page of another site', PING, { Origin: 'https://evil.example' }, 403],
    [
      'a page of the name that a request has',
      PING,
      { Origin: 'http://evil.example', Host: 'evil.example' },
      403,
    ],
    ['a page without an origin', PING, { Origin: 'null' }, 403],
  ])('answers %s', async (_case, body, headers, status) => {
    expect((await post(body, headers)).status).toBe(status)
  })

  test('answers a header that is no text, which uWebSockets.js leaves out', async () => {
    const { status } = await post(PING, { 'MCP-Protocol-Version': 'ü' })
    expect([200, 400]).toContain(status)
  })

  test.each<[RequestOptions['method'], number]>([
    ['GET', 405],
    ['DELETE', 405],
    ['PUT', 405],
  ])('answers %s by %d', async (method, status) => {
    const answer = await server.send('/mcp', { method: method!, headers: { Accept: 'text/event-stream' } })
    expect(answer.status).toBe(status)
  })

  test('opens no stream', async () => {
    const method = 'subscriptions/listen'
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { _meta, notifications: { toolsListChanged: true } },
    }
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method }
    const { bytes } = await post(JSON.stringify(body), headers)
    expect(bytes.toString()).toContain('limit reached')
  })

  test.each([
    ['a batch', `[${PING}]`],
    [
      'deep nesting',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`,
    ],
    ['brackets without an end', `{"a":${'['.repeat(60_000)}`],
  ])('goes on after %s', async (_case, body) => {
    expect((await post(body)).status).toBeLessThan(500)
    expect((await post(PING)).status).toBe(200)
  })

  test('counts towards the limit of reads', async () => {
    const limited = await startServer(dataDir, { ...FLAGS, readsPerSecond: '1' })
    const statuses: number[] = []
    for (let n = 0; n < 15; n++)
      statuses.push(
        (await limited.send('/mcp', { method: 'POST', headers: JSON_HEADERS, body: PING })).status,
      )
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3)
  })

  test('is absent by default', async () => {
    const plain = await startServer(dataDir)
    expect((await plain.send('/mcp', { method: 'POST', headers: JSON_HEADERS, body: PING })).status).toBe(404)
  })
})

describe('several wikis', () => {
  test('each have a route', async () => {
    const several = await startServer(dataDir, { ...FLAGS, wiki: `one=${dataDir},two=${await mcpFolder()}` })
    const connected = await client('auto', `${several.base}/two/mcp`)
    const { fields } = await call(connected, 'summary', { title: 'Rose' })
    expect(fields?.['url']).toBe(`${several.base}/two/wiki/Rose?oldid=3`)
    const { contents } = await connected.readResource({ uri: 'wiki://two/A%2FB' })
    expect(contents).toHaveLength(1)
  })
})
