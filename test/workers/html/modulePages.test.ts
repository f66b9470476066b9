/** Modules in render threads: the real store, pool and engine. */
// @module-tag slow
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { MODULE } from '../../../src/domain/namespaceIds.js'
import type { Rendering } from '../../../src/storage/html/renderings.js'
import { RenderPools } from '../../../src/workers/html/renderPools.js'
import { Renderings } from '../../../src/workers/html/renderings.js'
import type { RenderSettings } from '../../../src/workers/html/renderTasks.js'
import { MODULE_SITE } from '../../support/moduleSite.js'
import { RENDER_SETTINGS } from '../../support/renderSettings.js'
import { htmlIn } from '../../support/outlines.js'
import { page, revision, temporaryStore } from '../../support/store.js'

/** Never reached unless a test moves the clock. */
const RENDER_TIMEOUT_MS = 3_600_000

const SUMS = `
  local rates = mw.loadData('Module:Sums/rates')
  return {
    add = function (frame) return frame.args[1] + frame.args[2] * rates.rate end,
    now = function () return os.date('%Y') end,
    endless = function () while true do pcall(error) end end,
    hang = function () return ('a'):rep(300000):find(('a?'):rep(1000) .. 'b') end,
  }`

/** What a page's text becomes, and what the rendering is kept with. */
function render(text: string, settings: Partial<RenderSettings> = {}) {
  const { store, applier, dataDir } = temporaryStore()
  applier.adoptSite(MODULE_SITE)
  applier.importPages('made for a test', [
    page(1, 'Flowers', [revision(1, text)]),
    page(2, 'Sums', [revision(2, SUMS, { contentModel: 'Scribunto' })], { namespace: MODULE }),
    page(3, 'Sums/rates', [revision(3, 'return {rate = 10}', { contentModel: 'Scribunto' })], {
      namespace: MODULE,
    }),
  ])
  const kept: Rendering[] = []
  const troubles: unknown[] = []
  const renderSettings = { ...RENDER_SETTINGS, ...settings }
  const limits = { renderTimeoutMs: RENDER_TIMEOUT_MS, convertTimeoutMs: RENDER_TIMEOUT_MS }
  const pools = new RenderPools({
    wikis: [{ dataDir, renderSettings }],
    renderThreads: 1,
    ...limits,
    onThreadError: () => undefined,
    // On a busy machine a thread gets less: then the page would be tried for longer.
    threadCpuTimeMs: () => performance.now(),
  })
  const renderings = new Renderings({
    store,
    pools,
    writer: {
      keepRendering: (rendering) => Promise.resolve(void kept.push(rendering)),
      keepShell: () => Promise.resolve(),
      takeQueuedRenderings: () => Promise.resolve([]),
      dropImported: () => Promise.resolve(),
    },
    clock: { nowMs: () => Date.UTC(2026, 2, 14) },
    engineVersion: 'test',
    renderSettings,
    ...limits,
    htmlCacheBytes: 1_000_000,
    onTrouble: (error) => troubles.push(error),
  })
  onTestFinished(() => pools.close())
  const html = async (revisionId: number): Promise<string> => htmlIn(await renderings.make(revisionId))
  return { html, kept, troubles, store }
}

describe('a page with modules', () => {
  test('shows what they give, and is kept with the modules and data that it used', async () => {
    const { html, kept } = render('Sum: {{#invoke:Sums|add|2|4}}, {{#invoke:Nowhere|f}}.')
    expect(await html(1)).toMatch(/Sum: <span [^>]*>42<\/span>/)
    const [rendering] = kept
    const uses = rendering?.uses.map(({ namespace, dbkey, kind, revisionId }) => [
      namespace,
      dbkey,
      kind,
      revisionId,
    ])
    expect(uses).toEqual(
      expect.arrayContaining([
        [MODULE, 'Sums', 'content', 2],
        [MODULE, 'Sums/rates', 'content', 3],
        [MODULE, 'Nowhere', 'existence', 0],
      ]),
    )
    expect(rendering?.expiresAt).toBe(0)
  })

  test('is kept for a minute when a module reads the clock', async () => {
    const { html, kept } = render('{{#invoke:Sums|now}}')
    expect(await html(1)).toContain('2026')
    expect(kept[0]).toMatchObject({ expiresAt: (kept[0]?.madeAt ?? 0) + 60 })
  })

  test('shows errors in place of modules where those do not run', async () => {
    const { html } = render('before {{#invoke:Sums|add|1|2}} after', { lua: false })
    expect(await html(1)).toMatch(/before .*Modules do not run here: Module:Sums\..* after/s)
  })

  test('comes with an error when a module takes too long', { tags: ['hostile'] }, async () => {
    const { html } = render('before {{#invoke:Sums|endless}} after', { luaTimeMs: 300 })
    expect(await html(1)).toMatch(/before .*time allocated for running scripts has expired.* after/s)
  })

  test(
    'fails when a module hangs in one call, and the next page is made',
    { tags: ['hostile'] },
    async () => {
      const { html, troubles } = render('{{#invoke:Sums|hang}}')
      // The thread has started then. Timers are that of the hanging page, and the one that waits for long jobs.
      await html(3)
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
      onTestFinished(() => void vi.useRealTimers())
      const hanging = expect(html(1)).rejects.toMatchObject({ name: 'RenderError' })
      await expect.poll(() => vi.getTimerCount()).toBeGreaterThanOrEqual(2)
      await vi.advanceTimersByTimeAsync(RENDER_TIMEOUT_MS)
      await hanging
      vi.useRealTimers()
      expect(troubles).toHaveLength(1)
      expect(await html(2)).toContain('mw-scribunto')
    },
  )
})
