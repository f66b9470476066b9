import { describe, expect, test } from 'vitest'
import { readMeta, writeMeta } from '../../src/storage/tables/meta.js'
import { Store, StoreError } from '../../src/storage/store.js'
import {
  history,
  openFolder,
  page,
  problems,
  revision,
  source,
  START,
  temporaryFolder,
  temporaryStore,
} from '../support/store.js'

test('on a disk that is all but full nothing is written, and all can be read', async () => {
  const { store, applier, dataDir } = temporaryStore()
  applier.importPages('dump', [page(1, 'Full', [revision(1, 'text')])])
  await store.close()
  const full = Store.open(dataDir, { leastFreeBytes: 2 ** 60 })
  const write = (): void => full.transact(() => writeMeta(full.tables, 'format', 99))
  expect(write).toThrow(StoreError)
  expect(write).toThrow(/^the disk of .* has less than 1099511627776 MiB left: nothing is written$/)
  expect(source(full, 'Full')).toBe('text')
  expect(readMeta(full.tables, 'format')).not.toBe(99)
  await full.close()
})

describe('opening', () => {
  test('a folder without a store names the command that fills it', () => {
    const folder = temporaryFolder()
    expect(() => Store.open(folder)).toThrow(StoreError)
    expect(() => Store.open(folder)).toThrow(`palimpsest import --data-dir ${folder} DUMP`)
  })

  test('a store of another format says which format and what to do', async () => {
    const folder = temporaryFolder()
    const store = Store.open(folder, { create: true })
    store.transact(() => writeMeta(store.tables, 'format', 99))
    await store.close()
    expect(() => Store.open(folder)).toThrow(
      /of format 99, this version reads format \d+: a newer version of palimpsest wrote it/,
    )
  })

  test('keeps the id that the store was made with, and closing twice is safe', async () => {
    const folder = temporaryFolder()
    const first = Store.open(folder, { create: true })
    const { storeId } = first
    expect(storeId).toMatch(/^[0-9a-f]{32}$/)
    await first.close()
    await first.close()
    expect(openFolder(folder).storeId).toBe(storeId)
  })
})

describe('a segment of a history', () => {
  const wiki = () => {
    const { store, applier } = temporaryStore()
    const revisions = Array.from({ length: 50 }, (_, n) =>
      revision(n + 1, `text ${n}`, { minor: n % 3 === 0 }),
    )
    applier.importPages('d', [
      page(1, 'Before', [revision(100, 'a')]),
      page(2, 'P', revisions),
      page(3, 'After', [revision(101, 'b')]),
    ])
    return store
  }
  const ids = (segment: ReturnType<Store['listRevisions']>) =>
    segment.revisions.map((json) => (JSON.parse(json.toString()) as { id: number }).id)
  const down = (from: number, count: number, step = 1) =>
    Array.from({ length: count }, (_, n) => from - n * step)

  test('starts with the newest revision', () => {
    const segment = wiki().listRevisions(2, { limit: 20 })
    expect(ids(segment)).toEqual(down(50, 20))
    expect(segment).toMatchObject({ newestId: 50, oldestId: 31, hasOlder: true, hasNewer: false })
  })

  test('goes on before a revision to the very first', () => {
    const store = wiki()
    const segment = store.listRevisions(2, { olderThan: store.getRevision(11)!, limit: 20 })
    expect(ids(segment)).toEqual(down(10, 10))
    expect(segment).toMatchObject({ hasOlder: false, hasNewer: true })
  })

  test('goes on after a revision with those that directly follow it', () => {
    const store = wiki()
    const segment = store.listRevisions(2, { newerThan: store.getRevision(5)!, limit: 20 })
    expect(ids(segment)).toEqual(down(25, 20))
    expect(segment).toMatchObject({ hasOlder: true, hasNewer: true })
    expect(store.listRevisions(2, { newerThan: store.getRevision(49)!, limit: 20 })).toMatchObject({
      hasNewer: false,
      newestId: 50,
    })
  })

  test('of a filter holds only what carries the tag', () => {
    const store = wiki()
    expect(ids(store.listRevisions(2, { filter: 'minor', limit: 5 }))).toEqual(down(49, 5, 3))
    const before = store.listRevisions(2, { filter: 'minor', olderThan: store.getRevision(8)!, limit: 5 })
    expect(ids(before)).toEqual([7, 4, 1])
    const after = store.listRevisions(2, { filter: 'minor', newerThan: store.getRevision(8)!, limit: 2 })
    expect(ids(after)).toEqual([13, 10])
    expect(after.hasNewer).toBe(true)
  })

  test('before the first and after the last revision is empty', () => {
    const store = wiki()
    expect(ids(store.listRevisions(2, { olderThan: store.getRevision(1)!, limit: 5 }))).toEqual([])
    expect(ids(store.listRevisions(2, { newerThan: store.getRevision(50)!, limit: 5 }))).toEqual([])
  })

  test('orders revisions of one second by id, up to the largest id there is', () => {
    const { store, applier } = temporaryStore()
    const same = [7, 4_294_967_295, 9].map((id) => revision(id, `t${id}`, { timestamp: START }))
    applier.importPages('d', [page(1, 'P', same)])
    expect(history(store, 1).map(({ id }) => id)).toEqual([7, 9, 4_294_967_295])
    expect(ids(store.listRevisions(1, { olderThan: store.getRevision(9)!, limit: 5 }))).toEqual([7])
    expect(ids(store.listRevisions(1, { newerThan: store.getRevision(4_294_967_295)!, limit: 5 }))).toEqual(
      [],
    )
    expect(problems(store)).toEqual([])
  })
})

