/** `palimpsest mcp`: a client of the SDK, and messages that no client sends. */
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  call,
  connectedClient,
  type Era,
  ERAS,
  mcpFolder,
  playSession,
  wordsOfTools,
} from '../support/mcpSession.js'
import { Store } from '../../src/storage/store.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { SearchWiki } from '../support/searchWiki.js'
import { COMMAND, runCommand } from '../support/command.js'
import { temporaryFolder } from '../conformance/garden.js'

type Client = Awaited<ReturnType<typeof connectedClient>>

const clients: Client[] = []
let dataDir: string

beforeAll(async () => {
  dataDir = await mcpFolder()
})
afterAll(() => Promise.all(clients.map((client) => client.close())))

const client = (...flags: string[]): Promise<Client> => clientOf('auto', ...flags)

async function clientOf(era: Era, ...flags: string[]): Promise<Client> {
  const args = ['mcp', ...flags]
  const transport = new StdioClientTransport({ command: COMMAND, args, stderr: 'pipe' })
  const connected = await connectedClient(transport, era)
  clients.push(connected)
  return connected
}

describe('a client of the SDK', () => {
  test.each(ERAS)('plays a session in the version of %s clients', { tags: ['slow'] }, async (era) => {
    const connected = await clientOf(era, '--data-dir', dataDir)
    await playSession(connected, (title, id) => `wiki://wiki/${title}?oldid=${id}`)
  })

  test('reads few words about the tools, and pages as resources', async () => {
    const connected = await client('--data-dir', dataDir, '--public-url', 'https://wiki.example/w')
    expect(await wordsOfTools(connected)).toBeLessThan(400)
    const { contents } = await connected.readResource({ uri: 'wiki://wiki/A%2FB' })
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: '# A/B\n\nA page with a slash\n' }])
    await expect(connected.readResource({ uri: 'wiki://wiki/Nowhere' })).rejects.toThrow('There is no page')
    await expect(connected.readResource({ uri: 'wiki://other/Rose' })).rejects.toThrow('other')
    const { fields } = await call(connected, 'outline', { title: 'A/B' })
    expect(fields?.['url']).toBe('https://wiki.example/wiki/A/B?oldid=7')
  })

  test('chooses among several wikis', { tags: ['slow'] }, async () => {
    const other = await mcpFolder()
    const connected = await client('--wiki', `one=${dataDir}`, '--wiki', `two=${other}`)
    const { isError, fields } = await call(connected, 'summary', { wiki: 'two', title: 'Rose' })
    expect([isError, fields?.['url']]).toEqual([false, 'wiki://two/Rose?oldid=3'])
    expect((await call(connected, 'summary', { title: 'Rose' })).text).toContain('wiki')
    expect((await call(connected, 'summary', { wiki: 'three', title: 'Rose' })).isError).toBe(true)
  })

  test('sees what another process writes', { tags: ['slow'] }, async () => {
    const connected = await client('--data-dir', dataDir)
    expect((await call(connected, 'page', { title: 'A/B' })).fields?.['revision']).toBe(7)
    const store = Store.open(dataDir)
    new SearchWiki(store, new Applier(store), dataDir).write('A/B', 'Newer text')
    await store.close()
    expect((await call(connected, 'page', { title: 'A/B' })).fields?.['text']).toBe('Newer text')
  })

  test('gets answers to many calls at once', { tags: ['slow'] }, async () => {
    const connected = await client('--data-dir', dataDir)
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => call(connected, 'page', { title: 'Rose', section: 0 })),
    )
    const refused = answers.filter(({ isError }) => isError)
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(68)
    for (const { text } of refused) expect(text).toContain('too many calls')
  })
})

/** Sends lines, then closes the input. Returns the messages of the output, and the exit status. */
async function sent(
  ...lines: string[]
): Promise<{ messages: Record<string, unknown>[]; status: number | null }> {
  const child = spawn(COMMAND, ['mcp', '--data-dir', dataDir, '--log-level', 'silent'])
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  child.stdin.on('error', () => undefined)
  child.stdin.write(lines.join(''))
  const answered = lines.some((line) => line.includes('"last"'))
  while (answered && !output.includes('"last"'))
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  child.stdin.end()
  const [status] = (await once(child, 'exit')) as [number | null]
  return {
    messages: output
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>),
    status,
  }
}

const message = (fields: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...fields })}\n`
const LAST = message({ id: 'last', method: 'ping' })
const HELLO = message({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
})

describe('the command', () => {
  test.each([
    ['nothing', []],
    ['a frame that is cut', [HELLO.slice(0, 30)]],
    ['a frame without an end', ['{"jsonrpc":"2.0","id":1,"method":"x","params":"', 'x'.repeat(3_000_000)]],
  ])('ends in order after %s', { tags: ['slow'] }, async (_case, lines) => {
    expect((await sent(...lines)).status).toBe(0)
  })

  test('goes on after what is no message, or a bad one', async () => {
    const call = (id: number, params: object): string => message({ id, method: 'tools/call', params })
    const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown
    const { messages, status } = await sent(
      HELLO,
      'hello\n',
      '[1,2]\n{"a":1}\nnull\n',
      '\ufffd\u0000\u0001\n',
      message({ id: 2, method: 'tools/erase' }),
      call(3, { arguments: [] }),
      // A name that all objects have.
      call(4, { name: 'constructor' }),
      call(5, { name: 'page', arguments: { title: deep } }),
      LAST,
    )
    const answer = (id: number | string): unknown => messages.find((one) => one['id'] === id)
    expect(answer(1)).toHaveProperty('result.serverInfo.name', 'palimpsest')
    for (const id of [2, 3, 4]) expect(answer(id)).toHaveProperty('error.code')
    expect(answer(5)).toHaveProperty('result.isError', true)
    expect(answer('last')).toHaveProperty('result')
    expect(status).toBe(0)
  })

  test('says that there is no wiki', () => {
    const { status, err } = runCommand(['mcp', '--data-dir', temporaryFolder()])
    expect(status).toBe(1)
    expect(err).toContain('no wiki')
  })
})
