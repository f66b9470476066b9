/** `reindex` beside servers: the old index answers until the new one is whole, also after a kill. */
// @module-tag slow
import { cpSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { reindex } from '../../src/cli/reindex/reindex.js'
import { writeMeta } from '../../src/storage/tables/meta.js'
import { encodeQueued, writeChunks } from '../../src/storage/indexing/indexQueue.js'
import { IndexReplacedError, readIndexState } from '../../src/storage/search/indexState.js'
import { beginRebuild, emptySpare, endRebuild } from '../../src/storage/indexing/rebuild.js'
import { rankTitles } from '../../src/storage/indexing/prominentTitles.js'
import { Store } from '../../src/storage/store.js'
import { type IndexSet, type Table, WHOLE_TABLE } from '../../src/storage/tables/tables.js'
import { buildIndex, fillIndex } from '../../src/workers/index/indexBuild.js'
import { folderOfFile } from '../support/cleanUp.js'
import { NO_HTML, run, runHosted, startProcess } from '../support/command.js'
import { rounds } from '../support/effort.js'
import { randomNumbers } from '../support/random.js'
import { wikiWith } from '../support/searchWiki.js'
import {
  DumpApplier,
  openFolder,
  page,
  problems,
  revision,
  temporaryFolder,
  temporaryStore,
} from '../support/store.js'

const WORDS = 'apple banana cherry damson elder fig grape hazel iris jasmine kiwi lemon mango'.split(' ')
const KILLS = rounds(20, 6)
const TABLES = [
  'bodyPostings',
  'strongPostings',
  'titlePostings',
  'indexed',
  'completion',
  'prominent',
  'pageCategories',
  'categoryMember',
  'categoryTime',
  'categoryCount',
  'indexQueue',
] as const satisfies readonly (keyof IndexSet)[]

/** All rows of an index. */
function rowsOf(index: IndexSet): string[] {
  return TABLES.flatMap((name) =>
    [...(index[name] as Table<unknown>).getRange({ ...WHOLE_TABLE })].map(
      ({ key, value }) => `${name} ${JSON.stringify(key)} ${value.toString('hex')}`,
    ),
  )
}

const spareOf = (store: Store): IndexSet =>
  store.tables.indexes[readIndexState(store.tables).set === 'a' ? 'b' : 'a']

function found(store: Store, text: string): string[] {
  const query = store.search.parse({ text, limit: 100, namespaces: [0] })
  const { pages } = JSON.parse(store.search.answer(query, 100).toString()) as { pages: { title: string }[] }
  return pages.map(({ title }) => title).toSorted()
}

function completed(store: Store, text: string): string[] {
  const { pages } = JSON.parse(store.search.complete({ text, limit: 100, namespaces: [0] })) as {
    pages: { title: string }[]
  }
  return pages.map(({ title }) => title).toSorted()
}

const OPTIONS = { threads: 1, missing: false } as const

describe('while an index is rebuilt', () => {
  test('the old one answers and follows edits, and the new one has them too', async () => {
    const wiki = wikiWith({ Moon: 'white', Sun: 'yellow', Mars: 'red' })
    const { store, dataDir } = wiki
    const old = store.search.inForce()
    const expectAll = (wanted: Record<string, string[]>): void => {
      expect(store.search.condition()).toBe('ready')
      for (const [text, titles] of Object.entries(wanted))
        expect([text, found(store, text)]).toEqual([text, titles])
      expect(problems(store)).toEqual([])
    }
    expectAll({ white: ['Moon'], yellow: ['Sun'] })
    const target = await beginRebuild(store)
    expect(store.search.isRebuilt()).toBe(true)
    wiki.write('Moon', 'grey')
    wiki.write('Venus', 'yellow')
    expectAll({ white: [], grey: ['Moon'], yellow: ['Sun', 'Venus'] })
    expect(await fillIndex(store, target, { dataDir, threads: 1 })).toBe(4)
    expect(store.search.inForce()).toBe(old)
    wiki.write('Mars', '#REDIRECT [[Moon]]')
    wiki.write('Venus', 'hot')
    wiki.write('Pluto', 'cold')
    expectAll({ grey: ['Moon'], yellow: ['Sun'], red: [], hot: ['Venus'], cold: ['Pluto'] })
    const before = completed(store, '')
    expect(endRebuild(store, target)).toBe(true)
    expect(store.search.inForce()).not.toBe(old)
    expect(store.search.isRebuilt()).toBe(false)
    expect(store.search.countQueued()).toBe(0)
    expectAll({ grey: ['Moon'], yellow: ['Sun'], red: [], hot: ['Venus'], cold: ['Pluto'] })
    expect(completed(store, '')).toEqual(before)
    wiki.write('Pluto', 'far')
    expectAll({ cold: [], far: ['Pluto'] })
    await emptySpare(store)
    expect(rowsOf(spareOf(store))).toEqual([])
    expectAll({ far: ['Pluto'] })
  })

  test('it is not put into force while many pages are queued', async () => {
    const { store, applier, dataDir } = temporaryStore()
    const target = await beginRebuild(store)
    const pages = Array.from({ length: 150 }, (_, n) =>
      page(n + 1, `Page_${n}`, [revision(n + 1, `noon ${n}`)]),
    )
    applier.importPages('dump', pages)
    applier.finishImport(null)
    expect(endRebuild(store, target)).toBe(false)
    expect(await fillIndex(store, target, { dataDir, threads: 1 })).toBe(150)
    expect(endRebuild(store, target)).toBe(true)
    expect(found(store, '149')).toEqual(['Page 149'])
    expect(problems(store)).toEqual([])
  })

  test('an import takes its pages into the old one, and ends early when the new one has them', async () => {
    const { store, applier, dataDir } = temporaryStore()
    const add = (id: number, text: string): void => {
      applier.importPages('dump', [page(id, `Page_${id}`, [revision(id, text)])])
      applier.finishImport(null)
    }
    const first = await beginRebuild(store)
    add(1, 'noon')
    expect(await buildIndex(store, { dataDir, threads: 1 })).toBe(1)
    expect(found(store, 'noon')).toEqual(['Page 1'])
    add(2, 'dusk')
    // An import that has encoded its pages when the new index comes into force.
    const inForce = store.search.target()
    const { chunk } = encodeQueued(store, inForce.set, store.search.queuedPages(inForce.set, 0, 10))
    await fillIndex(store, first, { dataDir, threads: 1 })
    expect(endRebuild(store, first)).toBe(true)
    expect(() => writeChunks(store, inForce, [chunk])).toThrow(IndexReplacedError)
    await expect(rankTitles(store, inForce, store.namespaces())).rejects.toThrow(IndexReplacedError)
    expect(await buildIndex(store, { dataDir, threads: 1 })).toBe(0)
    expect([found(store, 'noon'), found(store, 'dusk')]).toEqual([['Page 1'], ['Page 2']])
    await emptySpare(store)
    expect(problems(store)).toEqual([])
    // Two rebuilds later the same tables are in force again: what was encoded for them before is of no use.
    await reindex(store, { dataDir, ...OPTIONS })
    expect(store.search.target()).toEqual(inForce)
    const rows = rowsOf(store.search.inForce())
    writeChunks(store, inForce, [chunk])
    expect(rowsOf(store.search.inForce())).toEqual(rows)
  })

  test('an import that is indexing ends in peace', async () => {
    const { store, applier, dataDir } = temporaryStore()
    applier.importPages('dump', [page(1, 'Moon', [revision(1, 'white')])])
    applier.finishImport(null)
    // More than is encoded at a time, so that a page is left when the first are written.
    const long = 'word '.repeat(850_000)
    const pages = [long, long, 'word'].map((text, n) => page(n + 2, `Page_${n}`, [revision(n + 2, text)]))
    applier.importPages('dump', pages)
    applier.finishImport(null)
    const target = await beginRebuild(store)
    await fillIndex(store, target, { dataDir, threads: 1 })
    let ended = false
    const onProgress = (): void => void (ended ||= endRebuild(store, target))
    expect(await buildIndex(store, { dataDir, threads: 1, onProgress })).toBeLessThan(4)
    expect([ended, store.search.countIndexed()]).toEqual([true, 4])
    expect(problems(store)).toEqual([])
  })

  test('a second rebuild takes the place of the first', async () => {
    const wiki = wikiWith({ Moon: 'white', Sun: 'yellow' })
    const { store, dataDir } = wiki
    const first = await beginRebuild(store)
    await fillIndex(store, first, { dataDir, threads: 1 })
    const second = await beginRebuild(store)
    expect(rowsOf(spareOf(store)).every((row) => row.startsWith('indexQueue'))).toBe(true)
    await expect(fillIndex(store, first, { dataDir, threads: 1 })).rejects.toThrow(IndexReplacedError)
    expect(() => endRebuild(store, first)).toThrow(IndexReplacedError)
    await emptySpare(store)
    await fillIndex(store, second, { dataDir, threads: 1 })
    expect(endRebuild(store, second)).toBe(true)
    expect(found(store, 'white')).toEqual(['Moon'])
    expect(problems(store)).toEqual([])
  })

  test('and another one begins, the command says so', async () => {
    const { store, dataDir } = wikiWith({ Moon: 'white' })
    let other: Promise<unknown> | undefined
    const onProgress = (): void => void (other ??= beginRebuild(store))
    await expect(reindex(store, { dataDir, ...OPTIONS, onProgress })).rejects.toThrow(
      /another reindex began after this one/,
    )
    await other
    await reindex(store, { dataDir, ...OPTIONS })
    expect(problems(store)).toEqual([])
  })

  test('an index of another version is refused until the end', async () => {
    const wiki = wikiWith({ Moon: 'white' })
    const { store, dataDir } = wiki
    store.transact(() => writeMeta(store.tables, 'index', { encoder: 0, set: 'a' }))
    expect(store.search.condition()).toBe('outdated')
    const target = await beginRebuild(store)
    expect(store.search.condition()).toBe('rebuilding')
    wiki.write('Moon', 'grey')
    await fillIndex(store, target, { dataDir, threads: 1 })
    expect(problems(store).join()).toMatch(/cannot be used \(rebuilding\)/)
    expect(endRebuild(store, target)).toBe(true)
    expect([store.search.condition(), found(store, 'grey')]).toEqual(['ready', ['Moon']])
    expect(problems(store)).toEqual([])
  })
})

test('reindex --missing empties what a killed command left', async () => {
  const { store, dataDir } = wikiWith({ Moon: 'white' })
  const target = await beginRebuild(store)
  await fillIndex(store, target, { dataDir, threads: 1 })
  endRebuild(store, target)
  expect(rowsOf(spareOf(store))).not.toEqual([])
  expect(problems(store)).toEqual([])
  expect(await reindex(store, { dataDir, threads: 1, missing: true })).toBe(0)
  expect(rowsOf(spareOf(store))).toEqual([])
})

const PAGES = 2500

/** A wiki that takes seconds to index, which tests copy. */
let largeWiki: string
beforeAll(async () => {
  largeWiki = folderOfFile()
  const store = Store.open(largeWiki, { create: true })
  const applier = new DumpApplier(store)
  const random = randomNumbers(4)
  const text = (): string =>
    Array.from({ length: 250 }, () => WORDS[Math.floor(random() * 13)]! + Math.floor(random() * 40)).join(' ')
  const pages = Array.from({ length: PAGES }, (_, n) =>
    page(n + 1, `Page_${n}`, [revision(n + 1, n % 100 === 0 ? `noon ${text()}` : text())]),
  )
  applier.importPages('dump', pages)
  applier.finishImport(null)
  await reindex(store, { dataDir: largeWiki, threads: 1, missing: true })
  await store.close()
})

function copyOfLargeWiki(): string {
  const copy = temporaryFolder()
  cpSync(largeWiki, copy, { recursive: true })
  return copy
}

interface Answer {
  readonly status: number
  readonly titles: readonly string[]
}

async function search(port: number, text: string, kind = 'page'): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/search/${kind}?limit=100&q=${text}`, {
    // A server closes idle connections, and this process may be busy for longer.
    headers: { connection: 'close' },
  })
  const { pages } = (await answer.json()) as { pages?: { title: string }[] }
  return { status: answer.status, titles: pages?.map(({ title }) => title) ?? [] }
}

async function save(port: number, title: string, source: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/page`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ title, source, comment: '', token: '+\\' }),
  })
  expect(answer.status).toBe(201)
}

