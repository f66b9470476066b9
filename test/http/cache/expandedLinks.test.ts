/** Links of pages with templates: what is kept of an expansion, and for how long. */
// @module-tag slow
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ExpandedLinks, type FoundLinks, LinkRoom } from '../../../src/http/cache/expandedLinks.js'
import type { Store } from '../../../src/storage/store.js'
import { ComputePool, type WikiPool } from '../../../src/workers/compute/pool.js'
import { applyChange } from '../../support/administration.js'
import { newChange } from '../../support/changes.js'
import { facts, fileEntry } from '../../support/files.js'
import { RENDER_SETTINGS } from '../../support/renderSettings.js'
import { type DumpApplier, page, revision, START, temporaryStore } from '../../support/store.js'

const TEMPLATE = 10
const SISTERS =
  '[[de:Meer]]{{#ifexist:Ocean|[[fr:Océan]]}}{{#ifexist:Media:Sea.png|[[es:Mar]]}}' +
  '{{#ifeq:{{PROTECTIONLEVEL:edit}}|sysop|[[nl:Zee]]}}{{#if:{{REVISIONUSER:Template:Sisters}}|[[pl:Morze]]}}[[File:Map.png]]'
/** Pages of the wiki: Sea shows a template, which looks for a page and a file. */
const PAGES = [
  page(1, 'Sea', [revision(1, '{{Sisters}}[[it:Mare]]')]),
  page(2, 'Sisters', [revision(2, SISTERS)], { namespace: TEMPLATE }),
  page(3, 'Other', [revision(3, 'other')]),
  page(4, 'Clock', [revision(4, '[[de:{{CURRENTTIMESTAMP}}]]')]),
]

let store: Store
let applier: DumpApplier
let nowMs: number
/** Expansions so far. */
let runs: number
let open: (roomBytes?: number) => ExpandedLinks
let links: ExpandedLinks

beforeEach(() => {
  const opened = temporaryStore()
  ;({ store, applier } = opened)
  applier.importPages('d', PAGES)
  const pool = new ComputePool({
    wikis: [{ dataDir: opened.dataDir, renderSettings: RENDER_SETTINGS }],
    threads: 1,
    taskTimeoutMs: 3_600_000,
    onThreadError: (error) => {
      throw error
    },
  })
  onTestFinished(() => pool.close())
  ;[nowMs, runs] = [1_700_000_000_000, 0]
  const counted: WikiPool = {
    threads: 1,
    run: (name, input) => {
      runs++
      return pool.run(name, input)
    },
  }
  const clock = { nowMs: () => nowMs }
  open = (roomBytes) =>
    new ExpandedLinks({ store, pool: counted, clock, wikiName: '' }, new LinkRoom(roomBytes))
  links = open()
})

/** The links of a page, as a new turn of the event loop finds them. */
async function found(dbkey = 'Sea'): Promise<FoundLinks> {
  store.refresh()
  return links.of({ namespace: 0, dbkey }, store.getPage(0, dbkey)!)
}

async function languages(dbkey = 'Sea'): Promise<string[]> {
  const list = JSON.parse(Buffer.from((await found(dbkey)).languages).toString()) as { code: string }[]
  return list.map(({ code }) => code)
}

const edit = (pageId: number, baseRevisionId: number, text: string): unknown =>
  applier.submit({ kind: 'edit', pageId, baseRevisionId, ...newChange(), text })

const sysopOnly = { kind: 'protect', edit: 'sysop', create: 'none', expires: null } as const

test('a page is expanded once for all requests, whatever else is edited', async () => {
  expect(await languages()).toEqual(['de', 'it', 'pl'])
  const first = await found()
  expect(first).toMatchObject({ files: ['Map.png'], goodUntilMs: undefined })
  edit(3, 3, 'changed')
  expect(await found()).toBe(first)
  nowMs += 86_400_000
  expect(await found()).toBe(first)
  expect(runs).toBe(1)
})

describe('a page is expanded again after', () => {
  test.each<readonly [change: string, make: () => unknown, after: readonly string[]]>([
    ['an edit', () => edit(1, 1, '[[da:Hav]]{{Sisters}}'), ['da', 'de', 'pl']],
    ['an edit of its template', () => edit(2, 2, '[[sv:Hav]]'), ['it', 'sv']],
    [
      'the creation of a page that the template looked for',
      () => applier.submit({ kind: 'create', namespace: 0, dbkey: 'Ocean', ...newChange(), text: 'x' }),
      ['de', 'fr', 'it', 'pl'],
    ],
    [
      'the upload of a file',
      () => applier.submit(fileEntry('Sea.png', facts({ sha256: 'ab'.repeat(32) }))),
      ['de', 'es', 'it', 'pl'],
    ],
    [
      'its protection',
      () => applyChange(applier, { ...sysopOnly, namespace: 0, dbkey: 'Sea' }),
      ['de', 'it', 'nl', 'pl'],
    ],
    [
      'the hiding of a name that its template shows',
      () => applyChange(applier, { kind: 'hide', revisionId: 2, user: true }),
      ['de', 'it'],
    ],
    [
      'a change of the interwiki map',
      () => {
        const interwiki = { only: false, entries: { de: null } }
        applier.submit({ kind: 'settings', id: 'a'.repeat(32), time: START, site: {}, interwiki })
        store.reloadSite()
      },
      ['it', 'pl'],
    ],
  ])('%s', async (_change, make, after) => {
    const before = await found()
    const isUnchanged = links.unchanged(before)
    expect(await languages()).toEqual(['de', 'it', 'pl'])
    expect(runs).toBe(1)
    make()
    store.refresh()
    const isSamePage = store.getPage(0, 'Sea')!.latestId === 1
    expect(isSamePage && isUnchanged()).toBe(false)
    expect(await languages()).toEqual(after)
    expect(await languages()).toEqual(after)
    expect(runs).toBe(2)
    expect(await openedAgain()).toEqual(after)
  })

  test('a restart', async () => {
    const before = await found()
    links = open()
    expect(await found()).toEqual(before)
    expect(runs).toBe(2)
  })

  test('a minute, if it shows the time', async () => {
    const { goodUntilMs } = await found('Clock')
    expect(goodUntilMs! - nowMs).toBeGreaterThan(0)
    expect(goodUntilMs! - nowMs).toBeLessThanOrEqual(60_000)
    await found('Clock')
    expect(runs).toBe(1)
    nowMs = goodUntilMs!
    await found('Clock')
    expect(runs).toBe(2)
  })
})

/** What an expansion without earlier ones finds. */
async function openedAgain(): Promise<string[]> {
  links = open()
  return languages()
}

test('links of more than 200 pages are found again after each change', async () => {
  const many = Array.from({ length: 201 }, (_, n) => `{{#ifexist:P${n}|}}`).join('')
  edit(1, 1, many)
  expect(await languages()).toEqual([])
  await found()
  expect(runs).toBe(1)
  edit(3, 3, 'changed')
  await found()
  expect(runs).toBe(2)
})

test('the links of many pages take bounded memory: the oldest go', async () => {
  const names = ['A', 'B', 'C', 'D']
  const list = Array.from({ length: 20_000 }, (_, n) => `[[File:${n}.png]]`).join('')
  for (const dbkey of names)
    applier.submit({ kind: 'create', namespace: 0, dbkey, ...newChange(), text: `{{Sisters}}${list}` })
  links = open(20_000)
  for (const name of names) expect((await found(name)).files).toHaveLength(101)
  await found('D')
  expect(runs).toBe(names.length)
  await found('A')
  expect(runs).toBe(names.length + 1)
})
