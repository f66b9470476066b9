/**
 * Instances behind a proxy are killed under load, or renewed, over and over. KILLS says how often, KILL_PAUSE_MS how long to
 * wait before each: `make kills` takes a minute, a run of all tests some seconds.
 */
// @module-tag kills
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { gardenFolder, send } from '../conformance/garden.js'
import { ADDRESS, NO_HTML, portOf, run, runCommand } from '../support/command.js'
import { Readers } from '../supervisor/readers.js'
import { LineAdder, PageMaker } from './editors.js'
import { startPair } from './instances.js'
import { isInstalled, PROXIES, startProxy } from './proxies.js'

const KILLS = Number(process.env['KILLS'] ?? 4)
const PAUSE_MS = Number(process.env['KILL_PAUSE_MS'] ?? 0)
const READERS = 4
/** Histories are not kept by a proxy, so each read reaches a server; pages are, for seconds. */
const READ = ['/Compost/history', '/Compost', '/Rain_barrel', '/Compost/history/counts/edits', '/Mulch']

describe.each(PROXIES)('behind %s', (proxy) => {
  test.skipIf(!isInstalled(proxy))(
    `no read fails and no acknowledged edit is lost while instances are killed ${KILLS} times under load`,
    { timeout: 900_000 + KILLS * (PAUSE_MS + 10_000) },
    async () => {
      const { dataDir, instances } = await startPair(NO_HTML)
      const port = await startProxy(proxy, [instances[0].port, instances[1].port])
      const urls = READ.map((path) => `http://127.0.0.1:${port}/v1/page${path}`)
      const readers = new Readers(urls, READERS)
      const maker = new PageMaker(port)
      const adder = new LineAdder(port, '/v1/page/Bird_bath')
      const saved = (count: number): Promise<unknown> =>
        Promise.all([maker.savedMore(count), adder.savedMore(count)])
      for (let n = 0; n < KILLS; n++) {
        const victim = instances[n % 2]!
        await delay(PAUSE_MS)
        await saved(3)
        await victim.kill()
        await saved(3)
        await victim.start()
      }
      await Promise.all([readers.stop(), maker.stop(), adder.stop()])
      process.stdout.write(
        `${proxy}: ${KILLS} kills, ${readers.answers} reads, ${readers.failures.length} of them failed, ` +
          `${maker.saved.length} pages made and ${adder.saved.length} lines added, ` +
          `${maker.failures + adder.failures} edits without an answer\n`,
      )
      expect(readers.failures).toEqual([])
      expect(readers.answers).toBeGreaterThan(50)
      const { port: direct } = instances[0]
      for (const title of maker.saved) {
        expect([title, (await send(direct, `/v1/page/${title}`, {})).status]).toEqual([title, 200])
      }
      const { body } = await send(direct, '/v1/page/Bird_bath', {})
      const lines = (body as { source: string }).source.split('\n')
      expect(lines.filter((line) => adder.saved.includes(line))).toEqual(adder.saved)
      const { status, out } = runCommand(['verify', '--data-dir', dataDir])
      expect(status, out).toBe(0)
    },
  )

  test.skipIf(!isInstalled(proxy))(
    'no read fails and no edit goes without an answer while processes are renewed under load',
    async () => {
      const flags = ['--processes', '2', '--anonymous-edits', '--trusted-proxies', '127.0.0.1', NO_HTML]
      const servers = run('serve', '--data-dir', await gardenFolder(), '--port', '0', ...flags)
      const served = portOf(await servers.printed(ADDRESS))
      const port = await startProxy(proxy, [served, served])
      const readers = new Readers(
        READ.map((path) => `http://127.0.0.1:${port}/v1/page${path}`),
        READERS,
      )
      const adder = new LineAdder(port, '/v1/page/Bird_bath')
      servers.child.kill('SIGHUP')
      await servers.printed(/"msg":"all processes are renewed"/)
      await adder.savedMore(3)
      await Promise.all([readers.stop(), adder.stop()])
      expect(readers.failures).toEqual([])
      expect(adder.failures).toBe(0)
    },
  )
})