describe('counts between two revisions', () => {
  const wiki = () => {
    const { store, applier } = temporaryStore()
    const revisions = Array.from({ length: 30 }, (_, n) =>
      revision(n + 1, n === 9 ? undefined : `t${n}`, {
        editor: n === 12 ? undefined : { id: (n % 4) + 1, name: `E${n % 4}` },
      }),
    )
    applier.importPages('d', [page(1, 'P', revisions)])
    return store
  }

  test('leave both ends out, in any order, and hidden texts', () => {
    const store = wiki()
    const [one, six, twenty] = [1, 6, 20].map((id) => store.getRevision(id)!)
    expect(store.countEditsBetween(one!, six!, 100)).toBe(4)
    expect(store.countEditsBetween(six!, one!, 100)).toBe(4)
    expect(store.countEditsBetween(one!, one!, 100)).toBe(0)
    expect(store.countEditsBetween(one!, twenty!, 100)).toBe(17)
    expect(store.countEditsBetween(one!, twenty!, 10)).toBe(10)
  })

  test('of editors count each once, leave hidden ones out, and give up on long ranges', () => {
    const store = wiki()
    const [one, three, twenty] = [1, 3, 20].map((id) => store.getRevision(id)!)
    expect(store.countEditorsBetween(one!, three!, 100, 1000)).toBe(1)
    expect(store.countEditorsBetween(one!, twenty!, 100, 1000)).toBe(4)
    expect(store.countEditorsBetween(one!, twenty!, 2, 1000)).toBe(2)
    expect(store.countEditorsBetween(one!, twenty!, 100, 10)).toBeUndefined()
  })
})

describe('site settings', () => {
  test('written by another process are seen after a reload', () => {
    const { store } = temporaryStore()
    store.transact(() => writeMeta(store.tables, 'siteSettings', { name: 'Renamed' }))
    expect(store.site().name).toBe('Palimpsest')
    expect(store.reloadSite()).toBe(true)
    expect(store.site().name).toBe('Renamed')
    expect(store.reloadSite()).toBe(false)
    expect(readMeta(store.tables, 'siteSettings')).toEqual({ name: 'Renamed' })
  })
})

describe('rows', () => {
  test('never show bytes of others: every source has exactly its own length', () => {
    const { store, applier } = temporaryStore()
    const lengths = [0, 1, 17, 1000, 5000, 70_000, 1_000_000]
    applier.importPages(
      'd',
      lengths.map((length, n) => page(n + 1, `P${n}`, [revision(n + 1, 'x'.repeat(length))])),
    )
    for (const [n, length] of lengths.entries()) {
      const { meta, source } = store.getPage(0, `P${n}`)!
      expect(source.length).toBe(meta.length + ',"source":""'.length + length)
      expect(source.byteLength).toBe(source.length)
    }
  })
})

test('a text above 16 MiB is read as any other, by title and by revision', { tags: ['slow'] }, () => {
  const { store, applier } = temporaryStore()
  const text = 'A line that fills pages.\n'.repeat(2 ** 20)
  applier.importPages('d', [page(1, 'Huge', [revision(1, 'small'), revision(2, text)])])
  expect(store.getPage(0, 'Huge')).toMatchObject({ pageId: 1, latestId: 2 })
  expect(store.getText(2) === text).toBe(true)
  expect(problems(store)).toEqual([])
})

test('a walk over keys, and their count, leave a range as it was', () => {
  const { store, applier } = temporaryStore()
  applier.importPages('d', [page(1, 'Moon', [revision(1, 'moon')]), page(2, 'Sea', [revision(2, 'sea')])])
  const { page: pages } = store.tables
  const range = { start: 1, end: 9 }
  expect([...pages.getKeys(range)]).toEqual([1, 2])
  expect(pages.getKeysCount(range)).toBe(2)
  expect(Array.from(pages.getRange(range), ({ key, value }) => [key, value.length > 0])).toEqual([
    [1, true],
    [2, true],
  ])
  expect(range).toEqual({ start: 1, end: 9 })
})