/** Waits until another process has come so far. */
async function when(store: Store, isSo: () => boolean): Promise<void> {
  for (;;) {
    store.refresh()
    if (isSo()) return
    await setImmediate()
  }
}

test('searches go on beside the command, and edits are found before and after', async () => {
  const dataDir = copyOfLargeWiki()
  const port = await startProcess(dataDir, '--anonymous-edits', NO_HTML, '--log-level', 'silent')
  const store = openFolder(dataDir)
  const { set } = readIndexState(store.tables)
  const wanted = await search(port, 'noon')
  expect([wanted.status, wanted.titles.length]).toEqual([200, PAGES / 100])
  const completion = await search(port, 'page', 'title')
  const command = run('reindex', '--data-dir', dataDir, '--index-threads', '1')
  await when(store, () => readIndexState(store.tables).rebuild !== undefined)
  let inForceBefore = 0
  for (let n = 0, isAfter = false; !isAfter; n++) {
    isAfter = command.child.exitCode !== null
    await save(port, `Edit ${n}`, `dusk${n}x fell`)
    expect(await search(port, `dusk${n}x`)).toEqual({ status: 200, titles: [`Edit ${n}`] })
    expect(await search(port, 'noon')).toEqual(wanted)
    expect(await search(port, 'page', 'title')).toEqual(completion)
    store.refresh()
    if (readIndexState(store.tables).set === set) inForceBefore = n + 1
  }
  expect(await command.exit).toBe(0)
  store.refresh()
  expect(readIndexState(store.tables).set).not.toBe(set)
  expect(inForceBefore).toBeGreaterThan(0)
  for (let n = 0; n < inForceBefore; n++) {
    expect(await search(port, `dusk${n}x`)).toEqual({ status: 200, titles: [`Edit ${n}`] })
  }
  expect(rowsOf(spareOf(store))).toEqual([])
  expect(problems(store)).toEqual([])
})

