/** Pages whose module does not end, asked for by some clients, leave a thread to the pages of another one. */
// @module-tag hostile
import { expect, test } from 'vitest'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { folderWith, page, revision } from './busyWiki.js'
import { type Answer, startServer, type TestServer } from './garden.js'

const HOSTILE = 24
const FRESH = 10
/** What one client has used does not count for the other. */
const CLIENTS = { Idle: '10.0.0.8', Fresh: '10.0.0.9' }
/** Out of reach: nothing but the fair queue lets the other client in. */
const NO_LIMITS = { renderTimeoutMs: '600000', luaTimeMs: '600000' }
const MODULES = { id: 828, name: 'Module', case: 'first-letter' } as const

const endless = 'local p = {}\nfunction p.main() while true do end end\nreturn p'
/** Takes the engine about as long as a usual page. */
const freshText = (n: number): string => `'''fresh ${n}''' ${`''a'' [[b]] {{c}}\n`.repeat(30)}`

/** A server of two render threads, with pages `Hostile_…`, and `Idle_…` and `Fresh_…`, each of which is rendered once. */
async function startFairServer(limits: Readonly<Record<string, string>>): Promise<TestServer> {
  const pages = [
    ...Array.from({ length: HOSTILE }, (_, n) =>
      page(n + 1, `Hostile_${n}`, [revision(n + 1, `before {{#invoke:Endless|main|${n}}}`)]),
    ),
    ...['Idle', 'Fresh'].flatMap((name, part) =>
      Array.from({ length: FRESH }, (_, n) => {
        const id = 100 * (part + 1) + n
        return page(id, `${name}_${n}`, [revision(id, freshText(n))])
      }),
    ),
    page(301, 'Warm', [revision(301, freshText(301))]),
    { ...page(300, 'Endless', [revision(300, endless)]), namespace: MODULES.id },
  ]
  const site = { ...DEFAULT_SITE, namespaces: [...DEFAULT_SITE.namespaces, MODULES] }
  return startServer(await folderWith(pages, { site }), {
    renderThreads: '2',
    trustedProxies: '127.0.0.1',
    ...limits,
  })
}

const ask = (server: TestServer, name: string, client: string): Promise<Answer> =>
  server.send(`/v1/page/${name}/html`, { headers: { 'x-forwarded-for': client } })

/** Asks for ten pages one after the other, and prints how long each took. */
async function askForTen(server: TestServer, name: keyof typeof CLIENTS): Promise<void> {
  const tookMs: number[] = []
  for (let n = 0; n < FRESH; n++) {
    const beganMs = performance.now()
    const { status, bytes } = await ask(server, `${name}_${n}`, CLIENTS[name])
    tookMs.push(Math.round(performance.now() - beganMs))
    expect({ n, status }).toEqual({ n, status: 200 })
    expect(bytes.toString()).toContain(`fresh ${n}`)
  }
  const total = tookMs.reduce((sum, ms) => sum + ms)
  process.stderr.write(`${name}: ${total} ms in all, each ${tookMs.join(', ')}\n`)
}

/** Each connection asks for hostile pages as `client`, one after the other. */
function beginHostile(
  server: TestServer,
  clients: readonly string[],
): { readonly end: Promise<void[]>; readonly countAnswers: () => number } {
  let next = 0
  let answers = 0
  const end = Promise.all(
    clients.map(async (client) => {
      while (next < HOSTILE) {
        // A server that closes drops the connection.
        const answer = await ask(server, `Hostile_${next++}`, client).catch(() => undefined)
        if (answer === undefined) return
        answers++
      }
    }),
  )
  return { end, countAnswers: () => answers }
}

async function countRenderThreads(server: TestServer): Promise<number> {
  const { bytes } = await server.send('/metrics')
  return Number(/^palimpsest_render_threads\{pool="render"\} (\d+)$/m.exec(bytes.toString())?.[1])
}

/** Both threads start, which takes some time. */
async function warm(server: TestServer): Promise<void> {
  await Promise.all(['Endless', 'Warm'].map((name, n) => ask(server, name, `10.0.0.${n + 6}`)))
}

const four = (client: string): string[] => Array.from({ length: 4 }, () => client)

test.each<[string, string[], Record<string, string>]>([
  ['a client with four connections holds what it can', four('10.0.0.1'), NO_LIMITS],
  ['two clients hold a thread each', ['10.0.0.1', '10.0.0.2'], NO_LIMITS],
  ['a client with four connections asks for them, with usual limits', four('10.0.0.1'), {}],
])('ten fresh pages are answered at once while %s', async (_case, clients, limits) => {
  const server = await startFairServer(limits)
  await warm(server)
  await askForTen(server, 'Idle')
  const { end, countAnswers } = beginHostile(server, clients)
  // Long jobs in all threads start a third one before anybody waits for it.
  if (limits === NO_LIMITS) await expect.poll(() => countRenderThreads(server), { timeout: 10_000 }).toBe(3)
  await askForTen(server, 'Fresh')
  if (limits === NO_LIMITS) {
    // All go on: none had to be ended.
    expect(countAnswers()).toBe(0)
    expect(await countRenderThreads(server)).toBe(3)
  }
  await server.app.close(0)
  await end
})

test('five clients hold three threads, which are no more, and other pages come', async () => {
  const server = await startFairServer({ ...NO_LIMITS, renderTimeoutMs: '24000' })
  await warm(server)
  const { end, countAnswers } = beginHostile(
    server,
    [1, 2, 3, 4, 5].map((n) => `10.0.0.${n}`),
  )
  await expect.poll(() => countRenderThreads(server)).toBe(3)
  expect(await ask(server, 'Fresh_0', '10.0.0.9')).toMatchObject({ status: 200 })
  expect(countAnswers()).toBeGreaterThan(0)
  expect(await countRenderThreads(server)).toBeLessThanOrEqual(3)
  await server.app.close(0)
  await end
})
