/** Bytes that removed rows left in the store's file are overwritten, and nobody who reads is disturbed. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Wiper } from '../../../src/storage/erase/wiper.js'
import { readMetaPages } from '../../../src/storage/file/metaPages.js'
import { StoreFile } from '../../../src/storage/file/storeFile.js'
import { tableTrees, TreeWalks } from '../../../src/storage/file/treeWalk.js'
import { readMeta, writeMeta } from '../../../src/storage/tables/meta.js'
import type { Store } from '../../../src/storage/store.js'
import { digestStore } from '../../../src/storage/verify/digest.js'
import { leftovers } from '../../support/rawFile.js'
import { randomNumbers } from '../../support/random.js'
import { page, problems, revision, temporaryStore } from '../../support/store.js'

const PAGE_BYTES = 4096

/** A store whose pages were edited and removed, so that its file has free pages and pages with unused room. */
function usedStore(): { store: Store; dataDir: string } {
  const { store, applier, dataDir } = temporaryStore()
  const random = randomNumbers(3)
  const text = (n: number): string => `page ${n} `.repeat(1 + Math.floor(random() * 900))
  for (let round = 0; round < 4; round++) {
    const pages = Array.from({ length: 120 }, (_, n) =>
      page(n + 1, `Page_${n}`, [revision(1000 * round + n + 1, text(n), { comment: text(n).slice(0, 300) })]),
    )
    applier.importPages('d', pages)
  }
  return { store, dataDir }
}

function wipe(store: Store): { heldPages: number; steps: number } {
  if (readMeta(store.tables, 'wipe') === undefined)
    store.transactDerived(() => writeMeta(store.tables, 'wipe', { part: 'slack' }))
  const wiper = new Wiper(store)
  try {
    for (let steps = 1; ; steps++) {
      const state = wiper.step()
      if (state.isDone) return { heldPages: state.heldPages, steps }
    }
  } finally {
    wiper.close()
  }
}

/** All rows of the snapshot that is the newest now, to be read again later. */
function snapshotOf(store: Store): () => string[] {
  const file = new StoreFile(store.file)
  const meta = readMetaPages(file).newest!
  return () => {
    const faults: string[] = []
    const walks = new TreeWalks({ file, meta, report: (fault) => faults.push(fault) })
    const rows = [...tableTrees(walks, meta)].flatMap(({ name, tree }) =>
      Array.from(
        walks.rows(name, tree),
        ({ key, value }) => `${name} ${key.toString('hex')} ${value.toString('hex')}`,
      ),
    )
    return [...faults, ...rows]
  }
}

test('nothing stays of removed rows: neither in free pages, nor in those in use, nor behind them', () => {
  const { store, dataDir } = usedStore()
  const file = join(dataDir, 'store/data.mdb')
  const before = leftovers(file)
  expect(before.slack).toBeGreaterThan(10 * PAGE_BYTES)
  expect(before.free).toBeGreaterThan(30 * PAGE_BYTES)
  expect(before.unknown).toBe(0)
  const digest = digestStore(store)
  expect(wipe(store).heldPages).toBe(0)
  expect(readMeta(store.tables, 'wipe')).toBeUndefined()
  const after = leftovers(file)
  expect(after).toMatchObject({ behind: 0, unknown: 0 })
  // The last two transactions wrote the table `meta` and the list of free pages, and let go their old pages.
  expect(after.slack).toBeLessThan(2 * PAGE_BYTES)
  expect(after.free).toBeLessThan(8 * PAGE_BYTES)
  expect(digestStore(store)).toBe(digest)
  expect(problems(store)).toEqual([])
})

test('a reader of an older snapshot sees all of its rows, and its pages are wiped once it is gone', () => {
  const { store, dataDir } = usedStore()
  const release = store.holdSnapshot()
  const read = snapshotOf(store)
  const rows = read()
  store.transact(() => {
    for (const key of [...store.tables.text.getKeys({ start: 0 })]) store.tables.text.removeSync(key)
  })
  const { heldPages } = wipe(store)
  expect(heldPages).toBeGreaterThan(50)
  expect(read()).toEqual(rows)
  expect(readMeta(store.tables, 'wipe')).toMatchObject({ part: 'free' })
  release()
  store.refresh()
  expect(wipe(store).heldPages).toBe(0)
  expect(read()).not.toEqual(rows)
  expect(leftovers(join(dataDir, 'store/data.mdb')).free).toBeLessThan(8 * PAGE_BYTES)
})

test('writes between two steps stay, and leave nothing behind', () => {
  const { store, dataDir } = usedStore()
  store.transactDerived(() => writeMeta(store.tables, 'wipe', { part: 'slack' }))
  const wiper = new Wiper(store)
  const { text } = store.tables
  const value = Buffer.alloc(3000, 'kept')
  let n = 0
  let state = wiper.step()
  for (; !state.isDone; state = wiper.step()) {
    store.transact(() => {
      text.putSync(100_000 + n, value)
      text.removeSync(100_000 + n - 5)
    })
    n++
  }
  wiper.close()
  expect(n).toBeGreaterThan(3)
  for (let id = Math.max(0, n - 5); id < n; id++) expect(text.getBinary(100_000 + id)).toEqual(value)
  expect(leftovers(join(dataDir, 'store/data.mdb')).unknown).toBe(0)
})
