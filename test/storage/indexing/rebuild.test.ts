/** What a rebuild writes: the number of rows, not the number of batches, decides. */
// @module-tag slow
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { ImportState } from '../../../src/cli/import/progress.js'
import { importDumps } from '../../../src/cli/import/importDumps.js'
import { SortedRuns } from '../../../src/index/write/sortedRuns.js'
import {
  encodeQueued,
  writeChunks,
  writeChunksToRuns,
  writeRuns,
} from '../../../src/storage/indexing/indexQueue.js'
import { beginRebuild, endRebuild } from '../../../src/storage/indexing/rebuild.js'
import type { IndexTarget } from '../../../src/storage/search/indexState.js'
import type { PageRow, Store } from '../../../src/storage/store.js'
import { applyChange } from '../../support/administration.js'
import { type IndexSet, type Table, WHOLE_TABLE } from '../../../src/storage/tables/tables.js'
import { wikiWith } from '../../support/searchWiki.js'
import { openFolder, problems, temporaryFolder } from '../../support/store.js'

const PAGES = 120
const NAMES = ['bodyPostings', 'titlePostings', 'linkSource'] as const satisfies readonly (keyof IndexSet)[]

const wiki = (): Store =>
  wikiWith(
    Object.fromEntries(
      Array.from({ length: PAGES }, (_, n) => [`Page ${n}`, `common words [[Page 1]] [[Only ${n}]] own${n}`]),
    ),
  ).store

/** Queued pages in batches, as an import or a reindex has them. */
function* batches(store: Store, { set }: IndexTarget, size: number) {
  for (let ids = store.search.queuedPages(set, 0, size); ids.length > 0;) {
    yield encodeQueued(store, set, ids).chunk
    ids = store.search.queuedPages(set, ids.at(-1)!, size)
  }
}

const tablesOf = (store: Store, { set }: IndexTarget): Table<never>[] =>
  NAMES.map((name) => store.tables.indexes[set][name] as Table<never>)

function countPuts(store: Store, target: IndexTarget): () => number {
  const spies = tablesOf(store, target).map((table) => vi.spyOn(table, 'putSync'))
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
}

const countRows = (store: Store, target: IndexTarget): number =>
  tablesOf(store, target).reduce((sum, table) => sum + table.getKeysCount({ ...WHOLE_TABLE }), 0)

test.each([60, 12, 2])('each row is written once, with batches of %i pages', async (size) => {
  const store = wiki()
  const target = await beginRebuild(store)
  const puts = countPuts(store, target)
  const runs = new SortedRuns(join(temporaryFolder(), 'runs'))
  let counts = 0
  for (const chunk of batches(store, target, size)) {
    writeChunksToRuns(store, target, [chunk], runs)
    counts = puts()
  }
  let steps = 0
  expect(await writeRuns(store, target, runs, { postings: 100, onStep: () => void steps++ })).toBe(true)
  // The two rows with the numbers of pages are written with each batch.
  expect(counts).toBe((2 * PAGES) / size)
  expect(puts() - counts).toBe(countRows(store, target) - 2)
  expect(steps).toBeGreaterThan(10)
  expect(endRebuild(store, target)).toBe(true)
  expect(problems(store)).toEqual([])
  runs.close()
})

test('without runs, small batches write the rows of common words again and again', async () => {
  const store = wiki()
  const target = await beginRebuild(store)
  const puts = countPuts(store, target)
  for (const chunk of batches(store, target, 2)) writeChunks(store, target, [chunk])
  expect(puts()).toBeGreaterThan(1.5 * countRows(store, target))
})

test('a page that changes after its run was written is right once it was indexed again', async () => {
  const changed = wikiWith({ Moon: 'grey [[Sun]]', Sun: 'yellow' })
  const { store } = changed
  const target = await beginRebuild(store)
  const runs = new SortedRuns(join(temporaryFolder(), 'runs'))
  for (const chunk of batches(store, target, 2)) writeChunksToRuns(store, target, [chunk], runs)
  changed.write('Moon', 'white [[Sea]]')
  await writeRuns(store, target, runs, { postings: 100, onStep: () => undefined })
  expect(endRebuild(store, target)).toBe(true)
  expect(problems(store)).toEqual([])
  expect([...store.pageLinks.to('link', { namespace: 0, name: 'Sun' })]).toEqual([])
  runs.close()
})