test(`a reindex that is killed ${KILLS} times changes no answer`, async () => {
  const dataDir = copyOfLargeWiki()
  const port = await startProcess(dataDir, '--anonymous-edits', NO_HTML, '--log-level', 'silent')
  const store = openFolder(dataDir)
  const wanted = await search(port, 'noon')
  const random = randomNumbers(11)
  // The rebuild is killed at once, while it queues pages, while it encodes them, and after the first rows.
  const moments: (() => boolean)[] = [
    () => true,
    () => spareOf(store).indexQueue.getKeysCount({ ...WHOLE_TABLE }) >= PAGES,
    () => random() < 0.001,
    () => spareOf(store).indexed.getKeysCount({ ...WHOLE_TABLE }) > 0,
  ]
  let unfinished = 0
  for (let n = 0; n < KILLS; n++) {
    const { child, exit } = run('reindex', '--data-dir', dataDir, '--index-threads', '1')
    const before = readIndexState(store.tables)
    await when(store, () => {
      const { rebuild } = readIndexState(store.tables)
      const hasBegun = rebuild !== undefined && rebuild !== before.rebuild
      return (hasBegun && moments[n % moments.length]!()) || child.exitCode !== null
    })
    child.kill('SIGKILL')
    await exit
    store.refresh()
    if (readIndexState(store.tables).rebuild !== undefined) unfinished++
    expect(await search(port, 'noon')).toEqual(wanted)
    await save(port, `Edit ${n}`, `dusk${n}x fell`)
    expect(await search(port, `dusk${n}x`)).toEqual({ status: 200, titles: [`Edit ${n}`] })
    store.refresh()
    expect(problems(store)).toEqual([])
  }
  // The kills are only worth something if some of them met the rebuild in the middle.
  expect(unfinished).toBeGreaterThan(KILLS / 2)
  const flags = ['--data-dir', dataDir, '--port', '0', NO_HTML]
  await run('serve', ...flags).printed(/the search index is being rebuilt, or that was interrupted/)
  const before = readIndexState(store.tables).set
  expect(runHosted(['reindex', '--data-dir', dataDir])).toMatchObject({ status: 0, err: '' })
  store.refresh()
  expect(readIndexState(store.tables)).toMatchObject({ set: before === 'a' ? 'b' : 'a' })
  expect(readIndexState(store.tables).rebuild).toBeUndefined()
  expect(await search(port, 'noon')).toEqual(wanted)
  for (let n = 0; n < KILLS; n++) expect((await search(port, `dusk${n}x`)).titles).toEqual([`Edit ${n}`])
  expect(problems(store)).toEqual([])
  expect(rowsOf(spareOf(store))).toEqual([])
  const rows = rowsOf(store.search.inForce())
  await reindex(store, { dataDir, ...OPTIONS })
  expect(rowsOf(store.search.inForce())).toEqual(rows)
})
