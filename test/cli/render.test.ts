/** `palimpsest render` makes the HTML of pages ahead of requests, with real threads. */
// @module-tag slow
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { parsoidVersion } from '../../src/render/parsoid/loadPackage.js'
import type { Store } from '../../src/storage/store.js'
import { type RenderAheadOptions, renderAhead } from '../../src/workers/html/renderAhead.js'
import { update } from '../conformance/editing.js'
import { startServer } from '../conformance/garden.js'
import { type CommandResult, run, runHosted } from '../support/command.js'
import { rounds } from '../support/effort.js'
import { RENDER_SETTINGS } from '../support/renderSettings.js'
import { wikiWith } from '../support/searchWiki.js'
import { openFolder, problems } from '../support/store.js'
import { wiki } from '../support/tableWiki.js'

/** Pages 1 to `count`. Each links to page 3, and the even ones to page 2. */
const linkedPages = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: n + 1,
    title: `Page ${n + 1}`,
    revisions: [{ id: n + 1, text: `[[Page 3]] ${n % 2 === 1 ? '[[Page 2]]' : ''} {{T}} text ${n + 1}` }],
  }))

/** Ids of revisions with HTML, the oldest HTML first. */
const rendered = (store: Store): number[] =>
  [...store.tables.htmlAge.getRange({ start: undefined })].map(({ value }) => value.readUInt32BE(0))

/** Runs the command to its end. */
const render = (dataDir: string, ...flags: string[]): CommandResult =>
  runHosted(['render', '--data-dir', dataDir, ...flags])

const optionsFor = (
  store: Store,
  dataDir: string,
  more: Partial<RenderAheadOptions> = {},
): RenderAheadOptions => ({
  ...{ store, dataDir, renderSettings: RENDER_SETTINGS, threads: 1, timeoutMs: 20_000, maxBytes: 1e9 },
  ...{ load: () => 0, nowMs: () => Date.now(), signal: new AbortController().signal, ...more },
})

test('needs the package, which is installed here', () => {
  expect(parsoidVersion()).toBeDefined()
})

describe('palimpsest render', () => {
  test('makes what is missing, the most linked pages first, and then nothing', async () => {
    const { dataDir, read } = await wiki(linkedPages(6))
    const first = render(dataDir, '--threads', '1')
    expect(first).toMatchObject({ status: 0 })
    expect(first.out).toMatch(/^HTML of 6 of 6 pages made \(0\.0 MB\) in [\d.]+ s\n$/)
    await read((store) => {
      expect(rendered(store).slice(0, 2)).toEqual([3, 2])
      expect(rendered(store).toSorted()).toEqual([1, 2, 3, 4, 5, 6])
    })
    expect(render(dataDir).out).toMatch(/^HTML of 0 of 0 pages made/)
    const server = await startServer(dataDir)
    expect((await server.send('/v1/page/Page_1/html')).status).toBe(200)
    expect((await server.send('/metrics')).bytes.toString()).toContain('palimpsest_html_made_total 0')
  })

  test('makes again exactly what edits have made stale, beside a server', async () => {
    const { dataDir } = await wiki(linkedPages(3))
    const server = await startServer(dataDir, { anonymousEdits: true })
    expect(render(dataDir)).toMatchObject({ status: 0 })
    await update(server, 'Page_2', 'changed', 2)
    const again = render(dataDir)
    expect(again.out).toMatch(/^HTML of 1 of 1 pages made/)
    expect((await server.send('/v1/page/Page_2/html')).bytes.toString()).toContain('changed')
  })

  test('takes namespaces and a limit', async () => {
    const pages = [
      ...linkedPages(4),
      { id: 9, title: 'Talk:A', namespace: 1, revisions: [{ id: 9, text: 'a' }] },
    ]
    const { dataDir, read } = await wiki(pages)
    expect(render(dataDir, '--namespace', '1').out).toMatch(/^HTML of 1 of 1/)
    const args = ['--namespace', '0,4', '--limit', '2', '--threads', '1', '--quiet']
    expect(render(dataDir, ...args).out).toMatch(/^HTML of 2 of 2/)
    await read((store) => expect(rendered(store)).toEqual([9, 3, 2]))
  })

  test('names pages that have no HTML, and exits with 1', async () => {
    const hostile = { id: 9, title: 'Deep', revisions: [{ id: 9, text: '[[File:A.png|'.repeat(300) }] }
    const { dataDir, read } = await wiki([...linkedPages(2), hostile])
    const { status, out, err } = render(dataDir)
    expect([status, out]).toEqual([1, expect.stringMatching(/^HTML of 2 of 3 pages made .*, 1 failed in/)])
    expect(err).toMatch(/^no HTML of Deep: .+$/m)
    await read((store) => expect(rendered(store).toSorted()).toEqual([1, 2]))
  })

  test('stops before it drops HTML, and says how much room all pages need', async () => {
    const { dataDir, read } = await wiki(linkedPages(8))
    expect(render(dataDir, '--limit', '2')).toMatchObject({ status: 0 })
    const before = await read(rendered)
    const limited = render(dataDir, '--html-cache-bytes', '5000')
    expect(limited.status).toBe(1)
    expect(limited.err).toMatch(
      /^palimpsest: the HTML of \d of 6 pages was made, and more would not fit into --html-cache-bytes \(5000\): all pages need about \d{4,5}, for the server too$/m,
    )
    expect((await read(rendered)).slice(0, 2)).toEqual(before)
  })

  test('refuses other values, and a folder without a wiki', () => {
    for (const flag of ['--threads=0', '--limit=x', '--namespace=a', '--max-load=-1'])
      expect([flag, runHosted(['render', flag])]).toMatchObject([flag, { status: 1 }])
    expect(runHosted(['render', '--data-dir', '/nowhere/at/all'])).toMatchObject({ status: 1 })
  })

  test('tells when the HTML in the store was made with other settings', async () => {
    const { dataDir } = await wiki(linkedPages(1))
    render(dataDir)
    const other = render(dataDir, '--public-url', 'https://wiki.example')
    expect(other.err).toContain('made with other settings')
    expect(other.out).toMatch(/^HTML of 1 of 1/)
  })
})