test('erasures meanwhile leave nothing behind', async () => {
  const erased = wikiWith({
    Moon: 'grey Kryptonnebel [[Sun]]',
    Sun: 'yellow',
    Sea: 'blue [[Sun]]',
    Hill: 'Zimtstern',
  })
  const { store, applier, write } = { ...erased, write: erased.write.bind(erased) }
  write('Hill', 'green [[Moon]]')
  write('Hill', 'Wortungetüm [[Sea]]')
  const target = await beginRebuild(store)
  const runs = new SortedRuns(join(temporaryFolder(), 'runs'))
  for (const chunk of batches(store, target, 2)) writeChunksToRuns(store, target, [chunk], runs)
  const [moon, hill] = ['Moon', 'Hill'].map((dbkey) => store.getPage(0, dbkey)!) as [PageRow, PageRow]
  applyChange(applier, { kind: 'erase', action: 'page', pageId: moon.pageId })
  const text = { revisionIds: [hill.latestId], parts: ['text'] } as const
  applyChange(applier, { kind: 'erase', action: 'revisions', ...text })
  await writeRuns(store, target, runs, { postings: 1, onStep: () => undefined })
  expect(endRebuild(store, target)).toBe(true)
  expect(problems(store)).toEqual([])
  const links = store.pageLinks
  const sources = (name: string): number[] => [...links.to('link', { namespace: 0, name })]
  expect([sources('Sun'), sources('Sea')]).toEqual([[store.getPage(0, 'Sea')!.pageId], []])
  const index = store.tables.indexes[target.set]
  for (const word of ['kryptonnebel', 'wortungetüm', 'zimtstern'])
    for (const { key } of index.bodyPostings.getRange({ ...WHOLE_TABLE }))
      expect(JSON.stringify(key)).not.toContain(word)
  runs.close()
})

describe('an import', () => {
  const dump = (pages: number): string =>
    `<mediawiki><siteinfo><dbname>w</dbname></siteinfo>${Array.from(
      { length: pages },
      (_, n) =>
        `<page><title>P${n}</title><ns>0</ns><id>${n + 1}</id><revision><id>${n + 1}</id>` +
        `<timestamp>2024-01-01T00:00:00Z</timestamp><text>common [[P1]] own${n}</text></revision></page>`,
    ).join('')}</mediawiki>`

  test.each([
    [2000, 500, 'b'],
    [2000, 2001, 'a'],
  ] as const)(
    'of %i pages makes a new index for %i and more of them: %s',
    async (pages, rebuildFrom, set) => {
      const dataDir = temporaryFolder()
      const path = join(dataDir, 'dump.xml')
      writeFileSync(path, dump(pages))
      await importDumps({ dataDir, paths: [path], rebuildFrom })
      const store = openFolder(dataDir)
      const { search } = store
      expect([search.target().set, search.isRebuilt(), search.countIndexed(), search.countQueued()]).toEqual([
        set,
        false,
        pages,
        0,
      ])
      expect(search.isEmpty(set === 'a' ? 'b' : 'a')).toBe(true)
      expect(problems(store)).toEqual([])
    },
  )

  test('that is stopped leaves its pages queued', { tags: ['slow'] }, async () => {
    const dataDir = temporaryFolder()
    const path = join(dataDir, 'dump.xml')
    writeFileSync(path, dump(2000))
    const stop = new AbortController()
    const display = {
      show: (state: () => ImportState) => {
        if (state().phase === 'indexing') stop.abort()
      },
      print: () => undefined,
      stop: () => undefined,
    }
    const options = { dataDir, paths: [path], rebuildFrom: 500 }
    await importDumps({ ...options, display, signal: stop.signal })
    const store = openFolder(dataDir)
    expect(store.search.countQueued()).toBe(2000 - store.search.countIndexed())
    expect(store.search.countQueued()).toBeGreaterThan(500)
    await store.close()
    await importDumps(options)
    const again = openFolder(dataDir)
    expect([again.search.isRebuilt(), again.search.countIndexed(), problems(again)]).toEqual([
      false,
      2000,
      [],
    ])
  })
})
