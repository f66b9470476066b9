import { expect, test } from 'vitest'
import { logKey } from '../../../src/storage/entries/logReader.js'
import { listFiles } from '../../../src/storage/pages/files.js'
import { readCounters } from '../../../src/storage/tables/meta.js'
import { readStats } from '../../../src/storage/stats.js'
import { digestStore } from '../../../src/storage/verify/digest.js'
import { facts, fileEntry } from '../../support/files.js'
import { problems, START, temporaryStore } from '../../support/store.js'

test('a file is stored, replaced and removed by its entries', () => {
  const { store, applier } = temporaryStore()
  const apply = (...args: Parameters<typeof fileEntry>) => applier.submit(fileEntry(...args))
  expect(apply('Moon.png', facts())).toEqual({ result: 'done' })
  expect(store.getFile('Moon.png')).toEqual(facts())
  expect(apply('Moon.png', facts({ width: 80 }), START + 9)).toEqual({ result: 'done' })
  expect(store.getFile('Moon.png')?.width).toBe(80)
  expect(readCounters(store.tables)).toMatchObject({ files: 1, fileChanges: 2, filesTime: START + 9 })
  expect(apply('Moon.png', null)).toEqual({ result: 'done' })
  expect(store.getFile('Moon.png')).toBeUndefined()
  expect(apply('Moon.png', null)).toEqual({ result: 'missing' })
  expect(readCounters(store.tables)).toMatchObject({ files: 0, fileChanges: 3, filesTime: START + 9 })
  expect(problems(store)).toEqual([])
})

test('the same facts again change nothing that answers depend on', () => {
  const { store, applier } = temporaryStore()
  for (let n = 0; n < 2; n++) applier.submit(fileEntry('Moon.png', facts()))
  expect(readCounters(store.tables)).toMatchObject({ files: 1, fileChanges: 1 })
})

test('files are listed by the bytes of their names', () => {
  const { store, applier } = temporaryStore()
  for (const name of ['Zebra.png', 'Ängelholm.png', 'Apple.png', '𝔄.png', 'Ａ.png']) {
    applier.submit(fileEntry(name, facts()))
  }
  const names = [...listFiles(store.tables)].map(({ dbkey }) => dbkey)
  expect(names).toEqual(['Apple.png', 'Zebra.png', 'Ängelholm.png', 'Ａ.png', '𝔄.png'])
})

test('replaying the log gives the same files and the same digest', () => {
  const { store, applier } = temporaryStore()
  applier.submit(fileEntry('A.png', facts({ uploader: undefined })))
  applier.submit(fileEntry('B.ogg', facts({ durationSeconds: 1.5, mediaType: 'AUDIO' })))
  applier.submit(fileEntry('A.png', null))
  const copy = temporaryStore()
  for (let n = 1; n <= readStats(store).logEntries; n++) {
    copy.applier.replay(store.tables.log.getBinary(logKey(n))!)
  }
  expect(copy.store.getFile('B.ogg')).toEqual(store.getFile('B.ogg'))
  expect(digestStore(copy.store)).toBe(digestStore(store))
})

test.each<[string, string]>([
  ['is no JSON', '{'],
  ['has another media type', JSON.stringify({ ...facts(), mediaType: 'SCULPTURE' })],
  ['has fields in another order', JSON.stringify(Object.fromEntries(Object.entries(facts()).reverse()))],
])('verify tells of a row that %s', (_case, row) => {
  const { store, applier } = temporaryStore()
  applier.submit(fileEntry('Moon.png', facts()))
  store.tables.file.putSync('Moon.png', Buffer.from(row))
  expect(problems(store)).toEqual(['file "Moon.png": its row is damaged'])
})

test('verify counts the files', () => {
  const { store, applier } = temporaryStore()
  applier.submit(fileEntry('Moon.png', facts()))
  store.tables.file.removeSync('Moon.png')
  expect(problems(store)).toEqual(['counters: files says 1, found 0'])
})