describe('a rendering', () => {
  test('waits while the load is high, and keeps what is ready meanwhile', async () => {
    const { store, dataDir } = wikiWith({ A: 'a', B: 'b', C: 'c' })
    const loads = [0, 0, 9, 9]
    const counts = await renderAhead(
      optionsFor(store, dataDir, { maxLoad: 4, load: () => loads.shift() ?? 0 }),
    )
    expect([counts.made, loads.length]).toEqual([3, 0])
    expect(problems(store)).toEqual([])
  })

  test('ends in order at a signal, and the next one goes on', async () => {
    const pages = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`P${n}`, `text ${n}`]))
    const { store, dataDir } = wikiWith(pages)
    const stop = new AbortController()
    const first = await renderAhead(
      optionsFor(store, dataDir, {
        signal: stop.signal,
        onProgress: ({ made }) => {
          if (made === 3) stop.abort()
        },
      }),
    )
    store.refresh()
    expect(first.made).toBeGreaterThanOrEqual(3)
    expect(rendered(store)).toHaveLength(first.made)
    const rest = await renderAhead(optionsFor(store, dataDir))
    expect([rest.total, rest.made]).toEqual([12 - first.made, 12 - first.made])
    expect(problems(store)).toEqual([])
  })

  test('renders again what changed meanwhile', async () => {
    const site = wikiWith({ A: '{{T}}', 'Template:T': 'one' })
    const { store, dataDir } = site
    let edited = false
    const counts = await renderAhead(
      optionsFor(store, dataDir, {
        onProgress: () => {
          // A is rendered and waits for its batch.
          if (!edited) site.write('Template:T', 'two')
          edited = true
        },
      }),
    )
    store.refresh()
    expect([counts.made, counts.failed, counts.changed]).toEqual([2, 0, 0])
    const latest = [0, 10].map((namespace) => store.getPage(namespace, namespace === 0 ? 'A' : 'T')!.latestId)
    expect(rendered(store).toSorted((a, b) => a - b)).toEqual(latest.toSorted((a, b) => a - b))
    expect(problems(store)).toEqual([])
  })
})

test('killed at any moment, the store is sound and the next run makes the rest', async () => {
  const { dataDir } = await wiki(linkedPages(30))
  for (let n = 0; n < rounds(6, 2); n++) {
    const started = run('render', '--data-dir', dataDir, '--threads', '1')
    await sleep(1500 + 700 * n)
    started.child.kill(n % 2 === 0 ? 'SIGKILL' : 'SIGTERM')
    await started.exit
    const store = openFolder(dataDir)
    expect(problems(store)).toEqual([])
    await store.close()
  }
  expect(render(dataDir)).toMatchObject({ status: 0 })
  const store = openFolder(dataDir)
  expect(rendered(store).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1))
})
