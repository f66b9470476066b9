/** The errors that clients get for texts beyond a limit. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { packHtml } from '../../../src/storage/html/importedHtml.js'
import type { Store } from '../../../src/storage/store.js'
import { RenderPools, type RenderPoolsOptions } from '../../../src/workers/html/renderPools.js'
import { Renderings, type RenderingsOptions } from '../../../src/workers/html/renderings.js'
import { htmlIn } from '../../support/outlines.js'
import { PATIENT } from '../../support/patience.js'
import { RENDER_SETTINGS } from '../../support/renderSettings.js'
import { page, revision, sha1, temporaryStore } from '../../support/store.js'

/** Takes the engine minutes. */
const ENDLESS = '<b>a'.repeat(20_000)

function openRenderings(options: Partial<RenderPoolsOptions & RenderingsOptions> = {}): {
  renderings: Renderings
  pools: RenderPools
  store: Store
} {
  const { store, applier, dataDir } = temporaryStore()
  applier.importPages('made for a test', [
    page(1, 'Endless', [revision(1, ENDLESS)]),
    page(2, 'Short', [revision(2, 'few words')]),
  ])
  const limits = { renderTimeoutMs: 300, convertTimeoutMs: 300 }
  const pools = new RenderPools({
    wikis: [{ dataDir, renderSettings: RENDER_SETTINGS }],
    renderThreads: 1,
    ...limits,
    onThreadError: () => undefined,
    ...options,
  })
  const renderings = new Renderings({
    store,
    pools,
    writer: {
      keepRendering: () => Promise.resolve(),
      keepShell: () => Promise.resolve(),
      takeQueuedRenderings: () => Promise.resolve([]),
      dropImported: (revisionId) => Promise.resolve(store.html.dropImported(revisionId)),
    },
    clock: { nowMs: () => 0 },
    engineVersion: 'test',
    renderSettings: RENDER_SETTINGS,
    ...limits,
    ...options,
    htmlCacheBytes: 0,
    onTrouble: () => undefined,
  })
  onTestFinished(() => pools.close())
  return { renderings, pools, store }
}

/** Out of reach on any machine. */
const PATIENT_MS = Number(PATIENT.renderTimeoutMs)

const toHtml = (wikitext: string) => ({ task: 'toHtml', wikitext, title: 'Any', bodyOnly: true }) as const
const OVERRUN = { name: 'RenderError', isLimit: true, message: 'parts that take more than 300 ms' }

describe('a text that takes longer than it may', () => {
  test('is told so', { tags: ['slow'] }, async () => {
    const { renderings } = openRenderings({ threadCpuTimeMs: () => performance.now() })
    await expect(renderings.convert(toHtml(ENDLESS), 'a')).rejects.toMatchObject(OVERRUN)
  })

  test(
    'is not blamed where the machine had no time for it; no conversion takes longer than its limit',
    { tags: ['hostile'] },
    async () => {
      const cpuTimes: number[] = []
      const { renderings } = openRenderings({
        threadCpuTimeMs: () => {
          cpuTimes.push(performance.now())
          return 0
        },
      })
      const notBlamed = { name: 'TaskTimeoutError', isOverrun: false }
      await expect(renderings.convert(toHtml(ENDLESS), 'a')).rejects.toMatchObject(notBlamed)
      // At the beginning of the job, and when the limit is reached: the thread's time goes on, but not the client's.
      expect(cpuTimes).toHaveLength(2)
      cpuTimes.length = 0
      await expect(renderings.make(1)).rejects.toMatchObject(notBlamed)
      // A page goes on, to be looked at again.
      expect(cpuTimes.length).toBeGreaterThan(2)
    },
  )
})

test('pages and conversions have threads of their own', async () => {
  const { renderings, pools: open } = openRenderings({
    renderTimeoutMs: PATIENT_MS,
    convertTimeoutMs: PATIENT_MS,
  })
  const endless = renderings.convert(toHtml(ENDLESS), 'a').catch(() => 'ended')
  const pools = new Set(
    open
      .figures()
      .filter(({ name }) => name === 'palimpsest_pool_running')
      .flatMap(({ values }) => values.map(({ labels, value }) => `${labels['pool']} ${value}`)),
  )
  expect(pools).toEqual(new Set(['render 0', 'convert 1']))
  await open.close()
  expect(await endless).toBe('ended')
})

test(
  'HTML of another server that takes too long goes, and the page is rendered here',
  { tags: ['hostile'] },
  async () => {
    const refused: number[] = []
    const foreign = {
      prepare: () => Promise.resolve(),
      offer: () => undefined,
      refuse: (revisionId: number) => refused.push(revisionId),
    }
    // Time enough for the short page; where it is not, `make` only asks for patience.
    const renderTimeoutMs = 1500
    const { renderings, store } = openRenderings({
      renderTimeoutMs,
      foreign,
      threadCpuTimeMs: () => (refused.length === 0 ? performance.now() : 0),
    })
    const verdicts = store.html.import([
      {
        pageId: 2,
        title: { namespace: 0, dbkey: 'Short' },
        revisionId: 2,
        sha1: Buffer.from(sha1('few words'), 'hex'),
        templates: [],
        origin: 'upstream',
        version: [2, 8, 0],
        madeAt: 100,
        html: packHtml('<div>'.repeat(200_000)),
      },
    ])
    expect(verdicts).toEqual(['kept'])
    await expect.poll(async () => htmlIn(await renderings.make(2))).toContain('few words')
    expect(refused).toEqual([2])
    expect(store.html.hasImported(2)).toBe(false)
  },
)
