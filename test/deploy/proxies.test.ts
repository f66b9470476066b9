/** Two instances over one store behind the proxies of deploy/. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { gardenFolder, send } from '../conformance/garden.js'
import { ADDRESS, run } from '../support/command.js'
import { Readers } from '../supervisor/readers.js'
import { freePort, isInstalled, PROXIES, startProxy } from './proxies.js'

const KILLS = 4

interface Instance {
  readonly port: number
  child: ChildProcess
}

async function startInstance(dataDir: string, port: number): Promise<ChildProcess> {
  const flags = ['--port', String(port), '--anonymous-edits', '--trusted-proxies', '127.0.0.1']
  const server = run('serve', '--data-dir', dataDir, ...flags)
  await server.printed(ADDRESS)
  return server.child
}

async function startPair(): Promise<{ dataDir: string; instances: [Instance, Instance] }> {
  const dataDir = await gardenFolder()
  const start = async (): Promise<Instance> => {
    const port = await freePort()
    return { port, child: await startInstance(dataDir, port) }
  }
  return { dataDir, instances: [await start(), await start()] }
}

/** How many page reads an instance has answered so far. */
async function pageReads({ port }: Instance): Promise<number> {
  const { bytes } = await send(port, '/metrics', {})
  const samples = bytes
    .toString()
    .matchAll(/requests_total\{method="GET",route="\/page\/\{title\}",.*\} (\d+)/g)
  return [...samples].reduce((sum, [, count]) => sum + Number(count), 0)
}

describe.each(PROXIES)('behind %s', (proxy) => {
  const installed = isInstalled(proxy)

  test.skipIf(!installed)(
    'pages come through, with validators and request ids (needs the proxy installed)',
    async () => {
      const { instances } = await startPair()
      const port = await startProxy(proxy, [instances[0].port, instances[1].port])
      const page = await send(port, '/v1/page/Compost', { headers: { 'X-Request-Id': 'asked-1' } })
      expect(page.status).toBe(200)
      const etag = String(page.headers['etag'])
      const again = await send(port, '/v1/page/Compost', { headers: { 'If-None-Match': etag } })
      expect([again.status, again.bytes.length]).toEqual([304, 0])
      const bare = await send(port, '/v1/page/Compost/bare', { headers: { 'X-Request-Id': 'asked-2' } })
      expect(bare.headers['x-request-id']).toBe('asked-2')
      expect(bare.body).toMatchObject({ html_url: `http://127.0.0.1:${port}/v1/page/Compost/html` })
      for (const path of ['/metrics', '/healthz', '/readyz'])
        expect((await send(port, path, {})).status).toBe(404)
    },
  )

  test.skipIf(!installed)('many who ask for one page cost few reads of the servers', async () => {
    const { instances } = await startPair()
    const port = await startProxy(proxy, [instances[0].port, instances[1].port])
    const before = (await pageReads(instances[0])) + (await pageReads(instances[1]))
    await send(port, '/v1/page/Rain_barrel', {})
    await Promise.all(Array.from({ length: 200 }, () => send(port, '/v1/page/Rain_barrel', {})))
    const after = (await pageReads(instances[0])) + (await pageReads(instances[1]))
    expect(after - before).toBeLessThan(50)
  })

  test.skipIf(!installed)(
    'no read fails and no acknowledged edit is lost while instances are killed under load',
    { timeout: 180_000 },
    async () => {
      const { dataDir, instances } = await startPair()
      const port = await startProxy(proxy, [instances[0].port, instances[1].port])
      // Each on a page of its own, past what the proxy keeps: every read reaches a server.
      const readers = new Readers(`http://127.0.0.1:${port}/v1/page/Compost/history`, 4)
      const editor = new Editor(port)
      for (let n = 0; n < KILLS; n++) {
        const victim = instances[n % 2]!
        await editor.savedMore(3)
        victim.child.kill('SIGKILL')
        await once(victim.child, 'exit')
        await editor.savedMore(3)
        victim.child = await startInstance(dataDir, victim.port)
      }
      await readers.stop()
      await editor.stop()
      expect(readers.failures).toEqual([])
      expect(readers.answers).toBeGreaterThan(50)
      expect(editor.saved.length).toBeGreaterThanOrEqual(6 * KILLS)
      for (const title of editor.saved) {
        expect([title, (await send(instances[0].port, `/v1/page/${title}`, {})).status]).toEqual([title, 200])
      }
    },
  )
})

/** Creates page after page, and remembers those that a server said it has. */
class Editor {
  readonly saved: string[] = []
  readonly #port: number
  readonly #loop: Promise<void>
  #stopped = false
  #made = 0
  #onSaved: () => void = () => undefined

  constructor(port: number) {
    this.#port = port
    this.#loop = this.#edit()
  }

  async savedMore(count: number): Promise<void> {
    const aim = this.saved.length + count
    await new Promise<void>((resolve) => {
      this.#onSaved = () => {
        if (this.saved.length >= aim) resolve()
      }
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#loop
  }

  async #edit(): Promise<void> {
    while (!this.#stopped) {
      const title = `Made_${++this.#made}`
      const body = JSON.stringify({ title, source: `text of ${title}`, comment: null, token: '+\\' })
      const headers = { 'Content-Type': 'application/json' }
      const answer = await send(this.#port, '/v1/page', { method: 'POST', headers, body }).catch(
        () => undefined,
      )
      if (answer?.status !== 201) continue
      this.saved.push(title)
      this.#onSaved()
    }
  }
}
